"""Swiss pairing by the ruleset, with byes and spare players, and the rules for pairings by hand."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from msgspec.structs import replace

from services.pairing.guards import players_seated_before
from services.pairing.plans import (
    ByeGiven,
    ByHand,
    Field,
    Plan,
    PlannedPairing,
    missing_requirement,
    refuse_faults,
    standby_spares,
)
from services.pairing.rounds import PairRound, refuse_byes
from shared.refusals import Fault, expects, one_of
from shared.rules.matching import Met, meetings
from shared.rules.model import GIVEN, KINDS, Draw, Entrant, Game, TooFewPlayers
from shared.swiss.games import counted_games, entrants_of, fault_of_extra_bye, games_of_field, ruleset_of
from shared.swiss.pairing import LAST_PLAYER_REASON, fault_of_bye_kind, given_bye_reason, pair_round, pair_with_spare
from shared.swiss.standings import Standings
from shared.tournament.parts import has_own_rounds, players_aside
from shared.tournament.people import Entries, Staff
from shared.tournament.rounds import WHOLE, kept_apart
from shared.tournament.state import Tournament

MET_CLAUSE = ""


def met_before(state: Tournament, number: int) -> Met:
    """Return the opponents that met in earlier Swiss rounds."""
    return meetings(counted_games(state, number - 1, stage="swiss"), number, ruleset_of(state.entries).played)


def avoid_repeats(entries: Entries) -> bool:
    """Return True if players should not play at the same table twice."""
    return ruleset_of(entries).tables.avoid_repeats


def faults_by_hand(state: Tournament, number: int, pairing: ByHand, kind: str, where: str) -> Iterator[Fault]:
    """Yield the faults of a pairing by hand: sides, byes of a kind or number without value, forbidden spare games."""
    ruleset = ruleset_of(state.entries)
    given_kind = pairing.kind or ""
    if pairing.sides:
        yield Fault(f"{where}/sides", f"{len(pairing.sides)}", expects("two-who-meet"), ruleset.pairing.clause)
    elif given_kind in KINDS and not pairing.player_2:
        bye = KINDS[given_kind]
        if ruleset.bye.worth(bye) is None:
            yield Fault(f"{where}/kind", given_kind, expects("plain-bye"), ruleset.bye.clause)
        elif fault := fault_of_extra_bye(state, ruleset, pairing.player_1, bye, f"{where}/kind", besides=number):
            yield fault
    elif kind == "spare" and "spare" not in ruleset.result.kinds:
        yield Fault(f"{where}/kind", kind, one_of(["game", "bye"]), ruleset.result.cites("kinds"))


def read_byes(state: Tournament, command: PairRound, field: Field, *, paired_by_rule: bool) -> list[PlannedPairing]:
    """Return the granted byes as pairings, in the order given.

    paired_by_rule: True for a Swiss round that the ruleset pairs; byes can only be granted for those.
    Raises PairingsRefused with every fault.
    """
    refuse_byes(command, paired_by_rule=paired_by_rule)
    refuse_faults(list(_bye_faults(state, command.byes, field)))
    return [
        PlannedPairing(kind="bye", player_1=bye.player, reason=given_bye_reason(GIVEN[bye.kind]), table=0, bye=bye.kind)
        for bye in command.byes
    ]


def remove_byes(field: Field, byes: Sequence[PlannedPairing]) -> Field:
    """Return the field without the players who have a bye."""
    resting = {bye.player_1 for bye in byes}
    return Field([player for player in field.players if player not in resting], field.left_out)


def _bye_faults(state: Tournament, byes: Sequence[ByeGiven], field: Field) -> Iterator[Fault]:
    ruleset = ruleset_of(state.entries)
    seen: set[str] = set()
    for index, bye in enumerate(byes):
        where = f"/byes/{index}"
        if bye.player not in state.entries.players:
            yield Fault(f"{where}/player", bye.player, expects("player-of-tournament"))
        elif bye.player not in field.players:
            yield Fault(f"{where}/player", bye.player, expects("player-to-pair"))
        elif bye.player in seen:
            yield Fault(f"{where}/player", bye.player, expects("everybody-once"))
        seen.add(bye.player)
        fault = fault_of_bye_kind(ruleset, bye.kind, f"{where}/kind")
        if fault := fault or fault_of_extra_bye(state, ruleset, bye.player, GIVEN[bye.kind], f"{where}/kind"):
            yield fault


VENUE_ASIDE = "venue_set_aside"
"""Why an active player is not paired: their last game is at a venue that was set aside."""
ALONE_AT_VENUE = "nobody else to be paired at this venue"


def pair_swiss(
    state: Tournament,
    number: int,
    field: Field,
    seed: str,
    standings: Standings | None,
    *,
    venue: str = WHOLE,
    byes: int = 0,
) -> Plan:
    """Pair the field by the ruleset's policy, from the standings after the previous round.

    venue: the venue of the field, if each venue is paired by itself; a single player there gets a bye. byes: number of
    granted byes. If there are any, a field of one player is allowed, who gets the ordinary bye. Raises TooFewPlayers.
    """
    ruleset, group = ruleset_of(state.entries), field.players
    if len(group) < (1 if byes or venue else 2):
        advice = "; everybody has a given bye: give fewer, or pair the round by hand" if byes else ""
        raise TooFewPlayers(
            f"Round {number} has {len(group)} to pair and needs 2{_left_out_text(field)}{advice}.",
            players=len(group),
            minimum=2,
            left_out=field.left_out,
        )
    games, entrants = counted_games(state, number - 1, stage="swiss"), entrants_of(state)
    spare = _choose_spare(standby_spares(state), venue, state.entries.pairing_scope) if len(group) % 2 else None
    members = set(group)
    own_games = [game for game in games if game.player_1 in members or game.player_2 in members]
    opponents = {player for game in own_games for player in (game.player_1, game.player_2)}
    paired, draws = _pair_group(
        state,
        number,
        seed,
        [entrant for entrant in entrants if _is_relevant(entrant, members, opponents)],
        own_games if spare else games_of_field(state, group, games),
        _rows_of(standings, members),
        spare,
        ALONE_AT_VENUE if venue else LAST_PLAYER_REASON,
    )
    pairings = [replace(pairing, venue=venue) for pairing in paired] if venue else paired
    stage = next(stage for stage in reversed(ruleset.pairing.stages) if stage.from_round <= number)
    return Plan(stage="swiss", method=stage.policy, pairings=pairings, draws=draws, left_out=field.left_out)


def _pair_group(
    state: Tournament,
    number: int,
    seed: str,
    entrants: Sequence[Entrant],
    games: Sequence[Game],
    standings: Standings | None,
    spare: Staff | None,
    alone: str,
) -> tuple[list[PlannedPairing], Sequence[Draw]]:
    """Pair the players of one group. alone: the reason of the bye if the group has a single player."""
    ruleset = ruleset_of(state.entries)
    playing = [entrant for entrant in entrants if entrant.plays(number)]
    if len(playing) == 1:
        return [_bye_or_spare_game(playing[0].player, spare, alone)], ()
    apart = kept_apart(state.entries, number, {entrant.player for entrant in playing})
    if spare is None:
        made = pair_round(ruleset, entrants, games, round=number, seed=seed, standings=standings, apart=apart)
    else:
        made = pair_with_spare(
            ruleset, entrants, games, round=number, seed=seed, spare=spare.id, standings=standings, apart=apart
        )
    pairings = [
        PlannedPairing(
            kind="game",
            player_1=pairing.player_1,
            player_2=pairing.player_2 or "",
            reason=pairing.reason,
            rematch=pairing.rematch,
        )
        if pairing.kind == "game"
        else _bye_or_spare_game(pairing.player_1, spare, pairing.reason)
        for pairing in made.pairings
    ]
    return pairings, made.draws


def _bye_or_spare_game(player: str, spare: Staff | None, reason: str) -> PlannedPairing:
    """Return the pairing of the player left over: a spare game takes precedence over a bye (FF-PAIR-5)."""
    if spare is None:
        return PlannedPairing(kind="bye", player_1=player, reason=reason, table=0)
    return PlannedPairing(kind="spare", player_1=player, player_2=spare.id, venue=spare.venue or None, reason=reason)


def _left_out_text(field: Field) -> str:
    return "".join(f"; left out: {len(players)} ({why})" for why, players in field.left_out.items())


def _choose_spare(spares: Sequence[Staff], venue: str, scope: str) -> Staff | None:
    """Return the first spare player of the venue, otherwise the first one who is tied to no venue."""
    if scope != "venue":
        return spares[0] if spares else None
    return next((spare for place in (venue, "") for spare in spares if spare.venue == place), None)


def _is_relevant(entrant: Entrant, group: Collection[str], opponents: Collection[str | None]) -> bool:
    """Return True if an entrant is in the group, or has left after a game against a member of it."""
    return entrant.player in group or (entrant.status != "active" and entrant.player in opponents)


def _rows_of(standings: Standings | None, group: Collection[str]) -> Standings | None:
    if standings is None:
        return None
    rows = tuple(row for row in standings.rows if row.player in group)
    return Standings(standings.round, standings.columns, rows, standings.draws)


def field_of(state: Tournament, number: int) -> Field:
    """Return the players to pair in a round: all active players who meet the requirements.

    Players at a venue whose part of an earlier round is set aside are left out, unless each venue is paired by itself.

    Before their first pairing players need the list that the tier requires (AR-REG-1), and must be checked in if the
    tournament uses check-in. Players who were paired before are not checked again.
    """
    entries, seated_before = state.entries, players_seated_before(state, number)
    players: list[str] = []
    left_out: dict[str, list[str]] = {}
    unreachable = set() if has_own_rounds(state) else players_aside(state)
    for player in entries.active():
        reason = "" if player.id in seated_before else missing_requirement(entries, player)
        reason = VENUE_ASIDE if player.id in unreachable else reason
        if reason:
            left_out.setdefault(reason, []).append(player.id)
        else:
            players.append(player.id)
    return Field(players, left_out)
