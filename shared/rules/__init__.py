"""Rules that several formats use: pure functions over frozen values. The README says what is here."""
