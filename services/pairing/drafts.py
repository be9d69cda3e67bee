"""Pairings written by hand: read into drafts, with every fault at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations, product

from services.pairing.tournament.commands import ByHand, PairRound
from services.pairing.tournament.drafts import Draft, Field, lacking
from services.pairing.tournament.format import PairingRules
from services.pairing.tournament.refusals import PairingsRefused
from services.pairing.tournament.seating import Place
from services.pairing.tournament.state import seated_before
from shared.refusals import Fault, expects, one_of
from shared.rules.model import KINDS
from shared.tournament.format import tier_of
from shared.tournament.games import NO_ROSTER, lacks_list
from shared.tournament.guards import player_with_seat
from shared.tournament.people import Entries, Player
from shared.tournament.state import Tournament

HAND = "by hand"
PLAYING_STAFF = ("spare", "organiser", "head_referee", "referee")
"""Roles that may sit down as the spare player: one person may hold them all (FF-STAFF-1)."""


def by_hand(
    rules: PairingRules, state: Tournament, number: int, command: PairRound, field: Field, stage: str
) -> list[Draft]:
    """A whole round: everybody of the field is in it, or sits out on purpose.

    Raises PairingsRefused with every fault.
    """
    pairings = command.pairings or []
    drafts, faults = read(rules, state, number, pairings, stage, command.allow_rematch)
    faults += _sitting_out(state, command.sitting_out, pairings, field, stage)
    mentioned = {*command.sitting_out, *(player for one in pairings for player in one.named)}
    faults += [
        Fault("/pairings", "nothing", expects("player-paired", player=state.entries.name_of(player), id=player))
        for player in field.players
        if player not in mentioned
    ]
    if stage == "elimination":
        faults += [
            Fault(f"/pairings/{index}", player, expects("player-in-bracket"))
            for index, draft in enumerate(drafts)
            for player in draft.players
            if player not in field.players
        ]
    refuse(faults)
    return drafts


def read(
    rules: PairingRules,
    state: Tournament,
    number: int,
    pairings: Sequence[ByHand],
    stage: str,
    allow_rematch: bool,
    taken: Mapping[Place, str] = {},
) -> tuple[list[Draft], list[Fault]]:
    """Drafts of pairings by hand, and what is wrong with them. taken: tables where a game goes on."""
    entries = state.entries
    met = rules.met_before(state, number) if stage != "elimination" else {}
    named = Counter(player for one in pairings for player in one.named)
    before = seated_before(state, number)
    drafts: list[Draft] = []
    faults: list[Fault] = []
    used: dict[Place, str] = dict(taken)
    for index, one in enumerate(pairings):
        where = f"/pairings/{index}"
        kind, found = _kind(entries, one, where)
        found += rules.faults_by_hand(state, number, one, kind, where)
        faults += found or _faults_of_spare(entries, one, kind, where)
        places = list(one.places)
        for place, player in places if kind == "game" else places[:1]:
            faults += _player(state, number, player, f"{where}/{place}", before)
        clause = "FS-RND-5" if one.sides else ""
        faults += [
            Fault(f"{where}/{place}", player, expects("everybody-once"), clause)
            for place, player in places
            if named[player] > 1
        ]
        again = _met_again(one, met) if kind != "bye" else []
        if again and not allow_rematch:
            said = ", ".join(dict.fromkeys(player for pair in again for player in pair))
            faults.append(Fault(where, said, expects("new-opponents"), rules.MET_CLAUSE))
        first, second = _firsts(one)
        venue, table, found = _place(entries, one, kind, where, used)
        faults += found
        drafts.append(
            Draft(
                kind=kind,
                bye=KINDS.get(one.kind or "", ""),
                player_1=first,
                player_2="" if kind == "bye" else second,
                sides=one.sides,
                venue=venue,
                table=table,
                wave=one.wave if table else 1,
                reason=HAND,
                rematch=bool(again),
            )
        )
    return drafts, faults


def refuse(faults: Sequence[Fault]) -> None:
    """Raises PairingsRefused when there are faults."""
    if faults:
        count = len(faults)
        raise PairingsRefused(f"The pairings have {count} fault{'s' if count > 1 else ''}.", faults)


def _met_again(one: ByHand, met: Mapping[str, Collection[str]]) -> list[tuple[str, str]]:
    """The rivals of a game who have met before; allies meet nobody by that. FS-RND-2, FS-RND-5."""
    sides = one.sides or [[one.player_1], [one.player_2 or ""]]
    rivals = (pair for here, there in combinations(sides, 2) for pair in product(here, there))
    return [(first, second) for first, second in rivals if second in met.get(first, ())]


def _firsts(one: ByHand) -> tuple[str, str]:
    """The two by whom a pairing is known beside its sides: the first of the first two."""
    if not one.sides:
        return one.player_1, one.player_2 or ""
    first, second = (next(iter(side), "") for side in [*one.sides, []][:2])
    return first, second


def _kind(entries: Entries, one: ByHand, where: str) -> tuple[str, list[Fault]]:
    if one.sides:
        return "game", []
    staff = entries.staff.get(one.player_2 or "")
    follows = "bye" if not one.player_2 else "spare" if staff and one.player_2 not in entries.players else "game"
    said = one.kind or ""
    kind = "bye" if said in KINDS else said or follows
    if kind == "bye" and one.player_2:
        return kind, [Fault(f"{where}/player_2", one.player_2, expects("no-opponent-of-bye"))]
    if kind == "game" and not one.player_2:
        return kind, [Fault(f"{where}/player_2", "nothing", expects("opponent-or-bye"))]
    return kind, []


def _faults_of_spare(entries: Entries, one: ByHand, kind: str, where: str) -> list[Fault]:
    staff = entries.staff.get(one.player_2 or "")
    if kind == "spare" and not (staff and staff.active and staff.role in PLAYING_STAFF):
        return [Fault(f"{where}/player_2", one.player_2 or "nothing", expects("playing-staff"))]
    return []


def _player(state: Tournament, number: int, player: str, where: str, before: Collection[str]) -> Iterable[Fault]:
    known = state.entries.players.get(player)
    if known is None:
        return [Fault(where, player, expects("player-of-tournament"))]
    if known.status != "active":
        return [Fault(where, player, player_with_seat(known))]
    if player not in before and (lacking(state.entries, known) == NO_ROSTER or _unheld(state, number, known)):
        clause = tier_of(state.entries).cites("list_due")
        return [Fault(where, player, expects("player-with-accepted-list", player=known.name), clause)]
    return []


def _unheld(state: Tournament, number: int, player: Player) -> bool:
    """Whether a round is under way in which nothing would hold this player, who lacks the list that is due."""
    round = state.rounds.rounds.get(number)
    started = round is not None and round.status == "started" and player.id not in round.held
    return started and lacks_list(state.entries, player)


def _place(
    entries: Entries, one: ByHand, kind: str, where: str, used: dict[Place, str]
) -> tuple[str | None, int | None, list[Fault]]:
    """Where a game is to be played; what is None is found later. A bye has no table, whatever is written."""
    venues = {venue.id: venue for venue in entries.venues.values() if venue.open}
    if one.venue and one.venue not in venues:
        right = one_of(list(venues)) if venues else expects("no-open-venue")
        return None, None, [Fault(f"{where}/venue", one.venue, right)]
    if kind == "bye":
        return one.venue or None, 0, []
    if not venues and one.table is None:
        return "", 0, []
    if one.table is None:
        return one.venue or None, None, []
    homes = {entries.players[player].venue for player in one.named if player in entries.players}
    if one.venue or not venues:
        venue = one.venue
    elif len(venues) == 1:
        venue = next(iter(venues))
    elif len(homes) == 1 and homes <= set(venues):
        venue = homes.pop()
    else:
        return None, None, [Fault(f"{where}/venue", "nothing", one_of(list(venues)))]
    place = (venue, one.table, one.wave)
    if venue and venues[venue].tables and one.table not in venues[venue].tables:
        return venue, one.table, [Fault(f"{where}/table", str(one.table), expects("table-of-venue"))]
    if place in used:
        right = expects("free-table-or-wave", place=used[place])
        return venue, one.table, [Fault(f"{where}/table", str(one.table), right)]
    used[place] = where
    return venue, one.table, []


def _sitting_out(
    state: Tournament, sitting_out: Sequence[str], pairings: Sequence[ByHand], field: Field, stage: str
) -> list[Fault]:
    paired = {player for one in pairings for player in one.named}
    faults = []
    for index, player in enumerate(sitting_out):
        where = f"/sitting_out/{index}"
        if stage == "elimination":
            faults.append(Fault(where, player, expects("nobody-in-bracket")))
        elif player not in state.entries.players:
            faults.append(Fault(where, player, expects("player-of-tournament")))
        elif player in paired:
            faults.append(Fault(where, player, expects("unpaired-player")))
    return faults
