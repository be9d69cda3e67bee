"""Results of a season: taking results from tournaments, the final cut, invitations, the end.

The process manager reads the results of tournaments and passes them to the command.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from typing import Annotated, Any

import msgspec
from msgspec import Struct

from services.scoring.guards import PlayerUnknown, running
from services.scoring.rounds import Conclude
from shared.formats.fold import current_data, read_event
from shared.log.event import Event, Recorded, read_actor
from shared.refusals import Expected, Fault, Refusal, expects, one_of
from shared.rules.parts import allowing_option
from shared.season.ending import UndecidedTie, end_of, final_cut, moves_of, next_invited
from shared.season.entries import SEASON_ENTRIES, season_of
from shared.season.ranking import recorded_rows, same_standings, table_of
from shared.season.state import (
    ACCEPTED,
    DECLINED,
    SEASON,
    ChangedBy,
    Final,
    FinalCutMade,
    InvitationAccepted,
    InvitationDeclined,
    LogEnd,
    SeasonResultsTaken,
    SeasonStandingsRecorded,
    StandingsCause,
    TakenResults,
)
from shared.shapes import Command, Id, OptionalReason, Size
from shared.tournament.format import ResultRow
from shared.tournament.guards import Context, require_announced
from shared.tournament.rounds import PAGE_BYTES, paginate
from shared.tournament.state import Tournament


class CurrentResults(Struct, frozen=True, kw_only=True):
    """The current results of a tournament.

    heads: source -> the end of its log. causes: the events that changed the results since they were taken.
    """

    tournament: str
    rows: list[ResultRow]
    heads: dict[str, LogEnd]
    causes: list[ChangedBy] = []


class TakeResults(Command, frozen=True, kw_only=True):
    """Take results of tournaments into a season. found: may be empty; the standings are checked in any case."""

    found: list[CurrentResults] = []


class MakeFinalCut(Command, frozen=True, kw_only=True):
    """Invite the best players to the final. named: players whom staff select among those who share the last place."""

    named: Annotated[list[Id], Size(500)] = []


class AcceptInvitation(Command, frozen=True, kw_only=True):
    """Accept an invitation to the final."""

    player: Id


class DeclineInvitation(Command, frozen=True, kw_only=True):
    """Decline an invitation to the final. named: players whom staff select in a tie for the free place."""

    player: Id
    reason: OptionalReason = ""
    named: Annotated[list[Id], Size(500)] = []


class TournamentsOpen(Refusal):
    """Tournaments of the season have no results yet; data: `tournaments`."""

    code = "tournaments-open"


class NothingTaken(Refusal):
    """No tournament of the season has results."""

    code = "season-without-results"


class TieUndecided(Refusal):
    """Players share the last place above a line, and staff have to select some of them.

    data: `ties`, each with the line, the division, the number of places and the players.
    """

    code = "tie-undecided"


class NoFinal(Refusal):
    """The ruleset of the season has no final."""

    code = "no-final"


class CutMade(Refusal):
    """A player has already answered an invitation of this cut."""

    code = "cut-made"


class CutMissing(Refusal):
    """The final cut has not been made."""

    code = "cut-missing"


class NotInvited(Refusal):
    """The player is not invited to the final, or has declined."""

    code = "not-invited"


class NotYourInvitation(Refusal):
    """Players answer only for themselves."""

    code = "not-your-invitation"


class StandingsUnknown(Refusal):
    """No recorded standings have this number."""

    code = "standings-unknown"


CONCLUDED, CORRECTED = "concluded", "corrected"

_MAX_CAUSES = 50
"""At most this many causing events are listed; see the log for the rest."""

_CHANGING_EVENTS = MappingProxyType(
    {
        "scoring": (
            "ResultCorrected",
            "RulingOverridden",
            "SessionCorrected",
            "CoinEntered",
            "TournamentConcluded",
        ),
        "registration": ("PlayerAmended", "PlayerDisqualified", "DisqualificationRevoked", "TournamentCancelled"),
    }
)
"""Source -> event types that can change the results of a concluded tournament."""

Between = Callable[[str, int, int], Iterable[Recorded]]
"""Function from (source, after, upto) to the events of a tournament's log in that range of positions."""


