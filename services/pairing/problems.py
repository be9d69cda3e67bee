"""HTTP problems of pairing: refusal code -> status, title, advice."""

from __future__ import annotations

from types import MappingProxyType

from shared.web.refusals import Table

# fmt: off
PROBLEMS: Table = MappingProxyType({
    "round-unknown": (404, "No such round", "GET /tournaments/{id}/rounds lists those that are paired.", "round"),
    "game-unknown": (404, "No such game", "GET /tournaments/{id}/rounds/{n} lists the games of a round.", "game"),
    "player-unknown": (404, "No such player", "Registration lists them: GET /tournaments/{id}/players.", "player"),
    "staff-unknown": (404, "No such playing member of staff",
        "Appoint them first; registration lists the staff.", "staff"),
    "venue-unknown": (404, "No such venue", "`errors` names the open venues.", "venue"),
    "table-unknown": (404, "No such table", "GET /tournaments/{id}/tables lists the tables of every venue.", "table"),
    "no-game": (404, "The player has no game", "The latest round has no pairing with this player."),
    "round-already-paired": (409, "Another round is next", "`data.next` is the round to pair."),
    "round-not-closed": (409, "The previous round is not over",
        "`data.games` are still open; close the round in scoring."),
    "venues-apart": (409, "The venue would be too far ahead",
        "Wait for the venues in `data.venues`, or allow more with `rounds_apart` of the tournament."),
    "all-rounds-played": (409, "All rounds have been played", "Conclude the tournament in scoring."),
    "rounds-by-table": (409, "The ruleset asks for another number of rounds",
        "Amend the tournament: set `rounds` to `data.rounds`."),
    "cut-due": (409, "The cut comes first", "POST /tournaments/{id}/cut, then pair the first elimination round."),
    "players-without-venue": (409, "Some players have no venue",
        "Check the players in `data.players` in at an open venue."),
    "pairings-refused": (422, "These pairings are not possible", "`errors` names every fault; nothing was paired."),
    "scenario-missing": (422, "The round needs a scenario", "Pair it with `scenario`; `errors` names them."),
    "round-not-latest": (409, "A later round has been paired",
        "Only the latest round can change. Correct the results of an earlier one."),
    "part-unknown": (422, "The round has no games at this venue", "`errors` names the venues with games."),
    "round-closed": (409, "The round is closed", "Reopen it in scoring, as long as no round was paired from it."),
    "round-already-started": (409, "The round has begun", "`detail` says what is still possible."),
    "round-not-started": (409, "The round has not begun", "POST /tournaments/{id}/rounds/{n}/start."),
    "round-already-published": (409, "The round has been published", "Amend it, or withdraw it, as any other round."),
    "round-not-published": (409, "The round is a draft", "POST /tournaments/{id}/rounds/{n}/publication."),
    "draft-outdated": (409, "The draft is outdated", "POST /tournaments/{id}/rounds/{n}/repairing."),
    "publication-past": (422, "That time is over", "Set a later one, or leave `at` out to publish it now."),
    "round-has-absent-players": (409, "Some players of the round cannot play",
        "`data.players` says who and why. If a list is missing, have it handed in and accepted. If a player has "
        "left a Swiss round, amend the pairing (the opponent gets a bye), or pair the round again; in the bracket "
        "give up their seat: POST /tournaments/{id}/cut/given-up."),
    "paired-together": (409, "The round was paired for all venues together", "Leave `venue` out."),
    "round-has-results": (409, "Results have been reported",
        "`data.games` have results. Void each in scoring (POST /tournaments/{id}/games/{game}/voiding), then take the "
        "round back. In a campaign what was played stays."),
    "game-has-result": (409, "The game has a result", "`data.games` names them; void a mistaken result first."),
    "organiser-decides": (403, "An organiser decides this", "Ask an organiser."),
    "bracket-stands": (409, "The bracket decides who plays",
        "POST /tournaments/{id}/cut/given-up; the opponent goes on, and the other games stay."),
    "bracket-moved-on": (409, "The bracket leads another player there",
        "`data.games` are paired again as soon as pairing has read the result; by hand POST "
        "/tournaments/{id}/rounds/{n}/repairing, or …/withdrawal once the round has started."),
    "own-game": (403, "This is your own game", "Another member of the staff changes it before it is published."),
    "table-taken": (409, "The table is taken",
        "`data.game` is still being played there; GET /tournaments/{id}/tables lists the tables."),
    "call-out-of-order": (409, "This call is not the next one", "`data.open` lists the calls that can be made."),
    "time-is-up": (409, "The end of the round was called", "Give extra time to single games, with `game`."),
    "spare-taken": (409, "There is a spare player already", "`data.staff` is standing by; recall them first."),
    "no-spare": (409, "The ruleset has no spare player", "The player left over gets a bye."),
    "no-cut": (409, "There is no cut", "`detail` and `data.clause` say why."),
    "cut-already-published": (409, "The cut has been published", "Make it again, until its first round is paired."),
    "cut-not-published": (409, "The cut is a draft", "POST /tournaments/{id}/cut/publication."),
    "standings-not-published": (409, "The standings are held back",
        "Publish them at scoring: POST /tournaments/{id}/standings/publication."),
    "cut-stands": (409, "The cut can no longer change", "Elimination has begun; give up single seats instead."),
    "not-in-cut": (404, "The player is not in the cut", "GET /tournaments/{id}/cut lists the seats."),
    "session-unknown": (404, "No such session", "GET /tournaments/{id}/session-rounds lists the tables.", "session"),
    "session-has-begun": (409, "The table has been set up",
        "`data.sessions` names the tables; nobody can change places there any more."),
    "call-unknown": (404, "No such call", "GET /tournaments/{id}/calls lists those that you are shown.", "call"),
    "call-over": (409, "The call is over", "`data` says how it ended. Call again if someone is needed."),
    "call-taken": (409, "Someone else has taken this call",
        "`data.name` is on the way; a head referee can answer it."),
    "judge-already-called": (409, "A judge has been called to this table", "`data.call` is open; a judge comes."),
    "not-your-table": (403, "You do not sit at this table", "Call a judge to your own game."),
    "no-table-to-call-to": (409, "Nobody sits at a table", "A bye has none; ask a member of the staff."),
    "no-timetable": (404, "There is no timetable yet", "Amend the tournament: `starts_on` says on which day it is."),
    "seating-refused": (422, "This seating is not possible", "`errors` names every fault; nobody was seated."),
})
# fmt: on
