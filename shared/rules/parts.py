"""The parts of a ruleset, as a pack writes them: numbers and names of pieces, each with the clause it comes from.

What a game is worth stands in `game_parts`.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

Setting = int | bool | str
"""What an option of the simple kinds puts into a ruleset."""


class Part(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part with its source: `clause` holds for every field that `clauses` does not name."""

    clause: str
    clauses: dict[str, str] = {}

    def cites(self, field: str) -> str:
        """The clause that the field (or rule) of this part comes from."""
        return self.clauses.get(field, self.clause)

    def citable(self) -> frozenset[str]:
        """The names that `clauses` may speak of."""
        return frozenset(self.__struct_fields__)


class Document(Part, frozen=True):
    """The rules document. date: ISO 8601."""

    title: str
    version: str
    date: str


class Tier(Part, frozen=True):
    """A level of play. rounds: by the table, or set by the organiser. list_due: a list is due before round 1.

    kept_apart: players may ask not to meet each other in round 1.
    """

    id: str
    rounds: Literal["table", "organiser"]
    list_due: bool
    judge_may_play: bool
    kept_apart: bool = False


class Entry(Part, frozen=True):
    """Who may enter: fewest players, and what a late entry gets (`none`: nobody enters once round 1 is paired)."""

    minimum_players: int
    late: Literal["none", "zero_points"]


class Total(Part, frozen=True, tag_field="check", tag="total"):
    """The points of the lists in `of`, with everything nested in them, are at most `most`.

    written: the roster's own field that must state the same sum; empty when it has none. active: whether it is held.
    """

    of: list[str]
    most: int
    written: str = ""
    active: bool = True


class Count(Part, frozen=True, tag_field="check", tag="count"):
    """The list `of` has at least `least` and at most `most` entries."""

    of: str
    least: int
    most: int


class OnePer(Part, frozen=True, tag_field="check", tag="one_per"):
    """The list `of` has exactly one entry whose field `by` has each of the `choices`, and no others."""

    of: str
    by: str
    choices: list[str]


class OneOf(Part, frozen=True, tag_field="check", tag="one_of"):
    """The field `of` is one of the `choices`."""

    of: str
    choices: list[str]


class Named(Part, frozen=True, tag_field="check", tag="named"):
    """Every entry of the lists in `of` has its `fields`, none empty; lists that are left out are empty.

    inner: the fields of what is nested in an entry; the same ones where nothing is said.
    """

    of: list[str]
    fields: list[str]
    inner: list[str] = []


class Purchases(Part, frozen=True, tag_field="check", tag="purchases"):
    """How many entries of the nested lists in `kinds` one entry of `of` has in all, by its field `by`.

    unstated: what counts for an entry without that field; empty: the field is due.
    """

    of: list[str]
    kinds: list[str]
    by: str
    limits: dict[str, int]
    unstated: str = ""


class Perks(Part, frozen=True, tag_field="check", tag="perks"):
    """Perks that are bought: each once in a roster, none of the kind `barred`, at the price of their requisite.

    of: lists with entries that have perks in the nested list `nested`. doubled: the kind that costs twice as much.
    """

    of: list[str]
    nested: str
    barred: str
    doubled: str


class Upgrades(Part, frozen=True, tag_field="check", tag="upgrades"):
    """Statistics that are raised: none of `barred`, none above `most`, each once for an entry, by one."""

    of: list[str]
    nested: str
    choices: list[str]
    barred: list[str]
    most: int


class Rated(Part, frozen=True, tag_field="check", tag="rated"):
    """Entries whose points are fixed, by the roster's field `by` and the entry's name (with its weapon)."""

    of: list[str]
    by: str
    value: str
    points: dict[str, int]


class Stated(Part, frozen=True, tag_field="check", tag="stated"):
    """An entry whose field `written` states its points states the sum of them and of everything nested in it."""

    of: list[str]
    written: str


class Leader(Part, frozen=True, tag_field="check", tag="leader"):
    """At least one entry has the class, or a perk of the name, of a leader. perks: the nested lists of perks."""

    of: list[str]
    by: str
    value: str
    perk: str
    perks: list[str]


