"""Who meets whom in the next round, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from fractions import Fraction
from itertools import groupby

from msgspec import Struct, structs

from shared.formats.swiss.rules import registries
from shared.formats.swiss.rules.pairing_reasons import Around, Reasons
from shared.formats.swiss.rules.placing import Row
from shared.formats.swiss.rules.registries import PairingPolicy
from shared.formats.swiss.rules.round_robin import pairings_by_table
from shared.formats.swiss.rules.ruleset import Ruleset
from shared.formats.swiss.rules.standings import Standings, counted_records, rank
from shared.rules import brackets
from shared.rules.byes import Candidate, with_fewest_byes
from shared.rules.draw import make_draw, recorded_draw
from shared.rules.matching import Groups, Pair
from shared.rules.meetings import NONE, Again, Met, cost_of, meeting_again, meetings
from shared.rules.model import Draw, Entrant, Game, Pairing, as_json
from shared.rules.records import totals
from shared.rules.refusals import TooFewPlayers

NOBODY_ELSE = Around()
"""Nobody meets a spare player."""


class PairedRound(Struct, frozen=True):
    """The pairings of a round, the top one first and the bye last, and the draws that were made for them."""

    round: int
    pairings: tuple[Pairing, ...]
    draws: tuple[Draw, ...]


class _Field(Struct, frozen=True):
    """What pairing knows of those who are to be paired."""

    ranked: list[str]
    points: Mapping[str, int]
    divisor: int
    met: Met
    avoid: Met
    policy: PairingPolicy
    seed: str
    round: int
    rows: Sequence[Row]
    around: Around


def pair_round(
    ruleset: Ruleset,
    entrants: Iterable[Entrant],
    games: Iterable[Game],
    *,
    round: int,
    seed: str,
    standings: Standings | None = None,
    apart: Iterable[tuple[str, str]] = (),
    around: Around = NOBODY_ELSE,
) -> PairedRound:
    """Pair tournament round `round` among the entrants who play in it.

    standings: those after the round before, as recorded, for policies that follow them; made here when not given.
    apart: pairs who asked not to meet in this round, heeded like rematches (AR-PAIR-2: round 1 of casual events).
    around: who meets the spare player, for the reasons.
    With several venues, give only the entrants of one. The bye goes first, then the rest is paired; nobody meets
    the same opponent twice while that can be helped. Where it cannot, meetings are spread evenly. The same arguments
    give the same pairing, in whatever order entrants and games come.
    In a round robin the table says who meets whom, and `games` have to be all of those who are paired together.
    Raises TooFewPlayers with fewer than two players, RoundsNotFixed as `pairings_by_table`.
    """
    everybody, played = list(entrants), [game for game in games if game.round < round]
    playing = {entrant.player for entrant in everybody if entrant.plays(round)}
    if len(playing) < 2:
        raise TooFewPlayers(f"round {round} has {len(playing)} to be paired, it needs 2", players=len(playing))
    stage = next(stage for stage in reversed(ruleset.pairing.stages) if stage.from_round <= round)
    policy = registries.PAIRING_POLICIES[stage.policy]
    if policy.cycles:
        return PairedRound(
            round, tuple(pairings_by_table(ruleset, played, playing, round=round, cycles=policy.cycles)), ()
        )
    if standings is None:
        standings = rank(ruleset, everybody, played, round=round - 1, seed=seed)
    by_order = not policy.purpose or (round > 1 and len(playing) % 2 == 1 and ruleset.bye.policy == "last_ranked")
    rows, late, ordered = in_drawn_order(ruleset, standings, playing, round, seed if by_order else None)
    ranks = {row.player: row.rank for row in rows}
    records = counted_records(ruleset, everybody, played, round - 1)
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
"""Purpose of the draws that put players in order whom the standings do not separate."""


def in_drawn_order(
    ruleset: Ruleset, standings: Standings, playing: Set[str], round: int, seed: str | None
) -> tuple[list[Row], list[str], list[Draw]]:
    """Return the rows with those who share a rank in an order by draw, late entries in one too, and the draws.

    Where ties are shared, nothing but the ids would decide who is paired first and who has the bye. seed: None where
    that order decides nothing, so that nothing is drawn.
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


