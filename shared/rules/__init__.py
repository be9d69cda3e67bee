"""Rules that several formats use: pure functions over frozen values. See README.md."""