class Without(Part, frozen=True, tag_field="check", tag="without"):
    """No entry has one of the `values` in its field `by`. advice: it is allowed, and only told."""

    of: list[str]
    by: str
    values: list[str]
    nested: str = ""
    advice: bool = False


class Among(Part, frozen=True, tag_field="check", tag="among"):
    """Every entry has in its field `by` one of the `choices`, or what the roster's own field `own` says."""

    of: list[str]
    by: str
    choices: list[str]
    own: str = ""


RosterCheck = (
    Total | Count | OnePer | OneOf | Named | Purchases | Perks | Upgrades | Rated | Stated | Leader | Without | Among
)


class CatalogueItem(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something a roster may hold. in_list: where it stands in a roster; points: its price, where it has one.

    factions: who may have it (nobody named: all). fields: further fields that its entry has, with their values.
    """

    in_list: str
    name: str
    points: int | None = None
    factions: list[str] = []
    fields: dict[str, int | str] = {}


class Roster(Part, frozen=True):
    """What a list must keep to. locked: from when it cannot change.

    fields: the fields that a roster may have. `entries` is a list of objects, each with texts, whole numbers
    (`points` among them) and further lists of the same kind.
    catalogue: what there is to choose from; while it is empty, names and prices are taken as they are written.
    example: a legal roster, the form to copy; empty where the pack has none.
    """

    locked: Literal["start", "first_game"]
    fields: dict[str, Literal["text", "whole", "entries"]]
    checks: list[RosterCheck]
    catalogue: list[CatalogueItem] = []
    example: dict[str, Any] = {}


class Stage(Part, frozen=True):
    """The pairing policy from tournament round `from_round` on."""

    from_round: int
    policy: str


class PairingRules(Part, frozen=True):
    """Who meets whom."""

    stages: list[Stage]


class RoundsBand(Struct, frozen=True, forbid_unknown_fields=True):
    """A row of the rounds table: players (inclusive, the last may be open), rounds, days, cut size and cut round."""

    least: int
    rounds: int
    most: int | None = None
    days: list[int] = []
    cut_to: int = 0
    cut_after: int = 0


class Rounds(Part, frozen=True):
    """The number of tournament rounds. outside: what holds for player counts that no row has."""

    table: list[RoundsBand]
    outside: Literal["never", "organiser"]

    def citable(self) -> frozenset[str]:
        """The fields of the table's rows, too."""
        return frozenset((*self.__struct_fields__, *RoundsBand.__struct_fields__))


class Cut(Part, frozen=True):
    """The elimination stage. bracket `none`: final standings decide."""

    bracket: Literal["none", "seeded", "random", "reseed"]


class Tables(Part, frozen=True):
    """order: the top pairing gets the lowest table, or a recorded draw says who does. avoid_repeats: a player gets a
    new table when one is free."""

    order: Literal["top_first", "random"]
    avoid_repeats: bool


class Spare(Part, frozen=True):
    """Whom the spare player meets: the last in the standings, or whoever the first to drop would have met."""

    mode: Literal["last_ranked", "first_drop"] = "last_ranked"


class Legality(Part, frozen=True):
    """delay_days: from a release until it is legal; list_due_days: from a list's due day to the first day of play."""

    delay_days: int
    list_due_days: int


class Option(Part, frozen=True, kw_only=True):
    """Something an organiser may set.

    kind: `choice` puts what `choices` says for the word given, `flag` true or false, `whole` the number (or what
    `choices` says for a word), `bands` a margin table, `rounds` a table of rounds and cuts. default: what holds
    otherwise (a word, a number or a flag; nothing where the pack's own table or no value holds). sets: JSON pointers
    into the ruleset. until: when it is fixed. needs: options that must be set together with this one; needs_above:
    only where this one is a number above that.
    """

    key: str
    title: str
    kind: Literal["choice", "flag", "whole", "bands", "rounds"]
    default: Setting | None = None
    until: Literal["announcement", "round_1", "any"]
    sets: list[str]
    choices: dict[str, Setting] = {}
    least: int = 0
    most: int | None = None
    needs: list[str] = []
    needs_above: int = -1