def _avoided(met: Met, apart: Iterable[tuple[str, str]], around: Around) -> Met:
    """Return whom everybody should not meet: opponents so far (for a stand-in, the spare player's too), and wishes."""
    avoid = {player: dict(others) for player, others in met.items()}
    further = [(one, two, Again(1, 0, 1)) for one, two in apart]
    further += [(around.stands_in, player, again) for player, again in around.met.items()]
    for one, two, again in further:
        for player, other in ((one, two), (two, one)):
            others = avoid.setdefault(player, {})
            _, running, earlier = others.get(other, NONE)
            others[other] = Again(1, max(running, again.running), earlier + again.earlier)
    return avoid


def _groups(field: _Field) -> tuple[list[list[str]], list[Draw]]:
    """The groups to pair, top first, each in the order of its draw; and the draws."""
    groups = field.policy.group(field.ranked, field.points)
    if not field.policy.purpose:
        return groups, []
    draws = [make_draw(field.seed, field.policy.purpose, field.round, group) for group in groups]
    return [list(draw.order) for draw in draws], [draw for draw in draws if len(draw.group) > 1]


def _bye(ruleset: Ruleset, field: _Field, candidates: Sequence[Candidate]) -> tuple[Pairing, list[Draw]]:
    """The bye, why, and the draw that decided it. In a drawn first round it is left over by that very draw."""
    if field.round == 1 and field.policy.purpose:
        draw = make_draw(field.seed, field.policy.purpose, field.round, field.ranked)
        return Pairing("bye", draw.order[-1], reason="left over by the draw of the first round"), [draw]
    if ruleset.bye.avoid_repeat:
        candidates = with_fewest_byes(candidates)
    groups = registries.BYE_POLICIES[ruleset.bye.policy](candidates)
    first, reason = groups[0], "bye rule: " + ruleset.bye.cites("policy")
    draws = [make_draw(field.seed, "bye", field.round, first)] if len(first) > 1 else []
    order = [player for group in groups for player in recorded_draw(field.seed, "bye", field.round, group)]
    chosen = order[0]
    if ruleset.bye.may_move:
        chosen = _with_fewest_rematches(field, order)
    if chosen != order[0]:
        reason = f"moved from {order[0]} to avoid a rematch: " + ruleset.bye.cites("may_move")
    elif draws:
        reason += ", drawn"
    return Pairing("bye", chosen, reason=reason), draws


def _with_fewest_rematches(field: _Field, order: Sequence[str]) -> str:
    """Return the first in order whose bye leaves the fewest rematches. FF-AMB-11, AR-AMB-13, DW-AMB-23.

    Of these, the fewest between players who met in the round before. Earlier meetings alone do not move a bye.
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
    why: Reasons | None = None
    if field.policy.by_standings and field.round > 1:
        moved = field.policy.moves(groups, field.avoid)
        why = Reasons(field.rows, field.ranked, pairs, field.met, field.avoid, field.around, moved)
    for one, two in pairs:
        again = field.met.get(one, {}).get(two, NONE)
        above, below = _shown(field, one), _shown(field, two)
        if why:
            reason = f"{why.of((one, two))}, {above} and {below} points"
        elif field.round == 1 and field.policy.group is brackets.everybody:
            reason = "drawn for the first round"
        elif field.policy.group is brackets.everybody:
            reason = f"drawn, {above} and {below} points"
        elif level[one] == level[two]:
            reason = f"same group, {above} points"
        else:
            reason = f"paired down from {above} to {below} points"
        yield Pairing("game", one, two, reason + meeting_again(again), again != NONE)


def _shown(field: _Field, player: str) -> int | str:
    """A player's points as the standings show them."""
    return as_json(Fraction(field.points.get(player, 0), field.divisor))
