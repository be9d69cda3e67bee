"""The tables of a campaign ruleset: forces, goods, and what the dice of each step find. Numbers only, read from YAML.

| of `rules`      | struct        | clauses                                  |
|-----------------|---------------|------------------------------------------|
| `core` | `Core`        | FS-GRP, FS-RAT, FS-GAM, FS-UPK, FS-DOC, FS-RAD, FS-REC |
| `forces` | `Force`       | FS-FRC, FS-GRP-4 to FS-GRP-8, FS-SPC     |
| `goods` | `Good`        | FS-FRC-3, FS-ITM, FS-RAT-2               |
| `merchants` | `Merchant`    | FS-BAR                                   |
| `turfs` | `Turf`        | FS-TRF                                   |
| `injuries` | `Injury`      | FS-INJ-1                                 |
| `advancement` | `Advancement` | FS-XP-4, FS-ADV, FS-PRK                  |
| `finds` | `Finds`       | FS-SCV-1, FS-SPC-5                       |
| `encounters` | `Encounters`  | FS-ENC                                   |
| `objectives` | `Objective`   | FS-GAM-5, FS-GAM-10                      |
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from shared.formats.campaign.rules.dice import Row
from shared.formats.campaign.rules.force_tables import Force
from shared.formats.campaign.rules.options import Options
from shared.formats.campaign.rules.words import Attribute, Changes, Food, Kind, Rank
from shared.rules.parts import Part


class Good(Struct, frozen=True, omit_defaults=True):
    """Something that a group can own. caps: the base value; a custom weapon has none of its own.

    tags: of weapons. single_use: gone when used; permanent: serves for ever. builds: what a set of parts or a
    schematic is for. armor: the armor save, by force where it differs. worn: changes of the one who holds it.
    taken: changes of a leader who takes it before a merchant's counter. use: what it does after a game.
    sample: the caps of the sample profile, where that differs. most: how many a group may have.
    """

    names: tuple[str, ...]
    kind: Kind
    caps: int = 0
    tags: tuple[Literal["pistol", "revolver", "laser", "plasma"], ...] = ()
    single_use: bool = False
    permanent: bool = False
    parts_for: str = ""
    schematic_for: str = ""
    armor: dict[str, int] = {}
    worn: Changes = {}
    taken: Changes = {}
    use: Literal["", "heal_injury", "clear_rads"] = ""
    sample: int | None = None
    most: int | None = None


class Offer(Struct, frozen=True, omit_defaults=True):
    """A line of a merchant: rarity: D12 added to the caps; modifier: of what bartering moves the price by."""

    item: str
    rarity: int
    caps: int
    modifier: int
    sample_rarity: int | None = None


class Merchant(Struct, frozen=True, omit_defaults=True):
    """A merchant. find: the total that finds a caravan; 0 is always found. The order of goods is that of FS-GAM-10."""

    name: str
    charisma: int
    goods: tuple[Offer, ...]
    find: int = 0


class Feature(Struct, frozen=True, omit_defaults=True):
    """What a turf gives beside caps and food. charisma: of the leader at a fixed merchant. rerolls: of injuries.

    feeds: whether it feeds half of the members. double: the item that equal dice find. yields: an item.
    becomes: what that item can be made into by a group with the schematic. sells: the dice of its caps.
    """

    charisma: int = 0
    rerolls: int = 0
    feeds: bool = False
    double: str = ""
    yields: str = ""
    becomes: str = ""
    sells: str = ""


class Turf(Row, frozen=True, omit_defaults=True):
    """A turf by the 2D12 that finds it. caps, food: dice of a visit. instead: what may be chosen in their place.

    visited: whether it asks for a visit. invention_until: the highest face of a D12 that finds something.
    """

    turf: str
    name: str
    caps: str = ""
    food: str = ""
    visited: bool = True
    instead: Literal["", "invention", "half_price_weapon"] = ""
    invention_until: int = 0
    feature: Feature = Feature()


class Injury(Row, frozen=True, omit_defaults=True):
    """A row of the injury table. limb: what a third of cannot be had; as_limb: the one it is like, by an option."""

    injury: str
    name: str
    changes: Changes = {}
    dies: bool = False
    limb: Literal["", "leg", "arm", "eye"] = ""
    as_limb: Literal["", "leg", "arm"] = ""


class Level(Struct, frozen=True, omit_defaults=True):
    """A level and the experience that reaches it; a label where the table has one. rank: what the label means."""

    level: int
    xp: int
    label: str = ""
    rank: Rank | None = None


class Advance(Row, frozen=True, omit_defaults=True):
    """A row of the advancement table: an attribute that grows by one, or a perk, perhaps without its requirement."""

    gains: Attribute | Literal["perk", "perk_any"]


class Perk(Struct, frozen=True, omit_defaults=True):
    """A perk. requires: attribute -> number. shift: how far it may move its own scavenging roll."""

    name: str
    requires: Changes = {}
    leader_only: bool = False
    shift: int = 0
    buying: Literal["", "leader", "master_trader"] = ""


class Advancement(Struct, frozen=True):
    """Experience, levels, advancement rolls and perks."""

    experience: dict[str, int]
    levels: tuple[Level, ...]
    rows: tuple[Advance, ...]
    most: Changes
    perks: dict[str, Perk]


class Find(Row, frozen=True, omit_defaults=True):
    """A row of a table of finds. amount, downed: dice, and those of a member who was taken to 0 wounds."""

    finds: Literal["encounter", "food", "caps", "special", "item", "centaur", "trap"]
    amount: str = ""
    downed: str = ""
    food: Food | None = None
    item: str = ""
    choice: Literal["", "club", "pistol"] = ""


class Finds(Struct, frozen=True):
    """What scavenging, its twelve, and searched buildings find. encounter: the dice of caps for killed creatures."""

    scavenging: tuple[Find, ...]
    special: tuple[Find, ...]
    buildings: tuple[Find, ...]
    encounter: str


class Treasure(Row, frozen=True, omit_defaults=True):
    """What a search finds by its total: caps, or an item; amount: dice of how many, where it is not one."""

    caps: int = 0
    item: str = ""
    amount: str = ""


class Card(Struct, frozen=True, omit_defaults=True):
    """A random encounter. number: how many appear, as dice or a number. copies: in the deck of a game.

    wounds: of each, where it is a creature that fights. joins: the rank of whoever is freed. treasure: what a search
    finds, from total 0 on. A card has one of these three.
    """

    name: str
    clause: str
    copies: int
    number: str = "1"
    wounds: int = 0
    joins: Rank | None = None
    treasure: tuple[Treasure, ...] = ()


class Encounters(Struct, frozen=True):
    """The deck of random encounters. searches_most: of one place, in a game.

    collar: by how much it lowers Intelligence. sharpens: drugs that raise Intelligence by one for a while.
    """

    cards: dict[str, Card]
    searches_most: int
    collar: int
    sharpens: tuple[str, ...] = ()


class Reward(Struct, frozen=True, omit_defaults=True):
    """What an objective gives. amount: a number or dice. goods: what the items are; the owner's choice of several."""

    kind: Literal[
        "caps",
        "heal_injury",
        "gain_level",
        "half_maintenance",
        "own_weapon",
        "items",
        "merchant_item",
        "recruit",
        "scavenge",
    ]
    amount: str = "1"
    goods: tuple[str, ...] = ()
    merchant: str = ""


