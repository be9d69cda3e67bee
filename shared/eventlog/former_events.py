"""Logs in a form that is not read any more."""


class FormerEvents(Exception):
    """A database whose logs were written before the first release: it is not brought up to date."""
