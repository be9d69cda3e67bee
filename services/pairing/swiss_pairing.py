"""Swiss pairing by the ruleset: venues apart, byes, the spare player; pairings by hand."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from msgspec.structs import replace

from services.pairing.guards import seated_before, seed_of
from services.pairing.plans import ByeGiven, ByHand, Draft, Field, Plan, by_venue, lacking, refuse, spares_of
from services.pairing.rounds import PairRound, refuse_byes
from shared.refusals import Fault, expects, one_of
from shared.rules.matching import Met, meetings
from shared.rules.model import GIVEN, KINDS, Draw, Entrant, Game, TooFewPlayers
from shared.swiss.games import counted_games, entrants_of, fault_of_extra_bye, games_of_field, ruleset_of
from shared.swiss.pairing import LAST_PLAYER_REASON, fault_of_bye_kind, given_bye_reason, pair_round, pair_with_spare
from shared.swiss.ranking import closed_standings
from shared.swiss.standings import Standings
from shared.tournament.guards import Context
from shared.tournament.people import Entries, Staff
from shared.tournament.rounds import kept_apart
from shared.tournament.state import Tournament

MET_CLAUSE = ""


def met_before(state: Tournament, number: int) -> Met:
    """Return the meetings in Swiss rounds before this one."""
    return meetings(counted_games(state, number - 1, stage="swiss"), number, ruleset_of(state.entries).played)


def avoid_repeats(entries: Entries) -> bool:
    """Return True if players should not sit at a table where they sat before."""
    return ruleset_of(entries).tables.avoid_repeats


def faults_by_hand(state: Tournament, number: int, pairing: ByHand, kind: str, where: str) -> Iterator[Fault]:
    """Two meet in each game, and the ruleset says which byes there are and whether a spare player plays."""
    ruleset = ruleset_of(state.entries)
    asked = pairing.kind or ""
    if pairing.sides:
        found = f"{len(pairing.sides)}"
        yield Fault(f"{where}/sides", found, expects("two-who-meet"), ruleset.pairing.clause)
    elif asked in KINDS and not pairing.player_2:
        if ruleset.bye.worth(KINDS[asked]) is None:
            yield Fault(f"{where}/kind", asked, expects("plain-bye"), ruleset.bye.clause)
        else:
            yield from faults_of_given_bye(state, number, pairing, where)
    elif kind == "spare" and "spare" not in ruleset.result.kinds:
        yield Fault(f"{where}/kind", kind, one_of(["game", "bye"]), ruleset.result.cites("kinds"))


def faults_of_given_bye(state: Tournament, number: int, one: ByHand, where: str) -> Iterable[Fault]:
    """A bye beyond those of its kind that the ruleset allows a player."""
    given = KINDS.get(one.kind or "")
    if given is None:
        return []
    fault = fault_of_extra_bye(state, ruleset_of(state.entries), one.player_1, given, f"{where}/kind", besides=number)
    return [fault] if fault else []


def byes_given(state: Tournament, command: PairRound, field: Field, *, paired_by_rule: bool) -> list[Draft]:
    """The byes as pairings, in the order given; players of the field, each once.

    paired_by_rule: whether the round is one that byes can be given for: a Swiss round that the ruleset pairs.
    Raises PairingsRefused with every fault.
    """
    refuse_byes(command, paired_by_rule=paired_by_rule)
    refuse(list(_faults(state, command.byes, field)))
    return [
        Draft(kind="bye", player_1=one.player, reason=given_bye_reason(GIVEN[one.kind]), table=0, bye=one.kind)
        for one in command.byes
    ]


def without(field: Field, byes: Sequence[Draft]) -> Field:
    """The field without those who have a bye already."""
    given = {draft.player_1 for draft in byes}
    return Field([player for player in field.players if player not in given], field.left_out)


def _faults(state: Tournament, byes: Sequence[ByeGiven], field: Field) -> Iterator[Fault]:
    ruleset = ruleset_of(state.entries)
    seen: set[str] = set()
    for index, one in enumerate(byes):
        where = f"/byes/{index}"
        if one.player not in state.entries.players:
            yield Fault(f"{where}/player", one.player, expects("player-of-tournament"))
        elif one.player not in field.players:
            yield Fault(f"{where}/player", one.player, expects("player-to-pair"))
        elif one.player in seen:
            yield Fault(f"{where}/player", one.player, expects("everybody-once"))
        seen.add(one.player)
        fault = fault_of_bye_kind(ruleset, one.kind, f"{where}/kind")
        if fault := fault or fault_of_extra_bye(state, ruleset, one.player, GIVEN[one.kind], f"{where}/kind"):
            yield fault


LONE = "nobody else to be paired at this venue"


def swiss(state: Tournament, number: int, field: Field, context: Context, byes: int = 0) -> Plan:
    """Pair the field by the ruleset's policy, from the standings after the round before.

    byes: how many others have a given bye; a single player who is left then has the ordinary one.
    Raises TooFewPlayers, PlayersWithoutVenue.
    """
    ruleset = ruleset_of(state.entries)
    if len(field.players) < (1 if byes else 2):
        count = len(field.players)
        way_out = "; everybody has a given bye: give fewer, or pair the round by hand" if byes else ""
        raise TooFewPlayers(
            f"Round {number} has {count} to pair and needs 2{_left_out(field)}{way_out}.",
            players=count,
            minimum=2,
            left_out=field.left_out,
        )
    groups = by_venue(state, field.players)
    games, entrants = counted_games(state, number - 1, stage="swiss"), entrants_of(state)
    standings = closed_standings(state, number - 1)
    spares = spares_of(state)
    drafts: list[Draft] = []
    draws: list[Draw] = []
    for venue, group in groups.items():
        spare = _spare_for(spares, venue, state.entries.pairing_scope) if len(group) % 2 else None
        if spare is not None:
            spares.remove(spare)
        known, there = _played_by(group, games), set(group)
        faced = {player for game in known for player in (game.player_1, game.player_2)}
        paired, drawn = _pair_group(
            state,
            number,
            seed_of(state, number, context),
            [entrant for entrant in entrants if _concerns(entrant, there, faced)],
            known if spare else games_of_field(state, group, games),
            _rows_of(standings, there),
            spare,
            LONE if len(field.players) > 1 else LAST_PLAYER_REASON,
        )
        drafts += [replace(draft, venue=venue) for draft in paired] if venue else paired
        draws += drawn
    stage = next(stage for stage in reversed(ruleset.pairing.stages) if stage.from_round <= number)
    return Plan(stage="swiss", method=stage.policy, drafts=drafts, draws=draws, left_out=field.left_out)


def _pair_group(
    state: Tournament,
    number: int,
    seed: str,
    entrants: Sequence[Entrant],
    games: Sequence[Game],
    standings: Standings | None,
    spare: Staff | None,
    lone: str,
) -> tuple[list[Draft], Sequence[Draw]]:
    """Pair players among themselves. lone: the reason of the bye of a single one."""
    ruleset = ruleset_of(state.entries)
    playing = [entrant for entrant in entrants if entrant.plays(number)]
    if len(playing) == 1:
        return [_left_over(playing[0].player, spare, lone)], ()
    apart = kept_apart(state.entries, number, {entrant.player for entrant in playing})
    if spare is None:
        made = pair_round(ruleset, entrants, games, round=number, seed=seed, standings=standings, apart=apart)
    else:
        made = pair_with_spare(
            ruleset, entrants, games, round=number, seed=seed, spare=spare.id, standings=standings, apart=apart
        )
    drafts = [
        Draft(
            kind="game",
            player_1=pairing.player_1,
            player_2=pairing.player_2 or "",
            reason=pairing.reason,
            rematch=pairing.rematch,
        )
        if pairing.kind == "game"
        else _left_over(pairing.player_1, spare, pairing.reason)
        for pairing in made.pairings
    ]
    return drafts, made.draws


def _left_over(player: str, spare: Staff | None, reason: str) -> Draft:
    """A bye, or a game against the spare player, who comes first (FF-PAIR-5)."""
    if spare is None:
        return Draft(kind="bye", player_1=player, reason=reason, table=0)
    return Draft(kind="spare", player_1=player, player_2=spare.id, venue=spare.venue or None, reason=reason)


def _left_out(field: Field) -> str:
    """How many are kept out, by what they lack; nothing where nobody is."""
    return "".join(f"; left out: {len(players)} ({why})" for why, players in field.left_out.items())


def _spare_for(spares: Sequence[Staff], venue: str, scope: str) -> Staff | None:
    """A spare player of this venue, else one who goes anywhere; of several the first who offered themselves."""
    if scope != "venue":
        return spares[0] if spares else None
    return next((spare for wanted in (venue, "") for spare in spares if spare.venue == wanted), None)


def _played_by(group: Iterable[str], games: Sequence[Game]) -> list[Game]:
    there = set(group)
    return [game for game in games if game.player_1 in there or game.player_2 in there]


def _concerns(entrant: Entrant, group: Collection[str], faced: Collection[str | None]) -> bool:
    """Whether pairing a group has to know of an entrant: they are in it, or left after a game with one of it."""
    return entrant.player in group or (entrant.status != "active" and entrant.player in faced)


def _rows_of(standings: Standings | None, group: Collection[str]) -> Standings | None:
    if standings is None:
        return None
    rows = tuple(row for row in standings.rows if row.player in group)
    return Standings(standings.round, standings.columns, rows, standings.draws)


def field_of(state: Tournament, number: int) -> Field:
    """Who plays in a round: everybody active, provided that they may begin.

    Who sits down for the first time needs the list that the tier demands (AR-REG-1), and to be checked in where the
    organiser wants that; who has played before is asked for neither again.
    """
    entries, before = state.entries, seated_before(state, number)
    players: list[str] = []
    left_out: dict[str, list[str]] = {}
    for player in entries.active():
        why = "" if player.id in before else lacking(entries, player)
        if why:
            left_out.setdefault(why, []).append(player.id)
        else:
            players.append(player.id)
    return Field(players, left_out)
