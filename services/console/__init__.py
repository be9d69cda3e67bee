"""The console: pages for organisers, referees, players and the wall, as a client of the three services."""
