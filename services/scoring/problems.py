"""How the edge says what scoring refuses: code -> HTTP status, title, advice."""

from __future__ import annotations

from types import MappingProxyType

from shared.http.kinds import Table

# fmt: off
PROBLEMS: Table = MappingProxyType({
    "game-unknown": (404, "No such game", "GET /tournaments/{id}/games lists the games of a round."),
    "bye-has-no-result": (409, "A bye has no result", "Its values come from the ruleset."),
    "not-your-game": (403, "Not your game", "A player speaks of their own games only; ask a referee."),
    "round-not-begun": (409, "The round has not started", "Results are taken once it has."),
    "round-closed": (409, "The round is closed", "A result of a closed round is corrected: POST …/correction."),
    "round-not-closed": (409, "The round is not closed", "Close it first: POST …/rounds/{round}/close."),
    "round-unknown": (404, "No such round", "GET /tournaments/{id}/rounds of pairing lists them."),
    "result-exists": (409, "Another result was reported", "`detail` says what to do with the one in `data.facts`."),
    "result-missing": (404, "Nothing was reported", "Report the result first."),
    "own-game": (403, "Your own game", "Another judge decides; as a player, use your player's link."),
    "own-report": (409, "The opponent's word is needed", "Whoever reported cannot confirm; the opponent or staff can."),
    "result-settled": (409, "Not the step for this result", "`data.status` says what it is now, `detail` what to do."),
    "result-not-binding": (409, "The result does not bind yet", "Confirm it, or rule: POST …/ruling."),
    "staff-only": (403, "Staff record this", "Call a referee."),
    "ruling-final": (409, "The head referee has ruled", "Only the head referee changes this."),
    "appeal-open": (409, "An appeal is open", "The head referee rules, or rejects it: POST …/appeal/rejection."),
    "no-head-referee": (409, "There is no head referee", "Without one a ruling is final."),
    "not-appealed": (409, "No appeal is open", "There is nothing to reject."),
    "games-open": (409, "Games are open", "`data.games` names them."),
    "later-round-paired": (409, "A later round is paired", "Correct the result instead."),
    "coin-not-offered": (409, "Ties are drawn from a seed", "The draw on record stands."),
    "not-tied": (409, "These are not the players of a tie", "`errors` names the groups that are tied."),
    "rounds-remain": (409, "Rounds remain", "Play them, or say in `early` why it ends here."),
    "player-unknown": (404, "No such player", "GET /tournaments/{id}/players of registration lists them."),
    "form-unknown": (404, "No such form", "GET /tournaments/{id}/forms lists them."),
    "award-unknown": (404, "No such award", "GET /tournaments/{id}/awards lists them."),
    "group-unknown": (404, "No such group", "GET /tournaments/{id}/groups lists them."),
    "account-unknown": (404, "No such account", "There are caps, clean and radiated food."),
    "not-your-group": (403, "Not your group", "A player decides for the own group only; staff for any."),
    "session-unknown": (404, "No such session", "GET /tournaments/{id}/sessions lists them."),
    "not-your-table": (403, "Not your table", "Survivors speak of their own table only; ask the organiser."),
    "set-up-refused": (422, "The table cannot be set up like this", "`errors` names every fault with its clause."),
    "session-set-up": (409, "The table is set up already", "`data.status` says how far the session is."),
    "session-not-begun": (409, "The session has not begun", "Set the table up first: POST …/setup."),
    "session-ended": (409, "The session is over",
        "`data` says what ended it; what was wrong about it is corrected by the organiser: POST …/correction."),
    "session-not-ended": (409, "The session goes on", "Play it to its end, or have the organiser end it."),
    "session-settled": (409, "The result binds", "The organiser corrects it: POST …/correction."),
    "impossible-move": (422, "That cannot have happened", "`errors` names every fault with its clause."),
    "move-out-of-order": (409, "Something else comes first", "`errors` says which move is next."),
    "other-detail": (409, "Not how this event reports", "GET /tournaments/{id} shows `play.detail` of the ruleset."),
    "time-remains": (409, "The session has time left", "`data` says how much; a table that left is `abandoned`."),
    "sessions-open": (409, "Sessions are open", "`data.sessions` names them."),
})
# fmt: on
