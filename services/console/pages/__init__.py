"""A file for each kind of page."""