class Objective(Row, frozen=True):
    """An objective by its D12. special: the attribute that controls markers. step: where its reward acts."""

    objective: str
    special: Attribute
    step: Literal["1b", "3"]
    reward: Reward


class RankRow(Row, frozen=True):
    """A rank by a D12."""

    rank: Rank


class Band(Struct, frozen=True, omit_defaults=True):
    """Radiation from so many rads on, up to the next band."""

    rads: int
    changes: Changes = {}
    dies: bool = False


class Treatment(Struct, frozen=True):
    """What the doctor does, and its caps."""

    caps: int
    does: Literal["heal_injury", "cure_addictions", "clear_rads"]


class Core(Part, frozen=True):
    """The single numbers of the rules, each with its unit in its name, and in `clauses` the clause that gives it."""

    starting_caps: int
    starting_turfs: int
    starting_xp: dict[Rank, int]
    rating_per_turf: int
    rating_per_centaur: int
    rating_of_custom_weapon: int
    lines: tuple[int, ...]
    tie_reward_vp: int
    end_check_turn: int
    end_total: int
    jam: int
    recruits: tuple[RankRow, ...]
    recruit_caps: int
    recruits_most: int
    recruit_gift: str
    food_price: int
    upkeep_caps: int
    starves_at: int
    critical_failure: int
    build_keeps_until: int
    build_destroys_from: int
    treatments: dict[str, Treatment]
    doctor_addiction_dice: str
    bands: tuple[Band, ...]
    radaway: int
    withdrawal: int
    centaur_food: int
    centaurs_most: int


class Rules(Part, frozen=True):
    """The whole of a campaign ruleset as it is pinned: tables and options in force. clauses: where tables come from."""

    core: Core
    forces: dict[str, Force]
    goods: dict[str, Good]
    merchants: dict[str, Merchant]
    turfs: tuple[Turf, ...]
    injuries: tuple[Injury, ...]
    advancement: Advancement
    finds: Finds
    encounters: Encounters
    objectives: tuple[Objective, ...]
    options: Options = Options()