def causes_of(between: Between, taken: Mapping[str, LogEnd], ends: Mapping[str, LogEnd]) -> list[ChangedBy]:
    """Return the events that changed the results of a tournament since they were taken.

    taken: the ends of its logs at that time; empty: never taken. ends: the current ends.
    """
    causes = (
        ChangedBy(
            id=event.id,
            type=event.type,
            time=event.time,
            actor=read_actor(event.actor),
            reason=str(current_data(event).get("reason", "")),
        )
        for source, types in _CHANGING_EVENTS.items()
        if source in ends
        for event in between(source, taken[source].position if source in taken else 0, ends[source].position)
        if event.type in types
    )
    return list(islice(causes, _MAX_CAUSES)) if taken else []


def take(state: Tournament, command: TakeResults, context: Context) -> Sequence[Event]:
    """Decide TakeResults: record new results, and the standings if they change.

    After the end of the season, the ruleset says whether the standings still follow.
    """
    if require_announced(state).status == "cancelled":
        return []
    frozen = has_fixed_standings(state)
    events: list[Event] = []
    causes: list[StandingsCause] = []
    taken = dict(SEASON.of(state).taken)
    for results in command.found:
        if _is_news(state, results):
            reason = CORRECTED if _last_taken(state, results.tournament) else CONCLUDED
            events += _result_pages(results, reason, told=frozen)
            causes.append(StandingsCause(tournament=results.tournament, reason=reason))
            taken[results.tournament] = TakenResults(
                results.tournament, reason, results.rows, results.heads, results.causes
            )
    if frozen:
        return events
    after = SEASON.replaced(state, msgspec.structs.replace(SEASON.of(state), taken=taken))
    return [*events, *_consequences(after, causes, context)]


def _result_pages(results: CurrentResults, reason: str, *, told: bool) -> list[Event]:
    """Return the events that record the results of a tournament, split into pages.

    told: True if the season is over and the results do not change its standings.
    """
    heads = [results.heads[source] for source in sorted(results.heads)]
    pages = paginate(results.rows, size=PAGE_BYTES)
    return [
        SeasonResultsTaken(
            tournament=results.tournament,
            reason=reason,
            page=number,
            pages=len(pages),
            rows=rows,
            heads=heads if number == 1 else [],
            causes=results.causes if number == 1 else [],
            told=told,
        )
        for number, rows in enumerate(pages, start=1)
    ]


def open_part(command: TakeResults, events: Sequence[Mapping[str, Any]]) -> TakeResults:
    """Return the command without results, which can be 8 MB for 10,000 players. Its events contain them."""
    return TakeResults()


def whole(command: TakeResults, events: Sequence[Recorded]) -> TakeResults:
    """Return the command with the results from its events."""
    pages = [event for event in map(_decoded, events) if isinstance(event, SeasonResultsTaken)]
    by_tournament: dict[str, CurrentResults] = {}
    for page in pages:
        if page.page == 1:
            heads = {end.source: end for end in page.heads}
            by_tournament[page.tournament] = CurrentResults(
                tournament=page.tournament, rows=[], heads=heads, causes=page.causes
            )
        if page.tournament in by_tournament:
            by_tournament[page.tournament].rows.extend(page.rows)
    return TakeResults(found=list(by_tournament.values()))


def _decoded(event: Recorded) -> Event:
    return read_event(event.type, event.version, event.data)


def has_fixed_standings(state: Tournament) -> bool:
    """Return True if the season is over and later corrections do not change its standings."""
    return state.results.concluded and season_of(state.entries).counting.after_end == "told"


