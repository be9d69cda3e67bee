"""Rounds in preparation: what a format answers, who is paired, pairings written by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Annotated, Any, Literal, Protocol

from msgspec import UNSET, Struct, UnsetType

from services.pairing.guards import named, seated_before
from shared.refusals import Expected, Fault, Refusal, expects, one_of
from shared.rules.matching import Met
from shared.rules.model import KINDS, Draw
from shared.shapes import Id, Shape, Size, TableNumber, Whole
from shared.tournament.format import tier_of
from shared.tournament.games import NO_ROSTER, is_list_missing
from shared.tournament.guards import player_with_seat
from shared.tournament.people import Entries, Player, Staff
from shared.tournament.state import Tournament

Place = tuple[str, int, int]
"""A venue, the number of a table in it, and the wave in which a game is played there."""


LONGEST_ROUND = 5000
"""Pairings of one round by hand."""

LARGEST_GAME = 100
"""Sides of a game, and groups of a side."""

ROUNDS = 1000

Players = Annotated[list[Id], Size(LONGEST_ROUND)]

Meant = Annotated[int | None, Whole(1, ROUNDS)]
"""The round that is meant, so that a request that comes twice has its effect once; None for the next."""

KindByHand = Literal["game", "bye", "spare", "awarded_bye", "requested_bye"]


class ByHand(Shape, frozen=True, kw_only=True):
    """A pairing by hand. Without `player_2` it is a bye; with a member of staff, a game against the spare player.

    table: left out, any free one of the venue; a bye has none, whatever is written. sides: in a campaign, of a game of
    three or more groups, in place of `player_1` and `player_2`.
    """

    player_1: Annotated[Id, "Needed where there are no `sides`."] = ""
    player_2: Id | None = None
    kind: KindByHand | UnsetType = UNSET
    venue: Annotated[Id, "Needed only where it does not follow."] = ""
    table: TableNumber | None = None
    wave: Annotated[
        int,
        Whole(1, LONGEST_ROUND),
        "With a table: 2 for the second game of the round there, 3 for the third.",
    ] = 1
    sides: Annotated[
        list[Annotated[list[Id], Size(LARGEST_GAME)]],
        Size(LARGEST_GAME),
        "Every side with its groups: two sides or more, three groups or more.",
    ] = []

    @staticmethod
    def wrong(said: Mapping[str, Any]) -> Mapping[str, Expected]:
        """Two players, or sides."""
        if not said["sides"]:
            return {} if said["player_1"] else {"player_1": expects("player-or-sides")}
        beside = next((name for name in ("player_1", "player_2") if said[name]), "")
        return {beside: expects("nothing-beside", member="sides")} if beside else {}

    @property
    def places(self) -> Iterator[tuple[str, str]]:
        """Everybody who is named, staff too, each with the member of the request where it stands."""
        yield from ((name, who) for name in ("player_1", "player_2") if (who := getattr(self, name)))
        for number, side in enumerate(self.sides):
            yield from ((f"sides/{number}/{index}", who) for index, who in enumerate(side))

    @property
    def named(self) -> list[str]:
        """Everybody who is named, as often as they are."""
        return [who for _, who in self.places]


class ByeGiven(Shape, frozen=True, kw_only=True):
    """A bye that does not come from the pairing. kind: `awarded` before the start, or `requested` by the player."""

    player: Id
    kind: Literal["awarded", "requested"]


NOT_CHECKED_IN, SITTING_OUT = "not_checked_in", "sitting_out"
"""Why an active player is left out of a round, beside NO_ROSTER."""


class Draft(Struct, frozen=True, kw_only=True):
    """A pairing without its id. venue, table: None where they are still to be found; table 0: it needs none. wave: 1
    for a game that begins with the round, 2 for the next at that table.

    slot: the number in its game id, where it is not the next one (a place in a bracket). bye: how a bye was come by
    that is none of the pairing: `awarded` or `requested`. sides: as of a seat.
    """

    kind: str
    player_1: str
    player_2: str = ""
    venue: str | None = None
    table: int | None = None
    wave: int = 1
    reason: str = ""
    rematch: bool = False
    slot: int | None = None
    bye: str = ""
    sides: list[list[str]] = []

    @property
    def players(self) -> tuple[str, ...]:
        """The players of the tournament who sit here; the spare player is none."""
        if self.sides:
            return tuple(player for side in self.sides for player in side)
        return (self.player_1, self.player_2) if self.kind == "game" else (self.player_1,)


class Plan(Struct, frozen=True, kw_only=True):
    """A whole round: its pairings in order, how they came about, and the draws that were made."""

    stage: str
    method: str
    drafts: Sequence[Draft]
    draws: Sequence[Draw] = ()
    left_out: dict[str, list[str]] = {}
    reason: str = ""


class Field(Struct, frozen=True):
    """Players to be paired, in order of sign-up; and those who are left out, by reason."""

    players: list[str]
    left_out: dict[str, list[str]]


def lacking(entries: Entries, player: Player) -> str:
    """What keeps a player out of the pairing of a first game; empty when nothing does."""
    if tier_of(entries).list_due_for == "pairing" and is_list_missing(entries, player):
        return NO_ROSTER
    if entries.check_in and not player.checked_in:
        return NOT_CHECKED_IN
    return ""


def by_venue(state: Tournament, players: list[str]) -> dict[str, list[str]]:
    """The groups to be paired apart: one for each venue, or a single one under "" when the event is paired as one.

    Raises PlayersWithoutVenue with everybody who is at no open venue.
    """
    entries = state.entries
    if entries.pairing_scope != "venue":
        return {"": players}
    groups: dict[str, list[str]] = {venue.id: [] for venue in entries.venues.values() if venue.open}
    nowhere = [entries.players[player] for player in players if entries.players[player].venue not in groups]
    if nowhere:
        raise PlayersWithoutVenue(
            f"{len(nowhere)} player{'s are' if len(nowhere) > 1 else ' is'} at no open venue.",
            players=[named(player) for player in nowhere],
        )
    for player in players:
        groups[entries.players[player].venue].append(player)
    return {venue: group for venue, group in groups.items() if group}


def spares_of(state: Tournament) -> list[Staff]:
    """The spare players who stand by, in the order in which they offered themselves."""
    staff = state.entries.staff
    return [staff[id] for id in state.rounds.spares if id in staff and staff[id].active]


class PairingRules(Protocol):
    """A module with what a format asks of pairings, also of those made by hand."""

    @property
    def MET_CLAUSE(self) -> str:
        """The clause that asks for opponents who have not met; empty if no document does."""

    def met_before(self, state: Tournament, number: int, /) -> Met:
        """Return whom each player has met before a round."""

    def faults_by_hand(
        self, state: Tournament, number: int, pairing: ByHand, kind: str, where: str, /
    ) -> Iterable[Fault]:
        """Return what this format has against a pairing by hand. kind: game, bye or spare. where: its JSON pointer."""

    def avoid_repeats(self, entries: Entries, /) -> bool:
        """Return True if players should not sit at a table where they sat before."""


HAND = "by hand"
PLAYING_STAFF = ("spare", "organiser", "head_referee", "referee")
"""Roles that may sit down as the spare player: one person may hold them all (FF-STAFF-1)."""


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
    return started and is_list_missing(state.entries, player)


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


class PlayersWithoutVenue(Refusal):
    """Every venue is paired apart, and some players are at none."""

    code = "players-without-venue"


class PairingsRefused(Refusal):
    """Pairings by hand that cannot stand; faults name every one."""

    code = "pairings-refused"
