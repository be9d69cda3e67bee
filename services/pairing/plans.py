"""Plans of rounds: the field to pair, planned pairings, and pairings entered by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Annotated, Any, Literal, Protocol

from msgspec import UNSET, Struct, UnsetType

from services.pairing.guards import player_data, players_seated_before
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
"""Venue id, table number and wave of a game."""

MAX_PAIRINGS = 5000
"""Maximum pairings in a round entered by hand."""
MAX_SIDES = 100
"""Maximum sides of a game, and groups on one side."""
MAX_ROUNDS = 1000

Players = Annotated[list[Id], Size(MAX_PAIRINGS)]
ExpectedRound = Annotated[
    int | None,
    Whole(1, MAX_ROUNDS),
    "The round that you expect to be next. A repeated request is then refused instead of pairing another round.",
]

KindByHand = Literal["game", "bye", "spare", "awarded_bye", "requested_bye"]


class ByHand(Shape, frozen=True, kw_only=True):
    """A pairing entered by hand.

    Without `player_2` it is a bye. With a member of staff as `player_2` it is a game against the spare player.
    """

    player_1: Annotated[Id, "Required unless `sides` is given."] = ""
    player_2: Id | None = None
    kind: KindByHand | UnsetType = UNSET
    venue: Annotated[Id, "Required only if it does not follow from the players."] = ""
    table: Annotated[
        TableNumber | None, "Default: any free table of the venue. Ignored for a bye, which has no table."
    ] = None
    wave: Annotated[
        int,
        Whole(1, MAX_PAIRINGS),
        "With `table`: 2 for the second game of the round at that table, 3 for the third.",
    ] = 1
    sides: Annotated[
        list[Annotated[list[Id], Size(MAX_SIDES)]],
        Size(MAX_SIDES),
        "In a campaign: the groups on each side of a game of three or more groups. "
        "Replaces `player_1` and `player_2`. At least two sides.",
    ] = []

    @staticmethod
    def wrong(said: Mapping[str, Any]) -> Mapping[str, Expected]:
        """Require either players or sides, not both."""
        if not said["sides"]:
            return {} if said["player_1"] else {"player_1": expects("player-or-sides")}
        player = next((name for name in ("player_1", "player_2") if said[name]), "")
        return {player: expects("nothing-beside", member="sides")} if player else {}

    @property
    def participants(self) -> Iterator[tuple[str, str]]:
        """Yield the JSON pointer (relative to this pairing) and id of every participant, including staff."""
        yield from ((name, id) for name in ("player_1", "player_2") if (id := getattr(self, name)))
        for number, side in enumerate(self.sides):
            yield from ((f"sides/{number}/{index}", id) for index, id in enumerate(side))

    @property
    def participant_ids(self) -> list[str]:
        """All participant ids, including duplicates."""
        return [id for _, id in self.participants]


class ByeGiven(Shape, frozen=True, kw_only=True):
    """A bye granted before the round is paired."""

    player: Id
    kind: Annotated[
        Literal["awarded", "requested"],
        "`awarded`: granted before the tournament starts. `requested`: the player asked for it.",
    ]


NOT_CHECKED_IN, SITTING_OUT = "not_checked_in", "sitting_out"
"""Reasons why an active player is left out of a round, in addition to NO_ROSTER."""


class PlannedPairing(Struct, frozen=True, kw_only=True):
    """A pairing before it gets its game id.

    venue, table: None until seating assigns them; table 0 means that no table is needed. wave: 1 for a game that starts
    with the round, 2 for the next game at that table. slot: number in the game id if it is not the running number (a
    place in the bracket). bye: `awarded` or `requested` for a bye granted beforehand. sides: as in `Seat`.
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
        """The players of the tournament in this pairing; excludes the spare player."""
        if self.sides:
            return tuple(player for side in self.sides for player in side)
        return (self.player_1, self.player_2) if self.kind == "game" else (self.player_1,)


class Plan(Struct, frozen=True, kw_only=True):
    """A whole round: its pairings in order, the method that made them, and the draws."""

    stage: str
    method: str
    pairings: Sequence[PlannedPairing]
    draws: Sequence[Draw] = ()
    left_out: dict[str, list[str]] = {}
    reason: str = ""


class Field(Struct, frozen=True):
    """The players to pair, in order of sign-up, and the players left out, by reason."""

    players: list[str]
    left_out: dict[str, list[str]]


def missing_requirement(entries: Entries, player: Player) -> str:
    """Return the reason that keeps a player out of their first pairing; empty if there is none."""
    if tier_of(entries).list_due_for == "pairing" and is_list_missing(entries, player):
        return NO_ROSTER
    if entries.check_in and not player.checked_in:
        return NOT_CHECKED_IN
    return ""


