"""Pairing of a Swiss round: pairings with their reasons, the spare player, and given byes.

Players are paired from the top. So a player who stands between two opponents does not play, was paired with a higher
player, has met the higher of the two, or could not be paired with them because of the players below.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from fractions import Fraction
from itertools import groupby

from msgspec import Struct, structs
from msgspec.structs import replace

from shared.refusals import Fault, display_text, expects, one_of
from shared.rules import pairing
from shared.rules.matching import FIRST_MEETING, Groups, Met, Pair, RematchCost, cost_of, meetings, rematch_text
from shared.rules.model import (
    GIVEN,
    Draw,
    Entrant,
    Game,
    GivenBye,
    Pairing,
    PairingKind,
    TooFewPlayers,
    as_json,
    draw_order,
    make_draw,
)
from shared.rules.pairing import Candidate, with_fewest_byes
from shared.rules.tiebreakers import totals
from shared.swiss import registries
from shared.swiss.game_parts import ByeWorth
from shared.swiss.registries import PairingPolicy
from shared.swiss.rounds import pairings_by_table
from shared.swiss.ruleset import Ruleset
from shared.swiss.standings import Row, Standings, counted_records, rank

NAMED = 4
"""Number of players between two opponents that a reason names. The others are counted."""


class SpecialPlayers(Struct, frozen=True):
    """Players who are not paired in the ordinary way. Empty texts mean no one.

    - `bye`: the player with the bye.
    - `meets_spare`: the opponent of the spare player.
    - `stands_in`: the dropped player in whose place the spare player is paired.
    - `met`: opponents of the spare player, if one stands in.
    """

    bye: str = ""
    meets_spare: str = ""
    stands_in: str = ""
    met: Mapping[str, RematchCost] = {}


class Reasons:
    """The reasons of the pairs of a round that follows the standings."""

    def __init__(
        self,
        rows: Sequence[Row],
        playing: Sequence[str],
        pairs: Sequence[Pair],
        met: Met,
        avoid: Met,
        around: SpecialPlayers,
        moved: Mapping[str, str],
    ) -> None:
        """Prepare the reasons of a round.

        - `rows`: the standings.
        - `playing`: players to pair, best first; late entries are not in `rows`.
        - `avoid`: pairs to avoid, including those who have met.
        - `moved`: player who was moved down -> the earlier opponent who caused it.
        """
        listed = [row.player for row in rows]
        known = set(listed)
        self._list = [*listed, *(player for player in playing if player not in known)]
        self._place = {player: place for place, player in enumerate(self._list)}
        self._listed = len(listed)
        self._gaps = _rank_gaps(rows)
        self._playing = frozenset(playing)
        self._partner = {one: two for pair in pairs for one, two in (pair, pair[::-1])}
        self._rematches = cost_of(pairs, avoid).rematches
        self._met, self._avoid, self._around, self._moved = met, avoid, around, moved

    def of(self, pair: Pair) -> str:
        """Return why two players meet: next to each other in the standings, or what became of those between them."""
        higher, lower = sorted(pair, key=self._place.__getitem__)
        above, below = self._place[higher], self._place[lower]
        causes: list[str] = []
        for between in self._list[above + 1 : below][:NAMED]:
            cause, prefix = self._cause(higher, between), f"{higher} has met "
            if causes and causes[-1].startswith(prefix) and cause.startswith(prefix):
                causes[-1] += f" and {cause.removeprefix(prefix)}"
            else:
                causes.append(cause)
        if (rest := below - above - 1 - NAMED) > 0:
            causes.append(f"{rest} more stand between them")
        if bisect_right(self._gaps, above) < bisect_right(self._gaps, below):
            causes.append("others between them are paired elsewhere")
        where = "in the standings" if below < self._listed else "with late entries behind the standings"
        if not causes:
            return f"next to each other {where}"
        return f"nearest {where} for {higher} ({'; '.join(causes)})"

    def _cause(self, higher: str, between: str) -> str:
        """Return why a player between two opponents does not play the higher one."""
        around = self._around
        name = "the spare player" if between == around.stands_in else between
        if between == around.bye:
            return f"{name} has the bye"
        if between == around.meets_spare:
            return f"{name} meets the spare player"
        if between not in self._playing:
            return f"{name} does not play"
        if again := self._avoid.get(higher, {}).get(between):
            kept = between in self._met.get(higher, ()) or between == around.stands_in
            times = f" ({again.earlier} times)" if again.earlier > 1 else ""
            return f"{higher} has met {name}{times}" if kept else f"{higher} and {name} are kept apart"
        partner = self._partner[between]
        if self._place[partner] < self._place[higher]:
            return f"{name} plays {'the spare player' if partner == around.stands_in else partner}, who stands higher"
        if between in self._moved:
            return f"{name} moved down, having met {self._moved[between]}"
        if higher in self._moved:
            return f"{name} was paired before {higher}, who moved down, having met {self._moved[higher]}"
        if self._rematches:
            return f"{higher} against {name} would make the rematches further down worse"
        return f"{higher} against {name} would lead to a rematch further down"


def _rank_gaps(rows: Sequence[Row]) -> list[int]:
    """Return the places before which the rows omit a player, according to the ranks."""
    gaps, first = [], 0
    for place in range(1, len(rows)):
        if rows[place].rank != rows[first].rank:
            if rows[place].rank > rows[first].rank + place - first:
                gaps.append(place)
            first = place
    return gaps


NO_SPECIAL_PLAYERS = SpecialPlayers()
"""No player is paired in another way."""


class PairedRound(Struct, frozen=True):
    """The pairings of a round, the top one first and the bye last, and the draws made for them."""

    round: int
    pairings: tuple[Pairing, ...]
    draws: tuple[Draw, ...]


class _Field(Struct, frozen=True):
    """The players to pair, and what pairing needs to know about them."""

    ranked: list[str]
    points: Mapping[str, int]
    divisor: int
    met: Met
    avoid: Met
    policy: PairingPolicy
    seed: str
    round: int
    rows: Sequence[Row]
    around: SpecialPlayers


def pair_round(
    ruleset: Ruleset,
    entrants: Iterable[Entrant],
    games: Iterable[Game],
    *,
    round: int,
    seed: str,
    standings: Standings | None = None,
    apart: Iterable[tuple[str, str]] = (),
    around: SpecialPlayers = NO_SPECIAL_PLAYERS,
) -> PairedRound:
    """Pair tournament round `round` among the entrants who play in it.

    - `standings`: recorded standings after the previous round; computed here if missing.
    - `apart`: pairs who asked not to meet in this round, treated like rematches (AR-PAIR-2: round 1 of casual events).
    - `around`: special players, for the reasons.

    With several venues, pass only the entrants of one. The bye is assigned first, then the others are paired. Rematches
    occur only if they cannot be avoided, and are then spread evenly. The result does not depend on the order of
    entrants and games. In a round robin, the table decides, and `games` must contain all games of the players who are
    paired together. Raise TooFewPlayers for fewer than two players, RoundsNotFixed as `pairings_by_table`.
    """
    entrants, played = list(entrants), [game for game in games if game.round < round]
    playing = {entrant.player for entrant in entrants if entrant.plays(round)}
    if len(playing) < 2:
        raise TooFewPlayers(f"round {round} has {len(playing)} to be paired, it needs 2", players=len(playing))
    stage = next(stage for stage in reversed(ruleset.pairing.stages) if stage.from_round <= round)
    policy = registries.PAIRING_POLICIES[stage.policy]
    if policy.cycles:
        return PairedRound(
            round, tuple(pairings_by_table(ruleset, played, playing, round=round, cycles=policy.cycles)), ()
        )
    if standings is None:
        standings = rank(ruleset, entrants, played, round=round - 1, seed=seed)
    by_order = not policy.purpose or (round > 1 and len(playing) % 2 == 1 and ruleset.bye.policy == "last_ranked")
    rows, late, ordered = draw_shared_ranks(ruleset, standings, playing, round, seed if by_order else None)
    ranks = {row.player: row.rank for row in rows}
    records = counted_records(ruleset, entrants, played, round - 1)
    first = ruleset.standings.criteria[0]
    met = meetings(played, round, ruleset.played)
    field = _Field(
        ranked=[*(row.player for row in rows if row.player in playing), *late],
        points=totals(records, first.of),
        divisor=first.divisor,
        met=met,
        avoid=_avoided(met, apart, around),
        policy=policy,
        seed=seed,
        round=round,
        rows=rows,
        around=around,
    )
    byes: list[Pairing] = []
    draws: list[Draw] = list(ordered)
    if len(playing) % 2:
        candidates = [
            Candidate(
                player=player,
                fewest=tuple(sum(past.values.get(name, 0) for past in records[player]) for name in ruleset.bye.of),
                rank=ranks.get(player, len(rows) + 1),
                place=place,
                byes=sum(past.bye for past in records[player]),
            )
            for place, player in enumerate(field.ranked)
        ]
        bye, drawn = _bye(ruleset, field, candidates)
        if any(bye.player_1 in draw.group for draw in ordered) and not drawn and bye.reason.startswith("bye rule"):
            bye = structs.replace(bye, reason=f"{bye.reason}, drawn")
        byes.append(bye)
        draws += drawn
        field = _without(field, bye.player_1)
    groups, drawn = _groups(field)
    pairs = field.policy.pair(groups, field.avoid)
    return PairedRound(round, (*_pairings(field, groups, pairs), *byes), (*draws, *drawn))


ORDER = "order"
"""Purpose of the draws that order players whom the standings do not separate."""


def draw_shared_ranks(
    ruleset: Ruleset, standings: Standings, playing: Set[str], round: int, seed: str | None
) -> tuple[list[Row], list[str], list[Draw]]:
    """Return the rows with players of a shared rank in drawn order, late entries in drawn order, and the draws.

    If ties are shared, only the ids would otherwise decide who is paired first and who gets the bye. With `seed` None
    the order decides nothing, and nothing is drawn.
    """
    rows: list[Row] = []
    draws: list[Draw] = []
    for _, members in groupby(standings.rows, key=lambda row: row.rank):
        group = {row.player: row for row in members}
        order: Iterable[str] = group
        if seed is not None and ruleset.standings.unresolved == "shared" and len(playing & group.keys()) > 1:
            draws.append(make_draw(seed, ORDER, round, group))
            order = draws[-1].order
        rows += [group[player] for player in order]
    late = sorted(playing - {row.player for row in rows})
    if seed is not None and len(late) > 1:
        draws.append(make_draw(seed, ORDER, round, late))
        late = list(draws[-1].order)
    return rows, late, draws


def _without(field: _Field, player: str) -> _Field:
    others = [other for other in field.ranked if other != player]
    return structs.replace(field, ranked=others, around=structs.replace(field.around, bye=player))


def _avoided(met: Met, apart: Iterable[tuple[str, str]], around: SpecialPlayers) -> Met:
    """Return the pairs to avoid: opponents so far (for a stand-in also those of the spare player), and requests."""
    avoid = {player: dict(others) for player, others in met.items()}
    additional = [(one, two, RematchCost(1, 0, 1)) for one, two in apart]
    additional += [(around.stands_in, player, again) for player, again in around.met.items()]
    for one, two, again in additional:
        for player, other in ((one, two), (two, one)):
            others = avoid.setdefault(player, {})
            _, running, earlier = others.get(other, FIRST_MEETING)
            others[other] = RematchCost(1, max(running, again.running), earlier + again.earlier)
    return avoid


def _groups(field: _Field) -> tuple[list[list[str]], list[Draw]]:
    """Return the groups to pair, top first, each in the order of its draw; and the draws."""
    groups = field.policy.group(field.ranked, field.points)
    if not field.policy.purpose:
        return groups, []
    draws = [make_draw(field.seed, field.policy.purpose, field.round, group) for group in groups]
    return [list(draw.order) for draw in draws], [draw for draw in draws if len(draw.group) > 1]


def _bye(ruleset: Ruleset, field: _Field, candidates: Sequence[Candidate]) -> tuple[Pairing, list[Draw]]:
    """Return the bye with its reason, and the draw that decided it. A drawn first round leaves the bye over."""
    if field.round == 1 and field.policy.purpose:
        draw = make_draw(field.seed, field.policy.purpose, field.round, field.ranked)
        return Pairing("bye", draw.order[-1], reason="left over by the draw of the first round"), [draw]
    if ruleset.bye.avoid_repeat:
        candidates = with_fewest_byes(candidates)
    groups = registries.BYE_POLICIES[ruleset.bye.policy](candidates)
    first, reason = groups[0], "bye rule: " + ruleset.bye.cites("policy")
    draws = [make_draw(field.seed, "bye", field.round, first)] if len(first) > 1 else []
    order = [player for group in groups for player in draw_order(field.seed, "bye", field.round, group)]
    chosen = order[0]
    if ruleset.bye.may_move:
        chosen = _with_fewest_rematches(field, order)
    if chosen != order[0]:
        reason = f"moved from {order[0]} to avoid a rematch: " + ruleset.bye.cites("may_move")
    elif draws:
        reason += ", drawn"
    return Pairing("bye", chosen, reason=reason), draws


def _with_fewest_rematches(field: _Field, order: Sequence[str]) -> str:
    """Return the first player in order whose bye leaves the fewest rematches (FF-AMB-11, AR-AMB-13, DW-AMB-23).

    Then rematches between players who met in the previous round decide. Earlier meetings alone do not move a bye.
    """
    best: dict[tuple[int, int], str] = {}
    for player in order:
        others = _without(field, player)
        cost = cost_of(field.policy.pair(_groups(others)[0], field.avoid), field.avoid)
        best.setdefault((cost.rematches, cost.running), player)
        if (0, 0) in best:
            break
    return best[min(best)]


def _pairings(field: _Field, groups: Groups, pairs: Sequence[Pair]) -> Iterator[Pairing]:
    level = {player: index for index, group in enumerate(groups) for player in group}
    reasons: Reasons | None = None
    if field.policy.by_standings and field.round > 1:
        moved = field.policy.moves(groups, field.avoid)
        reasons = Reasons(field.rows, field.ranked, pairs, field.met, field.avoid, field.around, moved)
    for one, two in pairs:
        again = field.met.get(one, {}).get(two, FIRST_MEETING)
        above, below = _points_text(field, one), _points_text(field, two)
        if reasons:
            reason = f"{reasons.of((one, two))}, {above} and {below} points"
        elif field.round == 1 and field.policy.group is pairing.one_group:
            reason = "drawn for the first round"
        elif field.policy.group is pairing.one_group:
            reason = f"drawn, {above} and {below} points"
        elif level[one] == level[two]:
            reason = f"same group, {above} points"
        else:
            reason = f"paired down from {above} to {below} points"
        yield Pairing("game", one, two, reason + rematch_text(again), again != FIRST_MEETING)


def _points_text(field: _Field, player: str) -> int | str:
    return as_json(Fraction(field.points.get(player, 0), field.divisor))


def pair_with_spare(
    ruleset: Ruleset,
    entrants: Iterable[Entrant],
    games: Iterable[Game],
    *,
    round: int,
    seed: str,
    spare: str,
    standings: Standings | None = None,
    apart: Iterable[tuple[str, str]] = (),
) -> PairedRound:
    """Pair a round like `pair_round`; with an odd number of players, one of them meets the spare player.

    In round 1 the player left over by the draw meets the spare player. Later it is the last player in the standings who
    has not, or, under `spare.mode: first_drop`, the would-be opponent of the first player to drop. That game comes
    last. `spare` is the id of the spare player, who is no entrant. `apart` applies only in round 1. Raise TooFewPlayers
    for fewer than two players.
    Source: FF-PAIR-2, FF-PAIR-5, FF-SPARE-1, FF-SPARE-2, FF-SPARE-3, FF-AMB-12.
    """
    field, played = list(entrants), [game for game in games if game.round < round]
    playing = {entrant.player for entrant in field if entrant.plays(round)}
    if len(playing) % 2 == 0 or round == 1:
        requested = apart if round == 1 else ()
        paired = pair_round(ruleset, field, played, round=round, seed=seed, standings=standings, apart=requested)
        return _replace_with_spare(paired, "", spare, frozenset())
    met = meetings(played, round, ruleset.played).get(spare, {})
    standing_in = first_dropped(field) if ruleset.spare and ruleset.spare.mode == "first_drop" else None
    if standing_in is not None:
        field = [_reinstate(entrant) if entrant.player == standing_in else entrant for entrant in field]
        if standings is not None and all(row.player != standing_in for row in standings.rows):
            standings = _insert_row(standing_in, standings, rank(ruleset, field, played, round=round - 1, seed=seed))
        paired = pair_round(
            ruleset,
            field,
            played,
            round=round,
            seed=seed,
            standings=standings,
            around=SpecialPlayers(stands_in=standing_in, met=met),
        )
        return _replace_with_spare(paired, standing_in, spare, met)
    if standings is None:
        standings = rank(ruleset, field, played, round=round - 1, seed=seed)
    rows, late, draws = draw_shared_ranks(ruleset, standings, playing, round, seed)
    chosen, reason = choose_spare_opponent([*(row.player for row in rows), *late], playing, met)
    others = [_drop(entrant, round) if entrant.player == chosen else entrant for entrant in field]
    around = SpecialPlayers(meets_spare=chosen)
    paired = pair_round(ruleset, others, played, round=round, seed=seed, standings=standings, around=around)
    last = Pairing("spare", chosen, spare, reason, chosen in met)
    drawn = tuple(dict.fromkeys((*draws, *paired.draws)))
    return replace(paired, pairings=(*paired.pairings, last), draws=drawn)


def choose_spare_opponent(ranked: Sequence[str], playing: Collection[str], met: Collection[str]) -> tuple[str, str]:
    """Return the opponent of the spare player, and why: the last-ranked player who has not met them, or the last one.

    - `ranked`: the standings, best first.
    - `playing`: players to pair.
    - `met`: players who have met the spare player.

    Source: FF-SPARE-2, FF-AMB-12.
    """
    known = [player for player in ranked if player in playing]
    free = [player for player in known if player not in met]
    if not free:
        return known[-1], "last in the standings, and everybody has met the spare player"
    if free[-1] == known[-1]:
        return known[-1], "last in the standings"
    return free[-1], "the last in the standings who has not met the spare player"


def first_dropped(entrants: Iterable[Entrant]) -> str | None:
    """Return the player who dropped first, by id among several after the same round; None if no one dropped."""
    dropped = [(entrant.dropped_after or 0, entrant.player) for entrant in entrants if entrant.status == "dropped"]
    return min(dropped)[1] if dropped else None


def _insert_row(player: str, standings: Standings, drawn: Standings) -> Standings:
    """Return recorded standings with the row of an unlisted player, placed where `drawn` has them."""
    known = {row.player for row in standings.rows}
    place = next(index for index, row in enumerate(drawn.rows) if row.player == player)
    above = sum(row.player in known for row in drawn.rows[:place])
    rows = (*standings.rows[:above], drawn.rows[place], *standings.rows[above:])
    return replace(standings, rows=rows)


def _reinstate(entrant: Entrant) -> Entrant:
    return replace(entrant, status="active", dropped_after=None)


def _drop(entrant: Entrant, round: int) -> Entrant:
    """Return the entrant as dropped before this round: not paired, but kept in the standings."""
    return replace(entrant, status="dropped", dropped_after=round - 1)


def _replace_with_spare(paired: PairedRound, standing_in: str, spare: str, met: Collection[str]) -> PairedRound:
    """Return the round with the spare player in place of a player, or of the bye. That game comes last (FF-AMB-12)."""
    ordinary: list[Pairing] = []
    last: list[Pairing] = []
    for drawn in paired.pairings:
        if drawn.kind == "bye" and not standing_in:
            last.append(Pairing("spare", drawn.player_1, spare, drawn.reason))
        elif standing_in and standing_in in drawn.players:
            other = next(player for player in drawn.players if player != standing_in)
            reason = f"in place of {standing_in}, the first who dropped"
            last.append(Pairing("spare", other, spare, reason, other in met))
        else:
            ordinary.append(drawn)
    return replace(paired, pairings=(*ordinary, *last))


def last_spare(games: Iterable[Game]) -> str | None:
    """Return the spare player of the last round with an odd player; None after a bye, or if there was none."""
    odd_games: Mapping[int, Game] = {
        game.round: game for game in games if game.kind in ("bye", "spare") and not game.facts.bye
    }
    if not odd_games:
        return None
    last = odd_games[max(odd_games)]
    return last.player_2 if last.kind == "spare" else None


def bye_kind(bye: GivenBye | None) -> str:
    """Return the name of a bye among the kinds of pairings: `bye`, `awarded_bye` or `requested_bye`."""
    return f"{bye}_bye" if bye else "bye"


def fault_of_bye_kind(ruleset: Ruleset, kind: str, where: str) -> Fault | None:
    """Return the fault of an unknown kind of bye, or one without a value in the ruleset; None if it is valid."""
    given = GIVEN.get(kind)
    if given is not None and ruleset.bye.worth(given) is not None:
        return None
    known = [name for name, given_bye in GIVEN.items() if ruleset.bye.worth(given_bye)]
    expected = one_of(known) if known else expects("only-byes-of-pairing", ruleset=ruleset.id)
    return Fault(where, display_text(kind), expected, ruleset.bye.clause)


def fault_of_bye_count(ruleset: Ruleset, given: GivenBye | None, had: int, requested: str, where: str) -> Fault | None:
    """Return the fault of one more bye of this kind; None if it is allowed.

    - `had`: number of such byes in other rounds.
    - `requested`: the requested value, for the fault.
    """
    worth = ruleset.bye.worth(given) if given else None
    if not isinstance(worth, ByeWorth) or worth.most is None or had < worth.most:
        return None
    return Fault(where, requested, expects("byes-of-player", most=worth.most, had=had), worth.cites("most"))


LAST_PLAYER_REASON = "everybody else has a given bye"
"""Reason of the bye of the only remaining player."""


def pair_with_given_byes(
    byes: Mapping[str, GivenBye],
    entrants: Iterable[Entrant],
    round: int,
    pair: Callable[[list[Entrant]], PairedRound],
    spare: str = "",
) -> PairedRound:
    """Return the round that `pair` makes of the players without a given bye, followed by the given byes.

    Players with a given bye are passed on as not paired in this round, and stay in the standings. A single remaining
    player has the ordinary bye, or plays the spare player `spare`. Raise what `pair` raises.
    """
    others = [replace(entrant, joined_round=round + 1) if entrant.player in byes else entrant for entrant in entrants]
    remaining = [entrant.player for entrant in others if entrant.plays(round)]
    if byes and len(remaining) == 1:
        kind: PairingKind = "spare" if spare else "bye"
        paired = PairedRound(round, (Pairing(kind, remaining[0], spare or None, reason=LAST_PLAYER_REASON),), ())
    else:
        paired = pair(others)
    given = (Pairing("bye", player, reason=given_bye_reason(bye), bye=bye) for player, bye in byes.items())
    return replace(paired, pairings=(*paired.pairings, *given))


def given_bye_reason(bye: GivenBye) -> str:
    """Return the reason of a given bye."""
    return {"awarded": "a bye won before the start", "requested": "a bye that the player asked for"}[bye]
