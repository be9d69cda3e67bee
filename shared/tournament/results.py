"""Results: the events of scoring and their slice of the state, with rulings, standings, awards and the conclusion."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Literal

from msgspec import Struct, field

from shared.log.event import Actor, Event, Part, StoredEvent, read_actor, shared_link_holder
from shared.rules.model import NOBODY_WON
from shared.tournament.rounds import DrawMade, Round


class ResultReported(Event, frozen=True, kw_only=True):
    """A player or a member of staff reported the result of a game. It does not count until it is confirmed or ruled.

    - `round`: number of the round.
    - `game`: id of the game.
    - `facts`: the reported facts, as defined by the result form of the ruleset.
    - `side`: 1 or 2 for the player who reported; 0 for staff.
    - `improbable`: true if Muster questioned the facts as improbable and the reporter insisted.
    """

    round: int
    game: str
    facts: dict[str, Any]
    side: int = 0
    improbable: bool = False


class ReportChanged(ResultReported, frozen=True, kw_only=True):
    """The side that reported a result replaced its report before the opponent or staff answered.

    It has all effects of ResultReported. Only the new report can be confirmed.
    """


class ResultConfirmed(Event, frozen=True, kw_only=True):
    """The opponent or staff confirmed a reported result. It counts from now on.

    - `round`, `game`: number of the round and id of the game.
    - `side`: 1 or 2 for the player who confirmed; 0 for staff.
    """

    round: int
    game: str
    side: int = 0


class ResultDisputed(Event, frozen=True, kw_only=True):
    """A player disputed a reported result. A referee has to rule.

    - `round`, `game`: number of the round and id of the game.
    - `side`: 1 or 2, the player who disputes.
    - `reason`: free text.
    - `facts`: the facts according to this player; absent if not given.
    - `improbable`: as in ResultReported, for these facts.
    """

    round: int
    game: str
    side: int
    reason: str
    facts: dict[str, Any] | None = None
    improbable: bool = False


class ResultRuled(Event, frozen=True, kw_only=True):
    """A referee ruled what the result of a game is.

    - `round`, `game`: number of the round and id of the game.
    - `facts`: the facts of the result.
    - `level`: `referee` or `head_referee`. The ruling of a head referee is final.
    - `reason`: free text.
    - `clause`: id of the clause in the rules document; may be empty.
    - `improbable`: as in ResultReported.
    """

    round: int
    game: str
    facts: dict[str, Any]
    level: str
    reason: str
    clause: str = ""
    improbable: bool = False


class RulingAppealed(Event, frozen=True, kw_only=True):
    """A player appealed a referee's ruling to the head referee. The ruling counts until they decide.

    - `round`, `game`: number of the round and id of the game.
    - `side`: 1 or 2, the player who appeals.
    - `reason`: free text.
    """

    round: int
    game: str
    side: int
    reason: str


class AppealRejected(Event, frozen=True, kw_only=True):
    """The head referee rejected an appeal. The ruling is final.

    - `round`, `game`: number of the round and id of the game.
    - `reason`: free text.
    """

    round: int
    game: str
    reason: str


class ResultCorrected(Event, frozen=True, kw_only=True):
    """A result that counted was replaced. The standings change accordingly.

    Later Swiss pairings stay. In a bracket, the next game is paired again if another player advances.

    - `round`, `game`: number of the round and id of the game.
    - `facts`: the facts of the new result.
    - `reason`: free text.
    - `improbable`: as in ResultReported.
    """

    round: int
    game: str
    facts: dict[str, Any]
    reason: str
    improbable: bool = False


class RulingOverridden(ResultCorrected, frozen=True, kw_only=True):
    """An organiser replaced the result of a ruling.

    It has all effects of ResultCorrected. The new result is final if the ruling was. Otherwise it can be appealed.
    """


class ResultVoided(Event, frozen=True, kw_only=True):
    """A result reported by mistake was removed. The game is open again.

    - `round`, `game`: number of the round and id of the game.
    - `reason`: free text.
    """

    round: int
    game: str
    reason: str


class StandingRow(Part, frozen=True, kw_only=True):
    """One row of standings.

    - `rank`: rank of the player, from 1.
    - `player`: id of the player.
    - `values`: value of each column of the ruleset: whole numbers, or exact fractions as `"p/q"`.
    - `tied`: true if only a recorded draw separates the player from a neighbour.
    - `status`: `active`, `dropped` or `disqualified`.
    """

    rank: int
    player: str
    values: dict[str, int | str]
    tied: bool = False
    status: str = "active"


class StandingsRecorded(Event, frozen=True, kw_only=True):
    """One page of the standings after a round was recorded as computed. The pages are appended together.

    Standings that are published on purpose are recorded when they are published.

    - `round`: number of the round.
    - `page`, `pages`: number of this page, from 1, and number of all pages.
    - `rows`: the rows of this page, in rank order.
    - `seed`: seed of the draws, 64 hex digits; empty if the format draws nothing.
    - `draws`: this page's share of the draws that broke ties.
    """

    round: int
    page: int
    pages: int
    rows: list[StandingRow]
    seed: str = ""
    draws: list[DrawMade] = []


class CoinEntered(Event, frozen=True, kw_only=True):
    """Staff recorded a coin flip between tied players. The standings of the round change accordingly.

    - `round`: number of the closed round.
    - `order`: ids of the tied players in their new order.
    - `reason`: free text; may be empty.
    """

    round: int
    order: list[str]
    reason: str = ""


class PartClosed(Event, frozen=True, kw_only=True):
    """The part of a round at one venue was closed while others are still played. RoundClosed closes the last parts.

    A part that was set aside is closed after its round; the standings are then recorded again.

    - `round`, `venue`: number of the round and id of the venue.
    - `games`: number of pairings of the part, including byes.
    - `missing`: ids of the games that staff closed without a result; none of them counts for anybody.
    - `reason`: why they were closed without a result; empty if nothing is missing.
    """

    round: int
    venue: str
    games: int
    missing: list[str] = field(default_factory=list)
    reason: str = ""


class PartSetAside(Event, frozen=True, kw_only=True):
    """Staff set the part of a round at one venue aside, because the venue cannot be reached.

    Its games stay open, and results are accepted. The round closes and the others go on without it; the standings are
    provisional until the part is closed.

    - `round`, `venue`: number of the round and id of the venue.
    - `reason`: free text.
    """

    round: int
    venue: str
    reason: str


class RoundClosed(Event, frozen=True, kw_only=True):
    """A round was closed: each of its games has a result that counts.

    - `round`: number of the round.
    - `games`: number of pairings in the round, including byes.
    - `seed`: seed for the ties of standings that are published later; empty if they are recorded now.
    - `venues`: ids of the venues whose parts were closed now; empty for a round of a single part.
    """

    ends_secret: ClassVar[bool] = True

    round: int
    games: int
    seed: str = ""
    venues: list[str] = field(default_factory=list)


class RoundReopened(Event, frozen=True, kw_only=True):
    """The last closed round, or its part at one venue, was reopened because a result has to be entered again.

    - `round`: number of the round.
    - `reason`: free text.
    - `venue`: id of the venue whose part was reopened; empty for the whole round.
    """

    round: int
    reason: str
    venue: str = ""


class AwardGiven(Event, frozen=True, kw_only=True):
    """An award was given to a player. Awards never change a rank.

    - `award`: id of the award.
    - `name`: display name of the award.
    - `player`: id of the player.
    - `reason`: free text; may be empty.
    """

    award: str
    name: str
    player: str
    reason: str = ""


class AwardWithdrawn(Event, frozen=True, kw_only=True):
    """An award was withdrawn.

    - `award`: id of the award.
    - `reason`: free text.
    """

    award: str
    reason: str


class TournamentConcluded(Event, frozen=True, kw_only=True):
    """The tournament was concluded and its standings are final.

    A correction that changes the winner appends this event again.

    - `winner`: id of the winner; empty in a co-op event, or if no player is left in the standings.
    - `rounds`: number of rounds played; in a season, number of tournaments counted.
    - `reason`: why the tournament ended early; empty if it did not.
    - `draws`: the draw for the title, if several players shared the first place.
    """

    ends_draws: ClassVar[bool] = True

    winner: str
    rounds: int
    reason: str = ""
    draws: list[DrawMade] = []


ResultStatus = Literal["reported", "disputed", "confirmed", "ruled", "corrected"]


class Contest(Struct, frozen=True, gc=False):
    """A pending request for a referee's decision.

    - `kind`: `dispute` or `appeal`.
    - `side`: number of the side that requested it, from 1.
    - `at`: time of the first request.
    """

    kind: str
    side: int
    reason: str
    at: str


class Result(Struct, gc=False):
    """The current result of one game.

    - `status`: the last three of `reported`, `disputed`, `confirmed`, `ruled` and `corrected` count in standings.
    - `side`: side that reported (1 or 2), 0 for staff.
    - `level`: level of the latest ruling: `referee`, `head_referee`, or `organiser` if it overrides a head referee.
    - `appealed`: True while the head referee has to decide.
    - `counter`: the facts according to the player who disputes.
    - `changed`: position of the latest event about the game.
    - `improbable`, `counter_improbable`: the reporter (or disputer) insisted on facts that were questioned as
      improbable.
    - `final_by`: role of the person who gave a final ruling.
    - `ruled_by`: actor of the latest ruling or correction; None if there is none.
    - `reporter`: actor of the report.
    - `both_links_of`: the person who received the links through which both sides acted, at least one of them on
      request; empty if no one did.
    - `contest`: the pending dispute or appeal, if any.
    - `first_reported_at`: time of the first report or ruling. Corrections do not change it.
    - `report`: position of the report, as far as the result is one: the latest change of it counts. 0: no report.
    - `report_changed`: True if the report was changed since it was made.
    """

    round: int
    game: str
    facts: dict[str, Any]
    status: ResultStatus = "reported"
    side: int = 0
    level: str = ""
    appealed: bool = False
    counter: dict[str, Any] | None = None
    changed: int = 0
    improbable: bool = False
    counter_improbable: bool = False
    final_by: str = ""
    ruled_by: Actor | None = None
    reporter: Actor | None = None
    both_links_of: str = ""
    contest: Contest | None = None
    first_reported_at: str = ""
    report: int = 0
    report_changed: bool = False

    @property
    def binds(self) -> bool:
        """True if standings count this result."""
        return self.status in BINDING


BINDING = ("confirmed", "ruled", "corrected")


class Recorded(Struct, gc=False):
    """The standings after a round as recorded last.

    - `rows`: in rank order.
    - `seed`, `draws`: broke the ties.
    - `position`: position of the last page. Standings that were held back keep their position in `HeldBack`.
    """

    round: int
    rows: list[StandingRow]
    seed: str
    draws: list[DrawMade]
    position: int = 0


class HeldBack(Struct, gc=False):
    """The unpublished standings after a closed round. They are computed when needed.

    - `seed`: seed of their tie draws.
    - `position`: position of the event that changed them last: the closing, a correction or a coin.
    """

    seed: str
    position: int


class Award(Struct, gc=False):
    """An award. It does not affect the standings."""

    id: str
    name: str
    player: str
    reason: str = ""
    changed: int = 0


class Results(Struct):
    """The fold of scoring's log.

    - `results`: result by game, in the order of the latest change. Readers find news at the end.
    - `recorded`: complete standings by round.
    - `incomplete`: recorded standings whose last page has not been read yet.
    - `held_back`: unpublished standings by closed round.
    - `coins`: orders of tied players entered by staff, by round, the latest first.
    - `absences`: sides (1, 2) that did not come, by game.
    - `closed`: position of the closing, by round.
    - `closed_parts`: position of the closing of each part, by round and venue.
    - `missing`: games of parts that were closed without their results -> position of the closing.
    - `aside`: reason for setting a part aside, by round and venue; parts that were closed since are not included.
    - `awarded`: number of awards ever given.
    - `early_reason`: reason of an early conclusion.
    - `published`: position at which standings that were held back were recorded last.
    - `publish_at`: time at which the standings now held back are due to be published. Set only in a state with drafts;
      no event contains it.
    - `voided`, `reopened`: position of the latest voiding by game, and of the latest reopening by round.
    """

    results: dict[str, Result] = field(default_factory=dict)
    recorded: dict[int, Recorded] = field(default_factory=dict)
    incomplete: Recorded | None = None
    held_back: dict[int, HeldBack] = field(default_factory=dict)
    coins: dict[int, list[DrawMade]] = field(default_factory=dict)
    absences: dict[str, tuple[int, ...]] = field(default_factory=dict)
    closed: dict[int, int] = field(default_factory=dict)
    closed_parts: dict[int, dict[str, int]] = field(default_factory=dict)
    missing: dict[str, int] = field(default_factory=dict)
    aside: dict[int, dict[str, str]] = field(default_factory=dict)
    awards: dict[str, Award] = field(default_factory=dict)
    awarded: int = 0
    winner: str = ""
    early_reason: str = ""
    concluded: bool = False
    concluded_on: str = ""
    published: int = 0
    publish_at: str = ""
    voided: dict[str, int] = field(default_factory=dict)
    reopened: dict[int, int] = field(default_factory=dict)

    def is_closed(self, number: int, venue: str) -> bool:
        """Return True if a round, or its part at a venue, is closed."""
        if self.is_aside(number, venue):
            return False
        return number in self.closed or venue in self.closed_parts.get(number, {})

    def is_aside(self, number: int, venue: str) -> bool:
        """Return True if the part of a round at a venue is set aside."""
        return venue in self.aside.get(number, {})

    def closed_at(self, number: int, venue: str) -> int:
        """Return the position of the event that closed a round at a venue; 0 if it is not closed."""
        own = self.closed_parts.get(number, {}).get(venue, 0)
        return own or (self.closed.get(number, 0) if self.is_closed(number, venue) else 0)

    def changed_at(self, game: str) -> int:
        """Return the position of the last event about the result of a game; 0 for none."""
        result = self.results.get(game)
        return max(result.changed if result else 0, self.voided.get(game, 0))

    def round_changed_at(self, number: int, round: Round | None) -> int:
        """Return the position of the last event about a round, its games, or its standings; 0 for none."""
        own = (self.closed.get(number, 0), self.reopened.get(number, 0), self.standings_changed_at(number))
        parts = self.closed_parts.get(number, {}).values()
        return max(*own, *parts, *map(self.changed_at, round.seats if round else ()))

    def standings_changed_at(self, number: int) -> int:
        """Return the position of the event that changed the standings of a closed round last; 0 for an open round."""
        standings = self.recorded.get(number) or self.held_back.get(number)
        return standings.position if standings else 0

    def seed_of(self, number: int) -> str:
        """Return the seed for ties in the standings of a closed round; empty for an open round."""
        standings = self.recorded.get(number) or self.held_back.get(number)
        return standings.seed if standings else ""

    def rounds_closed(self) -> int:
        """Return the number of the last closed round; 0 if none is closed."""
        return max(self.closed, default=0)


def with_coin(coins: Mapping[int, list[DrawMade]], entered: CoinEntered) -> dict[int, list[DrawMade]]:
    """Return the coins of every round with one more, placed before the earlier ones. A coin has no seed."""
    draw = DrawMade(purpose="standings", round=entered.round, order=entered.order, seed="")
    return {**coins, entered.round: [draw, *coins.get(entered.round, [])]}


def _note_absence(results: Results, game: str, facts: Mapping[str, Any]) -> None:
    kind = facts.get("kind")
    if kind in ("no_show", "forfeit"):
        results.absences[game] = (facts["conceded_by"],)
    elif kind in NOBODY_WON:
        results.absences[game] = (1, 2)
    else:
        results.absences.pop(game, None)


def _put_last(results: Results, result: Result) -> None:
    results.results.pop(result.game, None)
    results.results[result.game] = result


def _reported(results: Results, event: ResultReported, stored: StoredEvent) -> None:
    _note_absence(results, event.game, event.facts)
    _put_last(
        results,
        Result(
            event.round,
            event.game,
            event.facts,
            side=event.side,
            changed=stored.position,
            improbable=event.improbable,
            reporter=read_actor(stored.actor),
            first_reported_at=known.first_reported_at if (known := results.results.get(event.game)) else stored.time,
            report=stored.position,
            report_changed=isinstance(event, ReportChanged),
        ),
    )


def _confirmed(results: Results, event: ResultConfirmed, stored: StoredEvent) -> None:
    result = results.results[event.game]
    result.status, result.changed = "confirmed", stored.position
    if event.side and result.reporter:
        result.both_links_of = shared_link_holder(result.reporter, read_actor(stored.actor))
    _put_last(results, result)


def _disputed(results: Results, event: ResultDisputed, stored: StoredEvent) -> None:
    result = results.results[event.game]
    result.status, result.counter, result.changed = "disputed", event.facts, stored.position
    result.counter_improbable = event.improbable
    since = result.contest.at if result.contest else stored.time  # a repeated dispute waits since the first one
    result.contest = Contest("dispute", event.side, event.reason, since)
    _put_last(results, result)


def _settled(status: ResultStatus) -> Callable[[Results, Any, StoredEvent], None]:
    def settle(results: Results, event: ResultRuled | ResultCorrected, stored: StoredEvent) -> None:
        _note_absence(results, event.game, event.facts)
        known, actor = results.results.get(event.game), read_actor(stored.actor)
        final_by: str = actor.role
        if isinstance(event, ResultRuled):
            level = event.level
        elif known and isinstance(event, RulingOverridden) and known.level in ("head_referee", "organiser"):
            level = "organiser"
        elif known and known.appealed:  # only the head referee corrects an appealed result
            level = "head_referee"
        else:
            level, final_by = (known.level, known.final_by) if known else ("", "")
        _put_last(
            results,
            Result(
                event.round,
                event.game,
                event.facts,
                status,
                level=level,
                final_by=final_by,
                ruled_by=actor,
                changed=stored.position,
                improbable=event.improbable,
                first_reported_at=known.first_reported_at if known else stored.time,
            ),
        )
        if status == "corrected":
            _move_held_back(results, event.round, stored)

    return settle


def _move_held_back(results: Results, round: int, stored: StoredEvent) -> None:
    for number, held in results.held_back.items():
        if number >= round:
            held.position = stored.position


def _appealed(results: Results, event: RulingAppealed, stored: StoredEvent) -> None:
    result = results.results[event.game]
    result.appealed, result.changed = True, stored.position
    result.contest = Contest("appeal", event.side, event.reason, stored.time)
    _put_last(results, result)


def _appeal_rejected(results: Results, event: AppealRejected, stored: StoredEvent) -> None:
    result = results.results[event.game]
    result.appealed, result.level, result.changed = False, "head_referee", stored.position
    result.contest = None
    result.ruled_by = read_actor(stored.actor)
    result.final_by = result.ruled_by.role
    _put_last(results, result)


def _voided(results: Results, event: ResultVoided, stored: StoredEvent) -> None:
    del results.results[event.game]
    results.absences.pop(event.game, None)
    results.voided[event.game] = stored.position


def _standings(results: Results, event: StandingsRecorded, stored: StoredEvent) -> None:
    """Collect pages of standings. The earlier standings stay in force until all pages have arrived."""
    if event.page == 1:
        results.incomplete = Recorded(event.round, [], event.seed, [])
    incomplete = results.incomplete
    if incomplete is None:
        raise KeyError(f"page {event.page} of standings without its first")
    incomplete.rows.extend(event.rows)
    incomplete.draws.extend(event.draws)
    incomplete.position = stored.position
    if event.page == event.pages:
        results.recorded[event.round], results.incomplete = incomplete, None
        if held := results.held_back.pop(event.round, None):
            incomplete.position, results.published = held.position, stored.position


def _part_closed(results: Results, event: PartClosed, stored: StoredEvent) -> None:
    results.closed_parts.setdefault(event.round, {})[event.venue] = stored.position
    results.missing |= dict.fromkeys(event.missing, stored.position)
    _end_aside(results, event.round, event.venue)
    if event.round in results.closed:
        _move_held_back(results, event.round, stored)


def _end_aside(results: Results, number: int, venue: str) -> None:
    aside = results.aside.get(number, {})
    if aside.pop(venue, None) is not None and not aside:
        del results.aside[number]


def _set_aside(results: Results, event: PartSetAside, stored: StoredEvent) -> None:
    results.aside.setdefault(event.round, {})[event.venue] = event.reason


def _closed(results: Results, event: RoundClosed, stored: StoredEvent) -> None:
    results.closed[event.round] = stored.position
    if event.venues:
        results.closed_parts.setdefault(event.round, {}).update(dict.fromkeys(event.venues, stored.position))
    for venue in event.venues:
        _end_aside(results, event.round, venue)
    if event.seed:
        results.held_back[event.round] = HeldBack(event.seed, stored.position)


def _reopened(results: Results, event: RoundReopened, stored: StoredEvent) -> None:
    results.closed.pop(event.round, None)
    prefix = f"r{event.round}g"
    results.missing = {game: at for game, at in results.missing.items() if not game.startswith(prefix)}
    if event.venue:
        del results.closed_parts[event.round][event.venue]
    else:
        results.closed_parts.pop(event.round, None)
    results.recorded.pop(event.round, None)
    results.held_back.pop(event.round, None)
    results.coins.pop(event.round, None)
    results.reopened[event.round] = stored.position


def _coin(results: Results, event: CoinEntered, stored: StoredEvent) -> None:
    results.coins = with_coin(results.coins, event)
    _move_held_back(results, event.round, stored)


def _award(results: Results, event: AwardGiven, stored: StoredEvent) -> None:
    results.awards[event.award] = Award(event.award, event.name, event.player, event.reason, stored.position)
    results.awarded += 1


def _award_withdrawn(results: Results, event: AwardWithdrawn, stored: StoredEvent) -> None:
    del results.awards[event.award]


def _concluded(results: Results, event: TournamentConcluded, stored: StoredEvent) -> None:
    results.concluded, results.winner, results.early_reason = True, event.winner, event.reason
    results.concluded_on = stored.time[:10]


EVOLVE: Mapping[type[Event], Callable[[Results, Any, StoredEvent], None]] = MappingProxyType(
    {
        ResultReported: _reported,
        ReportChanged: _reported,
        ResultConfirmed: _confirmed,
        ResultDisputed: _disputed,
        ResultRuled: _settled("ruled"),
        RulingAppealed: _appealed,
        AppealRejected: _appeal_rejected,
        ResultCorrected: _settled("corrected"),
        RulingOverridden: _settled("corrected"),
        ResultVoided: _voided,
        StandingsRecorded: _standings,
        PartClosed: _part_closed,
        PartSetAside: _set_aside,
        RoundClosed: _closed,
        RoundReopened: _reopened,
        CoinEntered: _coin,
        AwardGiven: _award,
        AwardWithdrawn: _award_withdrawn,
        TournamentConcluded: _concluded,
    }
)
"""Event type -> the function that applies it. The catalogue of events is built from these rows."""
