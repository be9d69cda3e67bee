"""Rules broken on purpose, to see whether the tests of their clauses notice: `make mutants`."""