def group_by_venue(state: Tournament, players: list[str]) -> dict[str, list[str]]:
    """Return the groups that are paired separately: one per open venue, or a single one under "".

    Raises PlayersWithoutVenue with every player who is at no open venue.
    """
    entries = state.entries
    if entries.pairing_scope != "venue":
        return {"": players}
    groups: dict[str, list[str]] = {venue.id: [] for venue in entries.venues.values() if venue.open}
    homeless = [entries.players[player] for player in players if entries.players[player].venue not in groups]
    if homeless:
        raise PlayersWithoutVenue(
            f"{len(homeless)} player{'s are' if len(homeless) > 1 else ' is'} at no open venue.",
            players=[player_data(player) for player in homeless],
        )
    for player in players:
        groups[entries.players[player].venue].append(player)
    return {venue: group for venue, group in groups.items() if group}


def standby_spares(state: Tournament) -> list[Staff]:
    """Return the spare players on standby, in the order in which they were offered."""
    staff = state.entries.staff
    return [staff[id] for id in state.rounds.spares if id in staff and staff[id].active]


class PairingRules(Protocol):
    """A module with the rules of a format about pairings, including those entered by hand."""

    @property
    def MET_CLAUSE(self) -> str:
        """The clause that forbids rematches; empty if no document does."""

    def met_before(self, state: Tournament, number: int, /) -> Met:
        """Return the earlier opponents of each player before a round."""

    def faults_by_hand(
        self, state: Tournament, number: int, pairing: ByHand, kind: str, where: str, /
    ) -> Iterable[Fault]:
        """Return the faults of a pairing by hand under this format.

        kind: game, bye or spare. where: JSON pointer of the pairing.
        """

    def avoid_repeats(self, entries: Entries, /) -> bool:
        """Return True if players should not play at the same table twice."""


REASON_BY_HAND = "by hand"
PLAYING_STAFF = ("spare", "organiser", "head_referee", "referee")
"""Roles that may play as the spare player: one person may hold all of them (FF-STAFF-1)."""


def read_pairings(
    rules: PairingRules,
    state: Tournament,
    number: int,
    pairings: Sequence[ByHand],
    stage: str,
    allow_rematch: bool,
    taken: Mapping[Place, str] = {},
) -> tuple[list[PlannedPairing], list[Fault]]:
    """Return the planned pairings for pairings entered by hand, and all their faults.

    taken: places of games that continue, with their game ids.
    """
    entries = state.entries
    met = rules.met_before(state, number) if stage != "elimination" else {}
    occurrences = Counter(player for pairing in pairings for player in pairing.participant_ids)
    seated_before = players_seated_before(state, number)
    planned: list[PlannedPairing] = []
    faults: list[Fault] = []
    used: dict[Place, str] = dict(taken)
    for index, pairing in enumerate(pairings):
        where = f"/pairings/{index}"
        kind, kind_faults = _read_kind(entries, pairing, where)
        kind_faults += rules.faults_by_hand(state, number, pairing, kind, where)
        faults += kind_faults or _spare_faults(entries, pairing, kind, where)
        participants = list(pairing.participants)
        for member, player in participants if kind == "game" else participants[:1]:
            faults += _player_faults(state, number, player, f"{where}/{member}", seated_before)
        clause = "FS-RND-5" if pairing.sides else ""
        faults += [
            Fault(f"{where}/{member}", player, expects("everybody-once"), clause)
            for member, player in participants
            if occurrences[player] > 1
        ]
        rematches = _rematches(pairing, met) if kind != "bye" else []
        if rematches and not allow_rematch:
            players = ", ".join(dict.fromkeys(player for pair in rematches for player in pair))
            faults.append(Fault(where, players, expects("new-opponents"), rules.MET_CLAUSE))
        first, second = _first_two(pairing)
        venue, table, place_faults = _read_place(entries, pairing, kind, where, used)
        faults += place_faults
        planned.append(
            PlannedPairing(
                kind=kind,
                bye=KINDS.get(pairing.kind or "", ""),
                player_1=first,
                player_2="" if kind == "bye" else second,
                sides=pairing.sides,
                venue=venue,
                table=table,
                wave=pairing.wave if table else 1,
                reason=REASON_BY_HAND,
                rematch=bool(rematches),
            )
        )
    return planned, faults


def refuse_faults(faults: Sequence[Fault]) -> None:
    """Raise PairingsRefused if there are faults."""
    if faults:
        count = len(faults)
        raise PairingsRefused(f"The pairings have {count} fault{'s' if count > 1 else ''}.", faults)


