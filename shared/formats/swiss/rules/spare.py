"""Whom the spare player meets, and the round that is paired around that."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec.structs import replace

from shared.formats.swiss.rules.pairing import PairedRound, in_drawn_order, pair_round
from shared.formats.swiss.rules.pairing_reasons import Around
from shared.formats.swiss.rules.ruleset import Ruleset
from shared.formats.swiss.rules.standings import Standings, rank
from shared.rules.meetings import meetings
from shared.rules.model import Entrant, Game, Pairing


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
    """Pair a round as `pair_round` does; where the number of players is odd, one of them meets the spare player.

    spare: the spare player's id, who is no entrant. In round 1 whoever the draw leaves over meets the spare player;
    later it is the last in the standings who has not, or by the ruleset's `spare.mode` whoever would have met the
    first player to drop. That game comes last. apart: as for `pair_round`, heeded in round 1 alone.
    Raises TooFewPlayers with fewer than two players.
    Source: FF-PAIR-2, FF-PAIR-5, FF-SPARE-1, FF-SPARE-2, FF-SPARE-3, FF-AMB-12.
    """
    everybody, played = list(entrants), [game for game in games if game.round < round]
    playing = {entrant.player for entrant in everybody if entrant.plays(round)}
    if len(playing) % 2 == 0 or round == 1:
        wishes = apart if round == 1 else ()
        paired = pair_round(ruleset, everybody, played, round=round, seed=seed, standings=standings, apart=wishes)
        return _in_place_of(paired, "", spare, frozenset())
    met = meetings(played, round, ruleset.played).get(spare, {})
    standing_in = first_dropped(everybody) if ruleset.spare and ruleset.spare.mode == "first_drop" else None
    if standing_in is not None:
        everybody = [_back(entrant) if entrant.player == standing_in else entrant for entrant in everybody]
        if standings is not None and all(row.player != standing_in for row in standings.rows):
            standings = _with(standing_in, standings, rank(ruleset, everybody, played, round=round - 1, seed=seed))
        paired = pair_round(
            ruleset,
            everybody,
            played,
            round=round,
            seed=seed,
            standings=standings,
            around=Around(stands_in=standing_in, met=met),
        )
        return _in_place_of(paired, standing_in, spare, met)
    if standings is None:
        standings = rank(ruleset, everybody, played, round=round - 1, seed=seed)
    rows, late, draws = in_drawn_order(ruleset, standings, playing, round, seed)
    chosen, reason = opponent_of_spare([*(row.player for row in rows), *late], playing, met)
    others = [_out(entrant, round) if entrant.player == chosen else entrant for entrant in everybody]
    around = Around(meets_spare=chosen)
    paired = pair_round(ruleset, others, played, round=round, seed=seed, standings=standings, around=around)
    last = Pairing("spare", chosen, spare, reason, chosen in met)
    drawn = tuple(dict.fromkeys((*draws, *paired.draws)))
    return replace(paired, pairings=(*paired.pairings, last), draws=drawn)


def opponent_of_spare(ranked: Sequence[str], playing: Collection[str], met: Collection[str]) -> tuple[str, str]:
    """Who meets the spare player, and why: the last-ranked who has not; the last one when all have.

    ranked: the standings, best first; playing: who is to be paired; met: whom the spare player has met.
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
    """The player who dropped first; of several after the same round the first by id. Nobody: None."""
    dropped = [(entrant.dropped_after or 0, entrant.player) for entrant in entrants if entrant.status == "dropped"]
    return min(dropped)[1] if dropped else None


def _with(player: str, standings: Standings, drawn: Standings) -> Standings:
    """Recorded standings in their order, with a player whom they hide where that player stands in `drawn`."""
    known = {row.player for row in standings.rows}
    place = next(index for index, row in enumerate(drawn.rows) if row.player == player)
    above = sum(row.player in known for row in drawn.rows[:place])
    rows = (*standings.rows[:above], drawn.rows[place], *standings.rows[above:])
    return replace(standings, rows=rows)


def _back(entrant: Entrant) -> Entrant:
    return replace(entrant, status="active", dropped_after=None)


def _out(entrant: Entrant, round: int) -> Entrant:
    """The entrant as one who is not paired in this round, and stays where they stand."""
    return replace(entrant, status="dropped", dropped_after=round - 1)


def _in_place_of(paired: PairedRound, standing_in: str, spare: str, met: Collection[str]) -> PairedRound:
    """The round with the spare player in place of somebody, or of nobody (the bye); that game comes last. FF-AMB-12."""
    ordinary: list[Pairing] = []
    last: list[Pairing] = []
    for pairing in paired.pairings:
        if pairing.kind == "bye" and not standing_in:
            last.append(Pairing("spare", pairing.player_1, spare, pairing.reason))
        elif standing_in and standing_in in pairing.players:
            other = next(player for player in pairing.players if player != standing_in)
            reason = f"in place of {standing_in}, the first who dropped"
            last.append(Pairing("spare", other, spare, reason, other in met))
        else:
            ordinary.append(pairing)
    return replace(paired, pairings=(*ordinary, *last))


def spare_of_last_time(games: Iterable[Game]) -> str | None:
    """The spare player of the last round in which somebody was left over; None after a bye, or where nobody was."""
    left_over: Mapping[int, Game] = {
        game.round: game for game in games if game.kind in ("bye", "spare") and not game.facts.bye
    }
    if not left_over:
        return None
    last = left_over[max(left_over)]
    return last.player_2 if last.kind == "spare" else None
