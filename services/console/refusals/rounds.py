"""Refusals about rounds, pairings, the cut, and calls of a judge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from services.console.language import N_
from services.console.refusals.again import RELOAD

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
    "round-already-published": (N_("Everybody sees it by now."),),
    "round-not-latest": (N_("Only the latest round can be changed."),),
    "round-has-absent-players": (
        N_("These cannot play: %(players)s. Mend the pairings, or pair the round again."),
        N_("Mend the pairings, or pair the round again."),
    ),
    "round-has-results": (N_("Games with a result: %(games)s."), N_("It cannot be taken back any more.")),
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
    "bracket-stands": (N_("Give up a seat in the cut, then pair the round again."),),
    "no-cut none": (N_("By the rules the final standings decide."),),
    "no-cut places": (N_("The rules name none after this round. Say how many go on."),),
    "no-cut players": (N_("Fewer than two players can go on."),),
    "no-cut not-made": (N_("Make it first."),),
    "no-cut": (),
    "cut-already-published": (N_("It can be made again until its first round is paired."),),
    "cut-not-published": (N_("Publish it first, then pair the round."),),
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