def _rematches(pairing: ByHand, met: Mapping[str, Collection[str]]) -> list[tuple[str, str]]:
    """Return the rivals of a game who have met before. Allies do not count (FS-RND-2, FS-RND-5)."""
    sides = pairing.sides or [[pairing.player_1], [pairing.player_2 or ""]]
    rivals = (pair for side, opponents in combinations(sides, 2) for pair in product(side, opponents))
    return [(first, second) for first, second in rivals if second in met.get(first, ())]


def _first_two(pairing: ByHand) -> tuple[str, str]:
    """Return the two players recorded as player_1 and player_2: of sides, the first of each of the first two."""
    if not pairing.sides:
        return pairing.player_1, pairing.player_2 or ""
    first, second = (next(iter(side), "") for side in [*pairing.sides, []][:2])
    return first, second


def _read_kind(entries: Entries, pairing: ByHand, where: str) -> tuple[str, list[Fault]]:
    if pairing.sides:
        return "game", []
    opponent, given = pairing.player_2, pairing.kind or ""
    default = "bye" if not opponent else "game"
    if opponent in entries.staff and opponent not in entries.players:
        default = "spare"
    kind = "bye" if given in KINDS else given or default
    if kind == "bye" and opponent:
        return kind, [Fault(f"{where}/player_2", opponent, expects("no-opponent-of-bye"))]
    if kind == "game" and not opponent:
        return kind, [Fault(f"{where}/player_2", "nothing", expects("opponent-or-bye"))]
    return kind, []


def _spare_faults(entries: Entries, pairing: ByHand, kind: str, where: str) -> list[Fault]:
    staff = entries.staff.get(pairing.player_2 or "")
    if kind == "spare" and not (staff and staff.active and staff.role in PLAYING_STAFF):
        return [Fault(f"{where}/player_2", pairing.player_2 or "nothing", expects("playing-staff"))]
    return []


def _player_faults(
    state: Tournament, number: int, id: str, where: str, seated_before: Collection[str]
) -> Iterable[Fault]:
    player = state.entries.players.get(id)
    if player is None:
        return [Fault(where, id, expects("player-of-tournament"))]
    if player.status != "active":
        return [Fault(where, id, player_with_seat(player))]
    if id not in seated_before and (
        missing_requirement(state.entries, player) == NO_ROSTER or _starts_without_list(state, number, player)
    ):
        clause = tier_of(state.entries).cites("list_due")
        return [Fault(where, id, expects("player-with-accepted-list", player=player.name), clause)]
    return []


def _starts_without_list(state: Tournament, number: int, player: Player) -> bool:
    """Return True if the round has started, the player lacks the list that is due, and nothing holds their game."""
    round = state.rounds.rounds.get(number)
    clock = round.clock_of(player.venue) if round else None
    return clock is not None and player.id not in clock.held and is_list_missing(state.entries, player)


def _read_place(
    entries: Entries, pairing: ByHand, kind: str, where: str, used: dict[Place, str]
) -> tuple[str | None, int | None, list[Fault]]:
    """Return venue and table of a game (None: to be assigned by seating), and their faults. Mark the place as used."""
    venues = {venue.id: venue for venue in entries.venues.values() if venue.open}
    if pairing.venue and pairing.venue not in venues:
        expected = one_of(list(venues)) if venues else expects("no-open-venue")
        return None, None, [Fault(f"{where}/venue", pairing.venue, expected)]
    if kind == "bye":
        return pairing.venue or None, 0, []
    if not venues and pairing.table is None:
        return "", 0, []
    if pairing.table is None:
        return pairing.venue or None, None, []
    homes = {entries.players[player].venue for player in pairing.participant_ids if player in entries.players}
    if pairing.venue or not venues:
        venue = pairing.venue
    elif len(venues) == 1:
        venue = next(iter(venues))
    elif len(homes) == 1 and homes <= set(venues):
        venue = homes.pop()
    else:
        return None, None, [Fault(f"{where}/venue", "nothing", one_of(list(venues)))]
    place = (venue, pairing.table, pairing.wave)
    if venue and venues[venue].tables and pairing.table not in venues[venue].tables:
        return venue, pairing.table, [Fault(f"{where}/table", str(pairing.table), expects("table-of-venue"))]
    if place in used:
        expected = expects("free-table-or-wave", place=used[place])
        return venue, pairing.table, [Fault(f"{where}/table", str(pairing.table), expected)]
    used[place] = where
    return venue, pairing.table, []


class PlayersWithoutVenue(Refusal):
    """Venues are paired separately, and some players are at no open venue."""

    code = "players-without-venue"


class PairingsRefused(Refusal):
    """Some pairings are not possible; `errors` lists every fault."""

    code = "pairings-refused"