def _consequences(state: Tournament, causes: Sequence[StandingsCause], context: Context) -> list[Event]:
    """Return the standings if they change; after the end, also divisions and the title."""
    recorded: list[Event] = [*record_changed_standings(state, causes, context)]
    if recorded and state.results.concluded:
        recorded += end_of(state, SEASON.of(state).moves_named, context.draws, reason=state.results.early_reason)
    return recorded


def _last_taken(state: Tournament, tournament: str) -> TakenResults | None:
    """Return the last results taken from a tournament, or None."""
    return SEASON.of(state).told.get(tournament) or SEASON.of(state).taken.get(tournament)


def _is_news(state: Tournament, results: CurrentResults) -> bool:
    """Return True if the tournament counts, and its results are newer than and different from those taken."""
    last = _last_taken(state, results.tournament)
    if results.tournament not in SEASON_ENTRIES.of(state).gathered:
        return False
    if last is None:
        return bool(results.rows)
    older = any(
        results.heads[source].position < end.position for source, end in last.heads.items() if source in results.heads
    )
    return not older and last.rows != results.rows


def record_changed_standings(
    state: Tournament, causes: Sequence[StandingsCause], context: Context
) -> list[SeasonStandingsRecorded]:
    """Return the events that record the standings, if they differ from the latest recorded ones."""
    recorded = SEASON.of(state).table
    if recorded is None and not SEASON.of(state).taken:
        return []
    rows = recorded_rows(table_of(state), recorded)
    if recorded is not None and same_standings(rows, recorded.rows):
        return []
    pages = paginate(rows, size=PAGE_BYTES)
    return [
        SeasonStandingsRecorded(
            number=recorded.number + 1 if recorded else 1,
            page=number,
            pages=len(pages),
            rows=page,
            causes=list(causes) if number == 1 else [],
            registration=context.heads["registration"].position if number == 1 else 0,
        )
        for number, page in enumerate(pages, start=1)
    ]


def conclude(state: Tournament, command: Conclude, context: Context) -> Sequence[Event]:
    """Decide Conclude: final standings, promotions and relegations, the winner of the highest division.

    Raises NothingTaken, TournamentsOpen (unless a reason is given), TieUndecided, PlayerUnknown.
    """
    if state.results.concluded:
        return []
    running(state)
    waiting = [
        item.tournament for item in SEASON_ENTRIES.of(state).in_order() if item.tournament not in SEASON.of(state).taken
    ]
    if not SEASON.of(state).taken:
        raise NothingTaken("No tournament of this season has results; cancel it instead.")
    if waiting and not command.reason:
        raise TournamentsOpen(
            f"Tournaments without results: {len(waiting)}; say in `reason` why the season ends without them.",
            tournaments=waiting,
        )
    recorded = record_changed_standings(state, [], context)
    _, ties = moves_of(state, ())
    _refuse_needless(command.named, ties)
    _, undecided = moves_of(state, command.named)
    _refuse_ties(undecided)
    ended = end_of(state, command.named, context.draws, reason=command.reason if waiting else "")
    return [*recorded, *ended]


def make_cut(state: Tournament, command: MakeFinalCut, context: Context) -> Sequence[Event]:
    """Decide MakeFinalCut by the current standings. Repeatable until the first answer.

    Raises NoFinal, NothingTaken, CutMade, TieUndecided, PlayerUnknown.
    """
    running(state, concluded_too=True)
    rules = season_of(state.entries)
    if not rules.final.to:
        option = allowing_option(rules, "/final/to", lambda to: bool(to), 2)
        unless = f": {option.key} says how many are invited, 2 or more" if option else ""
        raise NoFinal(f"This season has no final{unless}.", clause=rules.final.clause)
    if not SEASON.of(state).taken:
        raise NothingTaken("No tournament of this season has results.")
    final = SEASON.of(state).final
    if final is not None and {ACCEPTED, DECLINED} & set(final.answers.values()):
        raise CutMade("Somebody has answered the invitation; a player who does not come declines: POST …/decline.")
    recorded = record_changed_standings(state, [], context)
    table = table_of(state)
    _refuse_needless(command.named, final_cut(rules, table, (), ()).undecided)
    selection = final_cut(rules, table, (), command.named)
    _refuse_ties(selection.undecided)
    last = SEASON.of(state).table
    number = recorded[0].number if recorded else last.number if last else 0
    cut = FinalCutMade(
        invited=[item.player for item in selection.invited], standings=number, named=sorted(command.named)
    )
    if final is not None and (list(final.answers), final.named) == (cut.invited, cut.named):
        return recorded
    return [*recorded, cut]


