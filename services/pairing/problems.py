"""How the edge says what pairing refuses: code -> HTTP status, title, advice."""

from __future__ import annotations

from types import MappingProxyType

from shared.web.kinds import Table

# fmt: off
PROBLEMS: Table = MappingProxyType({
    "round-unknown": (404, "No such round", "GET /tournaments/{id}/rounds lists those that are paired.", "round"),
    "game-unknown": (404, "No such game", "GET /tournaments/{id}/rounds/{n} lists the games of a round.", "game"),
    "player-unknown": (404, "No such player", "Registration lists them: GET /tournaments/{id}/players.", "player"),
    "staff-unknown": (404, "Nobody on the staff who plays",
        "Appoint them first; registration lists the staff.", "staff"),
    "venue-unknown": (404, "No such venue", "`errors` names the open venues.", "venue"),
    "table-unknown": (404, "No such table", "GET /tournaments/{id}/tables lists the tables of every venue.", "table"),
    "no-game": (404, "No game for this player", "The latest round has no pairing with this player."),
    "round-already-paired": (409, "Another round is next", "`data.next` is the round to be paired."),
    "round-not-closed": (409, "The round before is not over", "`data.games` are open; close the round in scoring."),
    "all-rounds-played": (409, "All rounds are played", "Conclude the tournament in scoring."),
    "rounds-by-table": (409, "Another number of rounds", "Amend the tournament: `rounds` as `data.rounds` says."),
    "cut-due": (409, "The cut comes first", "POST /tournaments/{id}/cut, then pair the first elimination round."),
    "players-without-venue": (409, "Players without a venue", "Check `data.players` in at an open venue."),
    "pairings-refused": (422, "The pairings cannot stand", "`errors` names every fault; nothing was paired."),
    "scenario-missing": (422, "The round needs a scenario", "Pair it with `scenario`; `errors` names them."),
    "round-not-latest": (409, "A later round is paired", "Only the latest round changes; results are corrected."),
    "round-closed": (409, "The round is closed", "Reopen it in scoring, while nothing was paired from it."),
    "round-already-started": (409, "The round has begun", "`detail` says what is still possible."),
    "round-not-started": (409, "The round has not begun", "POST /tournaments/{id}/rounds/{n}/start."),
    "round-already-published": (409, "The round is published", "Amend it, or withdraw it, as any other round."),
    "round-not-published": (409, "The round is a draft", "POST /tournaments/{id}/rounds/{n}/publication."),
    "publication-past": (422, "That time is over", "Set a later one, or leave `at` out to publish it now."),
    "round-has-absent-players": (409, "Players of the round cannot play",
        "`data.players` says who and why. Let missing lists be handed in and accepted; where somebody has left, amend "
        "their games (a bye for who is left), or pair the round again."),
    "round-has-results": (409, "Results were reported", "`data.games` have results; the round cannot be taken back."),
    "game-has-result": (409, "The game has a result", "`data.games` names them; void a mistaken result first."),
    "organiser-decides": (403, "An organiser decides this", "Ask an organiser."),
    "bracket-stands": (409, "The bracket decides", "POST /tournaments/{id}/cut/given-up, then pair the round again."),
    "own-game": (403, "Your own game", "Another one of the staff changes it before it is published."),
    "table-taken": (409, "The table is taken", "`data.game` goes on there; GET /tournaments/{id}/tables lists them."),
    "call-out-of-order": (409, "Not the next call", "`data.open` lists the calls that can be made."),
    "time-is-up": (409, "The end was called", "Give time to single games, with `game`."),
    "spare-taken": (409, "There is a spare player", "`data.staff` stands by; recall them first."),
    "no-spare": (409, "No spare player in this ruleset", "Whoever is left over has a bye."),
    "no-cut": (409, "No cut", "`detail` and `data.clause` say why."),
    "cut-already-published": (409, "The cut is published", "Make it again, until its first round is paired."),
    "cut-not-published": (409, "The cut is a draft", "POST /tournaments/{id}/cut/publication."),
    "cut-stands": (409, "The cut stands", "Elimination has begun; give single seats up instead."),
    "not-in-cut": (404, "Not in the cut", "GET /tournaments/{id}/cut lists the seats."),
    "session-unknown": (404, "No such session", "GET /tournaments/{id}/session-rounds lists tables.", "session"),
    "session-has-begun": (409, "The table is set up", "`data.sessions` names them; nobody changes places any more."),
    "seating-refused": (422, "Nobody can be seated like this", "`errors` names every fault; nobody was seated."),
})
# fmt: on
