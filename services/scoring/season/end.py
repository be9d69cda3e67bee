"""Decisions about the end of a season: who has won, who goes up and down, who plays the final."""

from __future__ import annotations

from collections.abc import Sequence

from services.scoring.season import commands
from services.scoring.season.decide import standings_anew
from services.scoring.tournament.commands import Conclude
from services.scoring.tournament.refusals import PlayerUnknown
from services.scoring.tournament.state import running
from shared.events.base import Event
from shared.formats.season.end import cut_of, end_of, moves_of, next_invited
from shared.formats.season.entries import SEASON_ENTRIES, season_of
from shared.formats.season.ranking import table_of
from shared.formats.season.rules.ending import Undecided
from shared.formats.season.scoring_events import FinalCutMade, InvitationAccepted, InvitationDeclined
from shared.formats.season.state import ACCEPTED, DECLINED, SEASON, Final
from shared.refusals import Fault
from shared.rules.option_hints import allowing
from shared.tournament.context import Context
from shared.tournament.state import Tournament


def conclude(state: Tournament, command: Conclude, context: Context) -> Sequence[Event]:
    """The standings are final; members go up and down, and the first of the highest division has won.

    Every tournament has to have results, or `early` says why it ends without them.
    """
    if state.results.concluded:
        return []
    running(state)
    waiting = [
        one.tournament for one in SEASON_ENTRIES.of(state).in_order() if one.tournament not in SEASON.of(state).taken
    ]
    if not SEASON.of(state).taken:
        raise commands.NothingTaken("No tournament of this season has results; cancel it instead.")
    if waiting and not command.early:
        raise commands.TournamentsOpen(
            f"{len(waiting)} tournaments have no results yet; say in `early` why the season ends without them.",
            tournaments=waiting,
        )
    recorded = standings_anew(state, [], context)
    _, ties = moves_of(state, ())
    _refuse_needless(command.named, ties)
    _, undecided = moves_of(state, command.named)
    _refuse_ties(undecided)
    ended = end_of(state, command.named, context.seed, early=command.early if waiting else "")
    return [*recorded, *ended]


def make_cut(state: Tournament, command: commands.MakeFinalCut, context: Context) -> Sequence[Event]:
    """Who is invited to the final, by the standings as they are; again only while nobody has answered."""
    running(state, concluded_too=True)
    rules = season_of(state.entries)
    if not rules.final.to:
        option = allowing(rules, "/final/to", lambda to: bool(to), 2)
        unless = f": {option.key} says how many are invited, 2 or more" if option else ""
        raise commands.NoFinal(f"This season has no final{unless}.", clause=rules.final.clause)
    if not SEASON.of(state).taken:
        raise commands.NothingTaken("No tournament of this season has results.")
    final = SEASON.of(state).final
    if final is not None and {ACCEPTED, DECLINED} & set(final.answers.values()):
        raise commands.CutMade("Somebody has answered the invitation; who does not come declines: POST …/decline.")
    recorded = standings_anew(state, [], context)
    table = table_of(state)
    _refuse_needless(command.named, cut_of(table, rules, (), ()).undecided)
    found = cut_of(table, rules, (), command.named)
    _refuse_ties(found.undecided)
    last = SEASON.of(state).table
    number = recorded[0].number if recorded else last.number if last else 0
    made = FinalCutMade(invited=[one.player for one in found.invited], standings=number, named=sorted(command.named))
    if final is not None and (list(final.answers), final.named) == (made.invited, made.named):
        return recorded
    return [*recorded, made]


def accept(state: Tournament, command: commands.AcceptInvitation, context: Context) -> Sequence[Event]:
    """Who was invited will come."""
    final = _invited(state, command.player, context)
    if final.answers[command.player] == DECLINED:
        raise commands.NotInvited(f"{command.player} has declined, and somebody else may be invited instead.")
    if final.answers[command.player] == ACCEPTED:
        return []
    return [InvitationAccepted(player=command.player)]


def decline(state: Tournament, command: commands.DeclineInvitation, context: Context) -> Sequence[Event]:
    """Who was invited will not come; the next one is, where the ruleset replaces."""
    final = _invited(state, command.player, context)
    if final.answers[command.player] == DECLINED:
        return []
    _, ties = next_invited(state, command.player, ())
    _refuse_needless(command.named, ties)
    instead, undecided = next_invited(state, command.player, command.named)
    if not instead:
        _refuse_ties(undecided)
    return [
        InvitationDeclined(
            player=command.player, replaced_by=instead, reason=command.reason, named=sorted(command.named)
        )
    ]


def _invited(state: Tournament, player: str, context: Context) -> Final:
    """The final to which a player was invited, who speaks for themselves. Raises CutMissing, NotInvited."""
    running(state, concluded_too=True)
    final = SEASON.of(state).final
    if final is None:
        raise commands.CutMissing("Nobody is invited to a final yet.")
    if not (context.by.staff or context.by.player == player):
        raise commands.NotYourInvitation("Players answer for themselves.")
    if player not in final.answers:
        raise commands.NotInvited(
            f"{player} is not invited.", [Fault("/player", player, "one of " + ", ".join(final.answers))]
        )
    return final


def _refuse_needless(named: Sequence[str], ties: Sequence[Undecided]) -> None:
    """Raises PlayerUnknown for somebody named who shares no place that staff have to settle."""
    tied = {player for one in ties for player in one.players}
    expected = "one of " + ", ".join(sorted(tied)) if tied else "nobody: there is no tie to settle"
    faults = [Fault(f"/named/{index}", player, expected) for index, player in enumerate(named) if player not in tied]
    if faults:
        raise PlayerUnknown(f"{len(faults)} of those named share no place at a line.", faults)


def _refuse_ties(undecided: Sequence[Undecided]) -> None:
    """Raises TieUndecided, with every tie that staff have to settle."""
    if undecided:
        ties = [
            {"what": one.what, "division": one.division, "places": one.places, "players": list(one.players)}
            for one in undecided
        ]
        faults = [
            Fault(
                "/named", ", ".join(one.players), f"{one.places} of them named, for {one.what} {one.division}".strip()
            )
            for one in undecided
        ]
        raise commands.TieUndecided("Players share the last place above a line; name who goes.", faults, ties=ties)