def accept(state: Tournament, command: AcceptInvitation, context: Context) -> Sequence[Event]:
    """Decide AcceptInvitation. Raises CutMissing, NotYourInvitation, NotInvited."""
    final = _invited(state, command.player, context)
    if final.answers[command.player] == DECLINED:
        raise NotInvited(f"{command.player} has declined, and somebody else may be invited instead.")
    if final.answers[command.player] == ACCEPTED:
        return []
    return [InvitationAccepted(player=command.player)]


def decline(state: Tournament, command: DeclineInvitation, context: Context) -> Sequence[Event]:
    """Decide DeclineInvitation. If the ruleset says so, the next player is invited.

    Raises CutMissing, NotYourInvitation, NotInvited, TieUndecided, PlayerUnknown.
    """
    final = _invited(state, command.player, context)
    if final.answers[command.player] == DECLINED:
        return []
    _, ties = next_invited(state, command.player, ())
    _refuse_needless(command.named, ties)
    replacement, undecided = next_invited(state, command.player, command.named)
    if not replacement:
        _refuse_ties(undecided)
    return [
        InvitationDeclined(
            player=command.player, replaced_by=replacement, reason=command.reason, named=sorted(command.named)
        )
    ]


def _invited(state: Tournament, player: str, context: Context) -> Final:
    """Return the final if the caller may answer for an invited player.

    Raises CutMissing, NotYourInvitation, NotInvited.
    """
    running(state, concluded_too=True)
    final = SEASON.of(state).final
    if final is None:
        raise CutMissing("Nobody is invited to a final yet.")
    if not (context.by.staff or context.by.player == player):
        raise NotYourInvitation("Players answer for themselves.")
    if player not in final.answers:
        fault = Fault("/player", player, one_of(list(final.answers)))
        raise NotInvited(f"{player} is not invited.", [fault])
    return final


def _refuse_needless(named: Sequence[str], ties: Sequence[UndecidedTie]) -> None:
    """Raise PlayerUnknown if a named player is not part of a tie that staff have to settle."""
    tied = {player for item in ties for player in item.players}
    expected = one_of(sorted(tied)) if tied else expects("no-tie-to-settle")
    faults = [Fault(f"/named/{index}", player, expected) for index, player in enumerate(named) if player not in tied]
    if faults:
        raise PlayerUnknown("Not all of the players named share a place at a line.", faults)


def _expected_names(tie: UndecidedTie) -> Expected:
    """Return the expected number of named players for a tie."""
    if tie.division:
        return expects("named-players-of-division", places=tie.places, what=tie.what, division=tie.division)
    return expects("named-players", places=tie.places, what=tie.what)


def _refuse_ties(undecided: Sequence[UndecidedTie]) -> None:
    """Raise TieUndecided if there are ties that staff have to settle."""
    if undecided:
        ties = [
            {"what": item.what, "division": item.division, "places": item.places, "players": list(item.players)}
            for item in undecided
        ]
        faults = [Fault("/named", ", ".join(item.players), _expected_names(item)) for item in undecided]
        raise TieUndecided("Players share the last place above a line; name who goes.", faults, ties=ties)
