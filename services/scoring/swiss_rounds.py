"""Rounds of a Swiss tournament: closing, reopening, publication of held back standings, the end.

The time of a publication is a private row of scoring, so the log does not reveal it early.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from services.scoring import results, swiss_facts
from services.scoring.guards import RoundClosed as RoundIsClosed
from services.scoring.guards import RoundNotBegun, RoundNotClosed, RoundsRemain, round_of, running
from services.scoring.results import CorrectResult
from services.scoring.rounds import (
    CancelStandingsPublication,
    CloseRound,
    Conclude,
    EnterCoin,
    PublishDueStandings,
    PublishStandings,
    ReopenRound,
    SetPartAside,
    conclusion,
    pages_of,
)
from services.scoring.swiss_facts import improbable_facts, possible_facts
from shared.log.event import Actor, Event
from shared.refusals import Fault, Refusal, expects
from shared.swiss.games import ruleset_of
from shared.swiss.ranking import (
    advancing_player,
    as_rows,
    bracket_rounds,
    has_left_bracket,
    is_bracket_decided,
    planned_rounds,
    recompute_standings,
    refuse_misplaced_players,
    standings_of_round,
    unpublished_standings,
    with_recorded_standings,
)
from shared.tournament.format import first_placed
from shared.tournament.games import describe_games
from shared.tournament.guards import STANDINGS, Context, recorded_actor, require_venue
from shared.tournament.parts import describe_parts, has_own_rounds, latest_round_at, select_parts, venues_behind
from shared.tournament.results import (
    CoinEntered,
    PartClosed,
    PartSetAside,
    Recorded,
    Result,
    ResultCorrected,
    RoundClosed,
    RoundReopened,
    StandingRow,
    with_coin,
)
from shared.tournament.rounds import WHOLE, Round, future_time, require_due
from shared.tournament.state import PrivateRow, Tournament

__all__ = ["close", "conclude", "correct", "improbable_facts", "possible_facts", "settle"]


def correct(state: Tournament, command: CorrectResult, context: Context) -> Sequence[Event]:
    """Decide CorrectResult. Refused if another player would advance to a game of the bracket that was played.

    Source: AR-AMB-25, DW-AMB-20.
    """
    return results.correct(swiss_facts, state, command, context)


def settle(state: Tournament, command: Any, events: Sequence[Event], context: Context) -> Sequence[Event]:
    """Record the standings again after a correction in a closed round."""
    corrections = [event for event in events if isinstance(event, ResultCorrected)]
    return [*events, *(page for event in corrections for page in record_again(state, event, context))]


def changed_winners(before: Tournament, after: Tournament) -> Iterator[tuple[Round, str, str]]:
    """Yield (paired bracket round, player who advanced to it, player who would advance) for each difference.

    after: the same tournament with other results.
    """
    rounds = before.rounds.rounds
    for round in bracket_rounds(before):
        following = rounds.get(round.number + 1)
        if following is None:
            continue
        for seat in round.seats.values():
            was, now = advancing_player(before, round.number, seat), advancing_player(after, round.number, seat)
            if was != now:
                yield following, was, now


def refuse_played_on(before: Tournament, after: Tournament) -> None:
    """Raise BracketPlayedOn if another player would advance to a game of the bracket that was played (DW-CUT-3).

    after: the tournament with the correction and the resulting standings.
    """
    for round, was, now in changed_winners(before, after):
        games = [seat.game for seat in round.seats.values() if was and was in seat.players]
        if not games and (not now or has_left_bracket(before, now)):
            continue
        if games and ruleset_of(before.entries).cut.bracket == "reseed":
            games = list(round.seats)
        played = [game for game in games if game in before.results.results]
        if round.number in before.results.closed or played or not games:
            name = before.entries.name_of
            change = f"{name(now) if now else 'no one'} would go on to round {round.number}"
            change += f" instead of {name(was)}" if was else ""
            raise BracketPlayedOn(
                f"With this result {change}: {_way_out(before, round, played or games)}.",
                round=round.number,
                games=played or games,
            )


def _way_out(state: Tournament, round: Round, games: list[str]) -> str:
    """Return what was played in a round, and the steps that staff must take before the correction."""
    number, results, steps = round.number, state.results, []
    fact = f"{' and '.join(games)} {'have' if len(games) > 1 else 'has'} been played" if games else "it is paired"
    if results.concluded:
        return f"{fact}, and the tournament is concluded; what was played in its bracket stays"
    if later := [other for other in sorted(state.rounds.rounds, reverse=True) if other > number]:
        steps += [f"take round {other} back (POST …/rounds/{other}/withdrawal)" for other in later]
    if number in results.closed:
        steps.append(f"open round {number} again (POST …/rounds/{number}/reopening)")
    steps += [f"void {game} (POST …/games/{game}/voiding)" for game in games if game in results.results]
    if not games or not any(game in results.results for game in games):
        steps.append(f"take round {number} back (POST …/rounds/{number}/withdrawal)")
    return f"{fact}. First {', then '.join(steps)}; then correct the result"


ROW = ("standings", "publication")
"""Kind and id of the private row. A tournament has at most one scheduled publication."""


class StandingsPublication(Struct, frozen=True):
    """A scheduled publication of standings.

    base: `Results.published` when it was scheduled. With another base it is void: it was superseded, or restored with
    an older database.
    """

    publish_at: str
    set_by: Actor
    base: int


def publication_of(state: Tournament) -> StandingsPublication | None:
    """Return the valid scheduled publication, or None."""
    row, results = state.private.body(*ROW), state.results
    if not isinstance(row, StandingsPublication) or row.base != results.published or results.concluded:
        return None
    return row


def with_publication(state: Tournament) -> Tournament:
    """Return the state with the time of the scheduled publication, if there is one."""
    scheduled = publication_of(state)
    return replace(state, results=replace(state.results, publish_at=scheduled.publish_at)) if scheduled else state


def complete(state: Tournament, command: PublishDueStandings) -> PublishDueStandings:
    """Return the command with its scheduled time, so that it can be decided from the log alone."""
    scheduled = publication_of(state)
    return replace(command, at=scheduled.publish_at, set_by=scheduled.set_by) if scheduled else command


def holds_back(state: Tournament) -> bool:
    """Return True if standings of newly closed rounds are held back."""
    return STANDINGS in state.entries.on_purpose and not state.results.concluded


def publish(state: Tournament, command: PublishStandings, context: Context) -> Sequence[Event | PrivateRow]:
    """Decide PublishStandings: record the standings of all closed rounds, or schedule that.

    Raises RoundNotClosed, StandingsAlreadyPublished, PublicationPast.
    """
    _require_held_back(state)
    if command.at is None:
        return _publish_now(state)
    at, scheduled = future_time(command.at, context.now), publication_of(state)
    if scheduled and at == scheduled.publish_at:
        return []
    return [_row(StandingsPublication(at, recorded_actor(state, context.by), state.results.published))]


def cancel(state: Tournament, command: CancelStandingsPublication, context: Context) -> Sequence[PrivateRow]:
    """Decide CancelStandingsPublication. Raises RoundNotClosed, StandingsAlreadyPublished."""
    _require_held_back(state)
    return [_row(None)] if publication_of(state) else []


def publish_due(state: Tournament, command: PublishDueStandings, context: Context) -> Sequence[Event | PrivateRow]:
    """Decide PublishDueStandings. Raises RoundNotClosed, StandingsAlreadyPublished, PublicationNotDue."""
    _require_held_back(state)
    require_due(command.at, context.now, "The standings are")
    return _publish_now(state)


def _require_held_back(state: Tournament) -> None:
    """Raise RoundNotClosed or StandingsAlreadyPublished if no standings are held back."""
    running(state)
    last = state.results.rounds_closed()
    if not last:
        raise RoundNotClosed("No round is closed yet.", round=1)
    if not state.results.held_back:
        raise StandingsAlreadyPublished(f"The standings after round {last} are published.", round=last)


def _publish_now(state: Tournament) -> list[Event | PrivateRow]:
    row = [_row(None)] if publication_of(state) else []
    return [*record_held_back(unpublished_standings(state)), *row]


def record_held_back(held_back: Mapping[int, Recorded]) -> list[Event]:
    """Return the events that record held back standings."""
    return [page for standings in held_back.values() for page in pages_of(standings)]


def _row(publication: StandingsPublication | None) -> PrivateRow:
    return PrivateRow(*ROW, publication, publication.publish_at if publication else "")


def close(state: Tournament, command: CloseRound, context: Context) -> Sequence[Event]:
    """Decide CloseRound: close a round, or its part at one venue.

    The last part closes the round and records the standings with the draws that broke ties, unless standings are held
    back. A part that was set aside is closed by name. After its round, this records the standings again.
    Raises RoundUnknown, UnknownVenue, PartUnknown, RoundClosed, RoundNotBegun, GamesOpen, PartNotAside, BracketMovedOn.
    """
    round = round_of(running(state), command.round)
    number, named = round.number, select_parts(state, round, command.venue)
    parts = [part for part in named if not state.results.is_closed(number, part)]
    if not command.venue:
        parts = [part for part in parts if not state.results.is_aside(number, part)]
    elif not parts:
        raise RoundIsClosed(f"Round {number} is closed{describe_parts(round, named)}.", round=number)
    if number in state.results.closed and not parts:
        return []
    if command.without:
        return _close_without(state, round, command, context)
    unstarted = [part for part in parts if round.clock_of(part) is None and _has_games(round, part)]
    if unstarted:
        raise RoundNotBegun(f"Round {number} has not started{describe_parts(round, unstarted)}.", round=number)
    _refuse_open_games(state, round, parts)
    refuse_misplaced_players(state, round)
    return _close_parts(state, round, parts, context)


def _has_games(round: Round, part: str) -> bool:
    return any(seat.kind != "bye" for seat in round.seats_of(part))


def _close_without(state: Tournament, round: Round, command: CloseRound, context: Context) -> list[Event]:
    """Close a part that was set aside without the results that are missing. Raises PartNotAside."""
    number, venue = round.number, command.venue
    if not venue or not state.results.is_aside(number, venue):
        raise PartNotAside(
            f"Round {number} is not set aside{describe_parts(round, [venue])}; a part is closed without results only"
            " if it was set aside before.",
            [Fault("/without", command.without, expects("nothing"))],
            round=number,
        )
    places = {seat.game for seat in round.seats_of(venue)}
    missing = [game for game in state.open_games(number) if game in places]
    decided = PartClosed(
        round=number, venue=venue, games=len(places), missing=missing, reason=command.without if missing else ""
    )
    return _close_parts(state, round, [venue], context, [decided])


def _close_parts(
    state: Tournament, round: Round, parts: Sequence[str], context: Context, closed: Sequence[PartClosed] = ()
) -> list[Event]:
    """Return the events that close these parts, and the round with its standings if they are the last.

    closed: the closing of parts whose games have no result; by default all games have.
    """
    number, results = round.number, state.results
    named = [part for part in parts if part]
    closings = list(closed) or [PartClosed(round=number, venue=part, games=len(round.seats_of(part))) for part in named]
    if number in results.closed:  # these parts were set aside
        return [
            *closings,
            *_record_from(state, number, {number for number in results.closed if number >= round.number}),
        ]
    others = [part for part in round.parts if part not in parts and not results.is_closed(number, part)]
    waiting = [part for part in others if not results.is_aside(number, part)]
    if waiting or venues_behind(state, number):
        return list(closings)
    last = [part for part in parts if part not in {closing.venue for closing in closed}]
    several = len(round.parts) > 1 or has_own_rounds(state)
    return [*closed, *_close_round(state, round, last if several else [], context)]


def _close_round(state: Tournament, round: Round, venues: Sequence[str], context: Context) -> list[Event]:
    """Return the events that close a round and record its standings, unless they are held back."""
    closed = RoundClosed(round=round.number, games=len(round.seats), venues=[venue for venue in venues if venue])
    seed = context.draws.answer(f"lot: standings, {round.number}")
    if holds_back(state):
        return [replace(closed, seed=seed)]
    unpublished = unpublished_standings(state)  # this tournament no longer holds standings back
    current = _record_standings(with_recorded_standings(state, unpublished), round.number, seed)
    return [*record_held_back(unpublished), *current, closed]


def _record_from(state: Tournament, number: int, closed: Collection[int]) -> list[Event]:
    """Return the standings of these closed rounds, recorded again; held back ones are not recorded."""
    recomputed = recompute_standings(state, {one: state.results.seed_of(one) for one in closed})
    held_back = state.results.held_back
    return [page for one, standings in recomputed.items() if one not in held_back for page in pages_of(standings)]


def set_aside(state: Tournament, command: SetPartAside, context: Context) -> Sequence[Event]:
    """Decide SetPartAside. If all other parts are closed, the round closes without this one.

    Raises RoundUnknown, UnknownVenue, PartUnknown, RoundClosed, PartStays.
    """
    round = round_of(running(state), command.round)
    number, venue = round.number, command.venue
    require_venue(state.entries, venue)
    if venue not in venues_behind(state, number):
        select_parts(state, round, venue)
    if state.results.is_aside(number, venue):
        return []
    if state.results.is_closed(number, venue):
        raise RoundIsClosed(f"Round {number} is closed{describe_parts(round, [venue])}.", round=number)
    others = [part for part in (*round.parts, *venues_behind(state, number)) if part != venue]
    if not others or round.stage == "elimination":
        cause = "has no other part" if not others else "is of the bracket, where every game decides who goes on"
        raise PartStays(f"Round {number} {cause}.", round=number)
    aside = PartSetAside(round=number, venue=venue, reason=command.reason)
    after = replace(
        state,
        results=replace(
            state.results,
            aside={**state.results.aside, number: {**state.results.aside.get(number, {}), venue: command.reason}},
        ),
    )
    is_last = all(after.results.is_aside(number, part) or after.results.is_closed(number, part) for part in round.parts)
    is_played = any(after.results.is_closed(number, part) for part in round.parts)
    if is_last and is_played and not venues_behind(after, number):
        return [aside, *_close_round(after, round, [], context)]
    return [aside]


def _refuse_open_games(state: Tournament, round: Round, parts: Sequence[str]) -> None:
    """Raise GamesOpen if a game of these parts has no result that counts, or an open appeal."""
    results, games = state.results.results, [seat.game for part in parts for seat in round.seats_of(part)]
    unsettled = set(state.open_games(round.number))
    waiting = [game for game in games if game in unsettled]
    waiting += [game for game in games if (result := results.get(game)) is not None and result.appealed]
    if waiting:
        count = f"{len(waiting)} open game{'s' if len(waiting) > 1 else ''}"
        places = dict.fromkeys(round.seats[game].venue for game in waiting)
        raise GamesOpen(
            f"Round {round.number} has {count}{describe_parts(round, places)}: {describe_games(state, waiting)}.",
            games=waiting,
        )


def _record_standings(state: Tournament, number: int, seed: str) -> list[Event]:
    """Return the events that record the standings after one round."""
    return pages_of(recompute_standings(state, {number: seed})[number])


def record_again(state: Tournament, corrected: ResultCorrected, context: Context) -> list[Event]:
    """Return the standings of all closed rounds from the corrected one on, and the new winner if it changes.

    Held back standings are not recorded. Raises BracketPlayedOn.
    """
    closed = [number for number in sorted(state.results.closed) if number >= corrected.round]
    if not closed:
        return []
    results, held_back = dict(state.results.results), state.results.held_back
    results[corrected.game] = Result(corrected.round, corrected.game, corrected.facts, "corrected")
    after = replace(state, results=replace(state.results, results=results))
    recomputed = recompute_standings(after, {number: state.results.seed_of(number) for number in closed})
    refuse_played_on(state, with_recorded_standings(after, recomputed))
    events = [
        page for number, standings in recomputed.items() if number not in held_back for page in pages_of(standings)
    ]
    if state.results.concluded:
        first = first_placed(recomputed[closed[-1]].rows)
        if state.results.winner not in (first or [""]):
            events.append(conclusion(first, closed[-1], context.draws, state.results.early_reason))
    return events


def reopen(state: Tournament, command: ReopenRound, context: Context) -> Sequence[Event]:
    """Decide ReopenRound. Raises UnknownVenue, PartUnknown, RoundNotClosed, LaterRoundPaired."""
    running(state)
    round = round_of(state, command.round)
    named = select_parts(state, round, command.venue)
    is_closed = (
        state.results.is_closed(round.number, named[0])
        if command.venue
        else bool(round.number in state.results.closed or state.results.closed_parts.get(round.number))
    )
    if not is_closed:
        where = describe_parts(round, [command.venue])
        raise RoundNotClosed(f"Round {round.number} is not closed{where}.", round=round.number)
    latest = state.rounds.latest()
    later = max(latest_round_at(state.rounds, part) for part in named)
    if round.number in state.results.closed and latest is not None:
        later = latest.number
    if later > round.number:
        raise LaterRoundPaired(f"Round {later} has been paired since; correct the result instead.")
    venue = command.venue if command.venue in state.results.closed_parts.get(round.number, {}) else WHOLE
    return [RoundReopened(round=round.number, reason=command.reason, venue=venue)]


def conclude(state: Tournament, command: Conclude, context: Context) -> Sequence[Event]:
    """Decide Conclude: after the last planned round, or earlier with a reason (AR-TB-5).

    Raises RoundNotClosed, RoundsRemain, BracketMovedOn.
    """
    if state.results.concluded:
        return []
    running(state)
    latest = state.rounds.latest()
    if latest is None:
        raise RoundNotClosed("No round was played; cancel the tournament instead.", round=1)
    refuse_open_parts(state)
    if latest.number not in state.results.closed:
        raise RoundNotClosed(f"Round {latest.number} is not closed.", round=latest.number)
    for round in bracket_rounds(state):
        refuse_misplaced_players(state, round)
    planned, held_back = planned_rounds(state), unpublished_standings(state)
    state = with_recorded_standings(state, held_back)
    decided = is_bracket_decided(state, latest.number, state.results.seed_of(latest.number))
    early = planned is None or (latest.number < planned and not decided)
    if planned is not None and early and not command.reason:
        raise RoundsRemain(
            f"{latest.number} of {planned} rounds are closed; say in `reason` why it ends here.",
            planned=planned,
            closed=latest.number,
        )
    events, rows = _final_standings(state, latest.number)
    return [
        *record_held_back(held_back),
        *events,
        conclusion(first_placed(rows), latest.number, context.draws, command.reason if early else ""),
    ]


def refuse_open_parts(state: Tournament) -> None:
    """Raise RoundNotClosed with every part of a round that is not closed, also those that were set aside."""
    open_parts = {
        number: [
            *(part for part in round.parts if not state.results.is_closed(number, part)),
            *venues_behind(state, number),
        ]
        for number, round in state.rounds.rounds.items()
    }
    described = [
        f"round {number} at {', '.join(filter(None, parts))}" for number, parts in open_parts.items() if any(parts)
    ]
    if described:
        number = next(number for number, parts in open_parts.items() if any(parts))
        venues = [venue for parts in open_parts.values() for venue in parts if venue]
        raise RoundNotClosed(
            f"These parts are not closed: {'; '.join(described)}.", round=number, venues=list(dict.fromkeys(venues))
        )


def _final_standings(state: Tournament, number: int) -> tuple[list[Event], list[StandingRow]]:
    """Return the events and rows of the final standings. Recorded again if a player has left since (AR-AMB-16)."""
    recorded = state.results.recorded[number]
    if as_rows(standings_of_round(state, number, recorded.seed)) == recorded.rows:
        return [], recorded.rows
    standings = recompute_standings(state, {number: recorded.seed})[number]
    return pages_of(standings), standings.rows


def enter_coin(state: Tournament, command: EnterCoin, context: Context) -> Sequence[Event]:
    """Decide EnterCoin and record the standings again (FF-AMB-3).

    Raises CoinNotOffered, RoundNotClosed, LaterRoundPaired, NotTied.
    """
    round = round_of(running(state), command.round)
    standings = ruleset_of(state.entries).standings
    if not standings.by_hand:
        raise CoinNotOffered("This ruleset draws every tie; nobody flips a coin.")
    if round.number not in state.results.closed:
        raise RoundNotClosed(f"Round {round.number} is not closed; who is tied may change.", round=round.number)
    latest = state.rounds.latest()
    if latest is not None and latest.number > round.number:
        raise LaterRoundPaired(f"Round {latest.number} was paired from these standings.")
    seed = state.results.seed_of(round.number)
    groups = [draw.group for draw in standings_of_round(state, round.number, seed).draws]
    if tuple(sorted(command.order)) not in groups:
        tied = [expects("group-of-players", players=list(group)) for group in groups]
        expected = expects("tied-players", groups=tied) if tied else expects("nobody-tied")
        fault = Fault("/order", ", ".join(command.order), expected, standings.cites("by_hand"))
        raise NotTied(f"These players are not the tied ones after round {round.number}.", [fault])
    entered = CoinEntered(round=round.number, order=command.order, reason=command.reason)
    if round.number in state.results.held_back:
        return [entered]
    after = replace(state, results=replace(state.results, coins=with_coin(state.results.coins, entered)))
    return [entered, *_record_standings(after, round.number, seed)]


class GamesOpen(Refusal):
    """Games of the round have no binding result or an open appeal; data: `games`."""

    code = "games-open"


class PartNotAside(Refusal):
    """The part was not set aside, so it is closed with all its results; data: `round`."""

    code = "part-not-aside"


class PartStays(Refusal):
    """The part cannot be set aside; data: `round`."""

    code = "part-stays"


class LaterRoundPaired(Refusal):
    """A later round was paired from these standings."""

    code = "later-round-paired"


class BracketPlayedOn(Refusal):
    """Another player would advance, but later games of the bracket were played; data: `round`, `games`."""

    code = "bracket-played-on"


class CoinNotOffered(Refusal):
    """The ruleset breaks all ties by recorded draws."""

    code = "coin-not-offered"


class NotTied(Refusal):
    """The named players are not a group that only a draw separates."""

    code = "not-tied"


class StandingsAlreadyPublished(Refusal):
    """No standings are held back; data: `round`, the last closed round."""

    code = "standings-already-published"
