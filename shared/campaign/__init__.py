"""A campaign league: groups, their games, and what happens to them afterwards. The README lists the files."""
