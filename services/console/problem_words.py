"""Sentences about refusals of rounds, pairings and the cut, of games, results and rulings, and of calls of a judge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from services.console.language import N_
from services.console.refusals import BESIDE, RELOAD

ROUNDS: Mapping[str, Sequence[str]] = {
    "games-open": (N_("Games that do not count yet: %(games)s."), N_("Every game has to count first.")),
    "later-round-paired": (N_("Correct the result instead."),),
    "round-already-paired": (N_("Round %(next)s is next."), ""),
    "round-not-closed": (
        N_("Round %(round)s has to be closed first. Games that are open: %(games)s."),
        N_("Round %(round)s has to be closed first."),
        N_("It has to be closed first."),
    ),
    "round-already-started": (N_("Round %(round)s is being played."), N_("It is being played.")),
    "round-not-started": (N_("Round %(round)s has to be started first."), N_("Start it first.")),
    "round-not-published": (N_("Publish round %(round)s first."), N_("Publish it first.")),
    "draft-outdated": (N_("Pair round %(round)s again."), N_("Pair it again.")),
    "round-already-published": (N_("Everybody sees it by now."),),
    "round-not-latest": (N_("Only the latest round can be changed."),),
    "round-has-absent-players": (
        N_("These cannot play: %(players)s. Mend the pairings, or pair the round again."),
        N_("Mend the pairings, or pair the round again."),
    ),
    "round-has-results": (
        N_("Games with a result: %(games)s. Void each of them first."),
        N_("Void the results first."),
    ),
    "pairings-refused": (N_("Nothing was paired. What is wrong stands beside it."),),
    "players-without-venue": (N_("These need one first: %(players)s."), N_("Give them one first.")),
    "too-few-players": (
        N_("There are %(players)s, and %(minimum)s are needed."),
        N_("%(minimum)s are needed."),
        N_("More are needed."),
    ),
    "not-enough-tables": (N_("Add tables to the venue, or move players."),),
    "all-rounds-played": (
        N_("%(planned)s rounds were planned. The event can be ended now."),
        N_("The event can be ended now."),
    ),
    "rounds-remain": (
        N_("%(closed)s of %(planned)s rounds are closed. Say why it ends now."),
        N_("Say why it ends now."),
    ),
    "scenario-missing": (N_("Choose the one that everybody plays."),),
    "cut-due": (N_("Make it, then pair the next round."),),
    "publication-past": (N_("Say a later time, or publish it now."),),
    "table-unknown": (N_("Choose a table of this venue."),),
    "table-taken": (N_("Another game is still being played there."),),
    "organiser-decides": (),
    "round-unknown": (N_("It is not paired yet, or was taken back."),),
    "no-game": (N_("Wait for the next round, or ask at the desk."),),
    "rounds-not-fixed": (
        N_("With %(players)s players you decide it. Write it into the settings of the event."),
        N_("Write it into the settings of the event."),
    ),
    "rounds-by-table": (
        N_("With %(players)s players there are %(rounds)s. Write that into the settings of the event."),
        N_("Write it into the settings of the event."),
    ),
    "rounds-by-option": (N_("Leave the number of rounds out."),),
    "game-has-result": (N_("A game with a result stays as it is. A result that is wrong can be corrected."),),
    "groups-waiting": (
        N_("Groups that are not done: %(groups)s. It closes by itself after the last of them."),
        N_("It closes by itself after the last of them."),
    ),
    "sessions-open": (N_("Tables that are still being played: %(sessions)s."), N_("Every table has to end first.")),
    "call-out-of-order": (RELOAD,),
    "time-is-up": (N_("Single games can still get more minutes."),),
    "standings-already-published": (N_("Everybody sees them by now."),),
    "form-unknown": (N_("Print lists the forms that there are."),),
    # the cut
    "bracket-stands": (N_("Give up a seat in the cut; the opponent goes on."),),
    "no-cut none": (N_("By the rules the final standings decide."),),
    "no-cut places": (N_("The rules name none after this round. Say how many go on."),),
    "no-cut players": (N_("Fewer than two players can go on."),),
    "no-cut not-made": (N_("Make it first."),),
    "no-cut": (),
    "cut-already-published": (N_("It can be made again until its first round is paired."),),
    "cut-not-published": (N_("Publish it first, then pair the round."),),
    "standings-not-published": (N_("Publish them first, on the page of the standings, then make the cut."),),
    "cut-stands": (N_("Single seats can be given up still."),),
    "not-in-cut": (N_("The page of the cut shows who is."),),
    # calls
    "judge-already-called": (N_("Somebody comes. Wait at the table."),),
    "call-taken": (N_("%(name)s goes there."), ""),
    "call-over": (N_("Call again if somebody is needed."),),
    "call-unknown": (RELOAD,),
    "not-your-table": (N_("Call a judge to your own table."),),
    "no-table-to-call-to": (N_("A bye has none. Ask somebody of the staff."),),
}


RESULTS: Mapping[str, Sequence[str]] = {
    "not-your-game": (N_("Players speak of their own games alone. Call a referee to any other."),),
    "round-not-begun": (
        N_("Results are taken once round %(round)s is started."),
        N_("Results are taken once it is started."),
    ),
    "round-closed": (
        N_("Results of round %(round)s are corrected by the staff now."),
        N_("Its results are corrected by the staff now."),
    ),
    "game-held": (
        N_("These lists have to be accepted first: %(players)s."),
        N_("The lists of both have to be accepted first."),
    ),
    "result-exists reported": (N_("Confirm it or dispute it, or ask a referee."),),
    "result-exists disputed": (N_("A referee rules on it."),),
    "result-exists": (N_("It counts already. If it is wrong, ask a referee."),),
    "result-settled disputed": (N_("A referee rules on it."),),
    "result-settled": (N_("It counts already. If it is wrong, ask a referee."),),
    "bracket-moved-on": (N_("The game is paired again in a moment; by hand, pair the round again."),),
    "bracket-played-on": (N_("Void the later result first, in a closed round after opening it again."),),
    "result-missing": (N_("Report it first."),),
    "result-not-binding": (N_("It is confirmed or ruled on first; then it can be corrected."),),
    "own-report": (N_("Whoever reported a result cannot confirm it; the opponent or the staff can."),),
    "own-game": (N_("Somebody else of the staff decides it."),),
    "staff-only": (N_("Call a referee."),),
    "impossible-result": (BESIDE,),
    "improbable-result": (N_("It is possible, and rare. If it is right, say so and send it again."),),
    "bye-has-no-result": (N_("The rules say what it is worth."),),
    "ruling-final": (N_("Only they change it, or an organiser who says why."),),
    "ruling-stands": (N_("Whoever ruled can correct it, a player can appeal, and an organiser can override it."),),
    "appeal-open": (N_("Whoever has the last word decides it first."),),
    "no-head-referee": (N_("Without one a ruling is final."),),
    "not-appealed": (),
    "not-your-decision": (N_("By the rules this is for: %(roles)s."), N_("The rules say who.")),
    "ruling-not-final": (N_("Rule on the result, or correct it."),),
    "game-unknown": (RELOAD,),
    "dice-refused": (BESIDE,),
    "game-report-refused": (BESIDE,),
    "game-not-ready": (BESIDE,),
    "step-refused": (N_("What follows this game has gone on too far. What is in the way stands beside it."),),
}
