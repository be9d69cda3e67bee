"""Results of a season: taken from its tournaments, the final cut, invitations, the end.

The process reads results from their tournaments and gives them to the command.
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


class Found(Struct, frozen=True, kw_only=True):
    """The results of a tournament as its logs say now. heads: source -> where its log ends.

    causes: what changed them since they were taken.
    """

    tournament: str
    rows: list[ResultRow]
    heads: dict[str, LogEnd]
    causes: list[ChangedBy] = []


class TakeResults(Command, frozen=True, kw_only=True):
    """found: of one tournament or several. Without any the standings are looked at all the same."""

    found: list[Found] = []


class MakeFinalCut(Command, frozen=True, kw_only=True):
    """named: whom staff name of those who share the last place."""

    named: Annotated[list[Id], Size(500)] = []


class AcceptInvitation(Command, frozen=True, kw_only=True):
    """Who was invited will come."""

    player: Id


class DeclineInvitation(Command, frozen=True, kw_only=True):
    """named: whom staff name in a tie for the place that becomes free."""

    player: Id
    reason: OptionalReason = ""
    named: Annotated[list[Id], Size(500)] = []


class TournamentsOpen(Refusal):
    """Tournaments that the season counts have no results yet; data: `tournaments`."""

    code = "tournaments-open"


class NothingTaken(Refusal):
    """No tournament of the season has results, so nobody stands anywhere."""

    code = "season-without-results"


class TieUndecided(Refusal):
    """Members share the last place above a line, and the ruleset leaves it to staff to name who goes.

    data: `ties`, each with what the line is for, its division, the places to fill and the players who share it.
    """

    code = "tie-undecided"


class NoFinal(Refusal):
    """The ruleset of the season has no final."""

    code = "no-final"


class CutMade(Refusal):
    """The cut was made, and somebody has answered."""

    code = "cut-made"


class CutMissing(Refusal):
    """Nobody was invited to a final yet."""

    code = "cut-missing"


class NotInvited(Refusal):
    """The player is not invited to the final, or has declined."""

    code = "not-invited"


class NotYourInvitation(Refusal):
    """Players answer for themselves; staff for everybody."""

    code = "not-your-invitation"


class StandingsUnknown(Refusal):
    """No standings were recorded under this number."""

    code = "standings-unknown"


CONCLUDED, CORRECTED = "concluded", "corrected"

MOST_REASONS = 50
"""Events named as the reason why results changed; a log that changed more often is there to be read."""

CHANGING = MappingProxyType(
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
"""Source -> events that change what a concluded tournament is worth."""

Between = Callable[[str, int, int], Iterable[Recorded]]
"""Gives the events of one log of a tournament behind a position, up to another one."""


def causes_of(between: Between, taken: Mapping[str, LogEnd], ends: Mapping[str, LogEnd]) -> list[ChangedBy]:
    """What changed the results of a tournament since they were taken; nothing where they never were.

    taken, ends: where its logs ended then, and where they end now.
    """
    told = (
        ChangedBy(
            id=event.id,
            type=event.type,
            time=event.time,
            actor=read_actor(event.actor),
            reason=str(current_data(event).get("reason", "")),
        )
        for source, types in CHANGING.items()
        if source in ends
        for event in between(source, taken[source].position if source in taken else 0, ends[source].position)
        if event.type in types
    )
    return list(islice(told, MOST_REASONS)) if taken else []


def take(state: Tournament, command: TakeResults, context: Context) -> Sequence[Event]:
    """Results that are other ones than those taken before, and the standings where they move by them.

    After the end of the season results are still taken; whether the standings follow, the ruleset says.
    """
    if require_announced(state).status == "cancelled":
        return []
    told = stands(state)
    events: list[Event] = []
    causes: list[StandingsCause] = []
    taken = dict(SEASON.of(state).taken)
    for found in command.found:
        if _is_news(state, found):
            reason = CORRECTED if _known(state, found.tournament) else CONCLUDED
            events += _taken(found, reason, told=told)
            causes.append(StandingsCause(tournament=found.tournament, reason=reason))
            taken[found.tournament] = TakenResults(found.tournament, reason, found.rows, found.heads, found.causes)
    if told:
        return events
    after = SEASON.replaced(state, msgspec.structs.replace(SEASON.of(state), taken=taken))
    return [*events, *_followed(after, causes, context)]


def _taken(found: Found, reason: str, *, told: bool) -> list[Event]:
    """The results of one tournament, page by page."""
    heads = [found.heads[source] for source in sorted(found.heads)]
    pages = paginate(found.rows, size=PAGE_BYTES)
    return [
        SeasonResultsTaken(
            tournament=found.tournament,
            reason=reason,
            page=number,
            pages=len(pages),
            rows=rows,
            heads=heads if number == 1 else [],
            causes=found.causes if number == 1 else [],
            told=told,
        )
        for number, rows in enumerate(pages, start=1)
    ]


def open_part(command: TakeResults, events: Sequence[Mapping[str, Any]]) -> TakeResults:
    """Return the command without results: 10,000 players have 8 MB of them, in the pages of its events."""
    return TakeResults()


def whole(command: TakeResults, events: Sequence[Recorded]) -> TakeResults:
    """Return the command with the results that its events took."""
    pages = [event for event in map(_decoded, events) if isinstance(event, SeasonResultsTaken)]
    found: dict[str, Found] = {}
    for page in pages:
        if page.page == 1:
            heads = {end.source: end for end in page.heads}
            found[page.tournament] = Found(tournament=page.tournament, rows=[], heads=heads, causes=page.causes)
        if page.tournament in found:
            found[page.tournament].rows.extend(page.rows)
    return TakeResults(found=list(found.values()))


def _decoded(event: Recorded) -> Event:
    return read_event(event.type, event.version, event.data)


def stands(state: Tournament) -> bool:
    """Whether the season is over, and its standings stand whatever is corrected."""
    return state.results.concluded and season_of(state.entries).counting.after_end == "told"


def _followed(state: Tournament, causes: Sequence[StandingsCause], context: Context) -> list[Event]:
    """The standings where they move; after the end also divisions and the title."""
    recorded: list[Event] = [*standings_anew(state, causes, context)]
    if recorded and state.results.concluded:
        recorded += end_of(state, SEASON.of(state).moves_named, context.draws, reason=state.results.early)
    return recorded


def _known(state: Tournament, tournament: str) -> TakenResults | None:
    """The results of a tournament as they were taken, or told, last."""
    return SEASON.of(state).told.get(tournament) or SEASON.of(state).taken.get(tournament)


def _is_news(state: Tournament, found: Found) -> bool:
    """Whether results are of a tournament that counts, no older than those taken, and other ones."""
    known = _known(state, found.tournament)
    if found.tournament not in SEASON_ENTRIES.of(state).gathered:
        return False
    if known is None:
        return bool(found.rows)
    older = any(
        found.heads[source].position < end.position for source, end in known.heads.items() if source in found.heads
    )
    return not older and known.rows != found.rows


def standings_anew(
    state: Tournament, causes: Sequence[StandingsCause], context: Context
) -> list[SeasonStandingsRecorded]:
    """The standings, where they are other ones than those recorded last."""
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
    """The standings are final; members go up and down, and the first of the highest division has won.

    Every tournament has to have results, or `reason` says why it ends without them.
    """
    if state.results.concluded:
        return []
    running(state)
    waiting = [
        one.tournament for one in SEASON_ENTRIES.of(state).in_order() if one.tournament not in SEASON.of(state).taken
    ]
    if not SEASON.of(state).taken:
        raise NothingTaken("No tournament of this season has results; cancel it instead.")
    if waiting and not command.reason:
        raise TournamentsOpen(
            f"Tournaments without results: {len(waiting)}; say in `reason` why the season ends without them.",
            tournaments=waiting,
        )
    recorded = standings_anew(state, [], context)
    _, ties = moves_of(state, ())
    _refuse_needless(command.named, ties)
    _, undecided = moves_of(state, command.named)
    _refuse_ties(undecided)
    ended = end_of(state, command.named, context.draws, reason=command.reason if waiting else "")
    return [*recorded, *ended]


def make_cut(state: Tournament, command: MakeFinalCut, context: Context) -> Sequence[Event]:
    """Who is invited to the final, by the standings as they are; again only while nobody has answered."""
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
    recorded = standings_anew(state, [], context)
    table = table_of(state)
    _refuse_needless(command.named, final_cut(rules, table, (), ()).undecided)
    found = final_cut(rules, table, (), command.named)
    _refuse_ties(found.undecided)
    last = SEASON.of(state).table
    number = recorded[0].number if recorded else last.number if last else 0
    made = FinalCutMade(invited=[one.player for one in found.invited], standings=number, named=sorted(command.named))
    if final is not None and (list(final.answers), final.named) == (made.invited, made.named):
        return recorded
    return [*recorded, made]


def accept(state: Tournament, command: AcceptInvitation, context: Context) -> Sequence[Event]:
    """Who was invited will come."""
    final = _invited(state, command.player, context)
    if final.answers[command.player] == DECLINED:
        raise NotInvited(f"{command.player} has declined, and somebody else may be invited instead.")
    if final.answers[command.player] == ACCEPTED:
        return []
    return [InvitationAccepted(player=command.player)]


def decline(state: Tournament, command: DeclineInvitation, context: Context) -> Sequence[Event]:
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
        raise CutMissing("Nobody is invited to a final yet.")
    if not (context.by.staff or context.by.player == player):
        raise NotYourInvitation("Players answer for themselves.")
    if player not in final.answers:
        fault = Fault("/player", player, one_of(list(final.answers)))
        raise NotInvited(f"{player} is not invited.", [fault])
    return final


def _refuse_needless(named: Sequence[str], ties: Sequence[UndecidedTie]) -> None:
    """Raises PlayerUnknown for somebody named who shares no place that staff have to settle."""
    tied = {player for one in ties for player in one.players}
    right = one_of(sorted(tied)) if tied else expects("no-tie-to-settle")
    faults = [Fault(f"/named/{index}", player, right) for index, player in enumerate(named) if player not in tied]
    if faults:
        raise PlayerUnknown("Not all of the players named share a place at a line.", faults)


def _some_named(tie: UndecidedTie) -> Expected:
    """Return the expectation of as many named players of a tie as it has places."""
    if tie.division:
        return expects("named-players-of-division", places=tie.places, what=tie.what, division=tie.division)
    return expects("named-players", places=tie.places, what=tie.what)


def _refuse_ties(undecided: Sequence[UndecidedTie]) -> None:
    """Raises TieUndecided, with every tie that staff have to settle."""
    if undecided:
        ties = [
            {"what": one.what, "division": one.division, "places": one.places, "players": list(one.players)}
            for one in undecided
        ]
        faults = [Fault("/named", ", ".join(one.players), _some_named(one)) for one in undecided]
        raise TieUndecided("Players share the last place above a line; name who goes.", faults, ties=ties)
