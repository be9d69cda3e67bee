"""The tables of a campaign ruleset: forces, goods, dice tables, options, and the names of their things.

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

Titles and clauses of options are in the pack. People may use names as well as keys, in any case; refusals show names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

from shared import refusals
from shared.campaign.dice import Row
from shared.campaign.words import Attribute, Changes, Food, Kind, Rank
from shared.refusals import Expected, expects
from shared.rules.parts import Part

Tiebreak = Literal["group_rating", "total_vp", "head_to_head"]
Count = Annotated[int, Meta(ge=1)]
Points = Annotated[int, Meta(ge=0)]


class LeaguePoints(Struct, frozen=True):
    """League points of a game: FS-LGE-1."""

    win: Points = 3
    draw: Points = 1
    loss: Points = 0


class Options(Struct, frozen=True, kw_only=True):
    """The options in force. A field's encoded name is the key of the option. Source: FS-AMB-1 to FS-AMB-60."""

    experienced_xp: Literal[25, 21] = field(name="fs.start.experienced_xp", default=25)
    hired_guns: Literal["skip", "operator_rules"] = field(name="fs.post.hired_guns", default="skip")
    build_and_doctor: Literal["after_bartering", "with_step_3"] = field(
        name="fs.post.build_and_doctor", default="after_bartering"
    )
    injury_roll_time: Literal["post_game", "at_table"] = field(name="fs.injury.roll_time", default="post_game")
    two_crippled_legs: Literal["cannot_take_part", "cannot_move", "no_extra"] = field(
        name="fs.injury.two_crippled_legs", default="cannot_take_part"
    )
    impossible_injury: Literal["reroll", "full_recovery"] = field(name="fs.injury.impossible_result", default="reroll")
    attribute_rows_count_as_limbs: bool = field(name="fs.injury.attribute_rows_count_as_limbs", default=False)
    survive: Literal["alive_after_injuries", "not_taken_down"] = field(
        name="fs.xp.survive", default="alive_after_injuries"
    )
    wound: Literal["per_wound", "per_model"] = field(name="fs.xp.wound", default="per_wound")
    kill: Literal["last_wound", "dead_on_injury_table"] = field(name="fs.xp.kill", default="last_wound")
    level_count: Literal["thresholds_crossed", "one_per_game"] = field(
        name="fs.xp.level_count", default="thresholds_crossed"
    )
    over_maximum: Literal["reroll", "choose_other"] = field(name="fs.adv.over_maximum", default="reroll")
    super_mutant_wounds_max: Literal[3, 4, 5] = field(name="fs.adv.super_mutant_wounds_max", default=3)
    perk_requirement: Literal["minimum", "maximum"] = field(name="fs.perk.requirement", default="minimum")
    waived_requirement: Literal["usable", "dormant"] = field(name="fs.perk.waived_requirement", default="usable")
    leader_bonus: Literal[1, 0] = field(name="fs.barter.leader_bonus", default=1)
    master_trader_bonus: Literal[1, 0, -1] = field(name="fs.barter.master_trader_bonus", default=1)
    fixed_merchant_charisma: Literal[9, 4] = field(name="fs.barter.fixed_merchant_charisma", default=9)
    price_floor: Literal[0, 1] = field(name="fs.barter.price_floor", default=0)
    retry_after_refusal: bool = field(name="fs.barter.retry_after_refusal", default=False)
    opposed_roll: Literal["per_item", "per_visit"] = field(name="fs.barter.opposed_roll", default="per_item")
    leader_must_stay_home: bool = field(name="fs.barter.leader_must_stay_home", default=False)
    merchant_misprints: Literal["as_printed", "use_chapter_12"] = field(
        name="fs.price.merchant_misprints", default="as_printed"
    )
    sample_profiles: Literal["chapter_12", "section_5_5"] = field(name="fs.data.sample_profiles", default="chapter_12")
    trench_coat_armor: Literal["per_force", 3, 5] = field(name="fs.data.trench_coat_armor", default="per_force")
    rank_names: Literal["profile_table", "allowance_lines"] = field(name="fs.force.rank_names", default="profile_table")
    talon_big_guns: Literal["merc_only", "merc_and_veteran_merc"] = field(
        name="fs.force.talon_big_guns", default="merc_only"
    )
    missing_armor: Literal["stays_home", "refuse_at_registration"] = field(
        name="fs.force.missing_armor", default="stays_home"
    )
    big_gun_ratio: Literal["checked_each_muster", "checked_on_purchase"] = field(
        name="fs.force.big_gun_ratio", default="checked_each_muster"
    )
    turf_formula: Literal["dice_first", "arithmetic"] = field(name="fs.turf.formula", default="dice_first")
    free_trader_text: Literal["no_effect", "operator_text"] = field(
        name="fs.turf.free_trader_text", default="no_effect"
    )
    super_duper_mart: Literal["passive", "needs_visit"] = field(name="fs.turf.super_duper_mart", default="passive")
    doctor_reroll: Literal["passive_including_dead", "passive_except_dead", "needs_visit"] = field(
        name="fs.turf.doctor_reroll", default="passive_including_dead"
    )
    turf_gain: Literal["none", "winner_rolls_new", "winner_takes_losers"] = field(name="fs.turf.gain", default="none")
    scavenge_who: Literal["participants", "all_living"] = field(name="fs.scavenge.who", default="participants")
    club_item: Literal["baseball_bat_sledgehammer_nail_board", "tire_iron_lead_pipe"] = field(
        name="fs.scavenge.club_item", default="baseball_bat_sledgehammer_nail_board"
    )
    pistol_item: Literal["pistol_10mm_chinese", "any_pistol_of_choice"] = field(
        name="fs.scavenge.pistol_item", default="pistol_10mm_chinese"
    )
    radiated_food: Literal["per_eater", "per_unit"] = field(name="fs.upkeep.radiated_food", default="per_eater")
    centaur_caps: Literal[0, 5] = field(name="fs.upkeep.centaur_caps", default=0)
    emergency_sale: Literal["fixed_merchant_roll", "flat_half", "none"] = field(
        name="fs.upkeep.emergency_sale", default="fixed_merchant_roll"
    )
    order_rating: Literal["last_final", "recomputed"] = field(name="fs.recruit.order_rating", default="last_final")
    recruit_rating_cost: Literal["profile", "paid_40"] = field(name="fs.recruit.rating_cost", default="profile")
    equipment_value: Literal["chapter_12", "paid"] = field(name="fs.rating.equipment_value", default="chapter_12")
    custom_weapon_value: Literal[20, 0] = field(name="fs.rating.custom_weapon_value", default=20)
    fail_by_three: Literal["keep_parts", "destroy_parts"] = field(name="fs.build.fail_by_three", default="keep_parts")
    addiction_price: Literal["50", "4D12"] = field(name="fs.doctor.addiction_price", default="50")
    doctor_excludes_turf: bool = field(name="fs.doctor.excludes_turf", default=False)
    natural_rule: Literal["roll_under_only", "all_checks"] = field(
        name="fs.dice.natural_rule", default="roll_under_only"
    )
    witness: Literal["confirms", "not_asked"] = field(name="fs.dice.witness", default="confirms")
    found_grenades: Literal["permanent", "single_use"] = field(name="fs.item.found_grenades", default="permanent")
    reward_step: Literal["after_injuries", "before_injuries"] = field(name="fs.reward.step", default="after_injuries")
    level_gain: Literal["raise_xp", "roll_only"] = field(name="fs.reward.level_gain", default="raise_xp")
    line_numbering: Literal["own_side", "absolute"] = field(name="fs.vp.line_numbering", default="own_side")
    concession: Literal["allowed_as_loss", "forbidden"] = field(name="fs.game.concession", default="allowed_as_loss")
    incarcerated_injury: Literal["always_roll", "only_if_escaped"] = field(
        name="fs.spc.incarcerated_injury", default="always_roll"
    )
    flesh_eaters_need: Literal["dead_on_injury_table", "taken_down"] = field(
        name="fs.spc.flesh_eaters_need", default="dead_on_injury_table"
    )
    promotion: Literal["none", "by_level_label"] = field(name="fs.rank.promotion", default="none")
    xp_loss: Literal["xp_only", "undo_level"] = field(name="fs.xp.loss", default="xp_only")
    character_points: Literal["ignored", "operator_limit"] = field(name="fs.equip.character_points", default="ignored")
    wiped_out: Literal["eliminated", "new_group_500"] = field(name="fs.group.wiped_out", default="eliminated")
    bye_points: Literal[3, 1, 0] = field(name="fs.bye.league_points", default=3)
    bye_post_game: Literal["from_step_3", "from_step_4", "none"] = field(name="fs.bye.post_game", default="from_step_3")
    cannibals_when: Literal["food_short", "any_time"] = field(name="fs.spc.cannibals_when", default="food_short")
    scary_who: Literal["stayed_home", "any_participant"] = field(name="fs.spc.scary_who", default="stayed_home")
    reappoint: Literal["on_leaving_roster", "whenever_charisma_exceeded"] = field(
        name="fs.leader.reappoint", default="on_leaving_roster"
    )
    league_points: LeaguePoints = field(name="fs.league.points", default=LeaguePoints())
    tiebreaks: tuple[Tiebreak, ...] = field(name="fs.league.tiebreaks", default=("group_rating", "total_vp"))
    rounds: Count = field(name="fs.campaign.rounds", default=5)
    pairing: Literal["swiss", "nearest_rating", "manual"] = field(name="fs.pairing.method", default="swiss")
    odd_field: Literal["bye", "game_of_three"] = field(name="fs.pairing.odd", default="bye")


def or_option(right: Expected, setting: str) -> Expected:
    """Return what would be right, with the option that would allow what was refused. setting: as for `option_set`."""
    return expects("or-option", right=right, option=option_set(setting))


def option_set(setting: str) -> Expected:
    """Return the expectation of an option that has a value. setting: `key=value`, as `fs.scavenge.who=all_living`."""
    option, _, value = setting.partition("=")
    return expects("option", option=option, value=value)


class Profile(Struct, frozen=True):
    """The attributes of a character: the seven, wounds, action points."""

    S: int
    P: int
    E: int
    C: int
    I: int  # noqa: E741 - the letter of Intelligence
    A: int
    L: int
    W: int
    AP: int


class Armor(Struct, frozen=True):
    """What a rank wears. must: one of these, or it stays home. may: one of these. never: none at all. FS-GRP-7."""

    duty: Literal["any", "may", "must", "never"] = "any"
    of: tuple[str, ...] = ()


class RankEntry(Struct, frozen=True):
    """A rank of a force. caps: its price. start_most: how many a starting group may have. FS-GRP-4."""

    name: str
    allowance_name: str
    start_most: int
    caps: int
    profile: Profile
    armor: Armor = Armor()


class BigGuns(Struct, frozen=True, omit_defaults=True):
    """One Big Gun for each full complement of `per` members, carried by these ranks. FS-GRP-8.

    carriers_by_option: who carries where the organiser reads the text widely. FS-AMB-26.
    """

    per: int
    carriers: tuple[Rank, ...]
    carriers_by_option: tuple[Rank, ...] = ()


class SpecialRules(Struct, frozen=True, omit_defaults=True):
    """What only some forces have. The comment on each names the clause."""

    jams: bool = False  # FS-GAM-3
    evil: bool = False  # FS-GAM-4
    judges: tuple[str, ...] = ()  # FS-GAM-4: forces that it judges
    evil_until: int = 0  # FS-GAM-4: the highest face that judges evil
    human: bool = True  # FS-SPC-2
    never_concedes: Literal["", "high_tech_in_play", "mutated_present", "against_evil"] = ""  # FS-GAM-11
    high_tech: tuple[str, ...] = ()  # FS-XP-3: tags of the weapons it is after
    hunts_mutated: bool = False  # FS-XP-3
    hunts_evil: bool = False  # FS-XP-3
    jail_caps: int = 0  # FS-INJ-5
    appetite: int = 1  # FS-UPK-1: food for each member
    cannibals: int = 0  # FS-SPC-1: whom one eaten member feeds
    flesh_eaters: int = 0  # FS-SPC-2: whom one killed enemy feeds
    searches: int = 0  # FS-SPC-5: searchers for each roll; such a force visits no merchant
    restaurant: int = 0  # FS-SPC-3: whom the vault feeds; such a force has a clean home
    barter: int = 0  # FS-BAR-3: Charisma at merchants
    refuses: tuple[Rank, ...] = ()  # FS-REC-3
    successor: Rank | None = None  # FS-SPC-4
    bonus_food_per: int = 0  # FS-SCV-2: scavengers for each bonus food
    wounds_by_option: bool = False  # FS-AMB-13


class Force(Struct, frozen=True):
    """A force. goods: what its weapon and armor list holds, at base value."""

    name: str
    ranks: dict[Rank, RankEntry]
    most: int
    big_guns: BigGuns
    goods: tuple[str, ...]
    special: SpecialRules = SpecialRules()


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


Names = Mapping[str, tuple[str, ...]]
"""Key -> what it is called."""


def goods(rules: Rules) -> Names:
    """Goods; one key may stand for several that are alike."""
    return {key: good.names for key, good in rules.goods.items()}


def forces(rules: Rules) -> Names:
    """Forces."""
    return {key: (force.name,) for key, force in rules.forces.items()}


def merchants(rules: Rules) -> Names:
    """Merchants."""
    return {key: (merchant.name,) for key, merchant in rules.merchants.items()}


def perks(rules: Rules) -> Names:
    """Perks."""
    return {key: (perk.name,) for key, perk in rules.advancement.perks.items()}


def injuries(rules: Rules) -> Names:
    """Injuries."""
    return {row.injury: (row.name,) for row in rules.injuries}


def one_of(names: Names, keys: Iterable[str]) -> Expected:
    """Return the expectation of one of these by name: `one of Baseball Bat / Sledgehammer, Ripper`."""
    return refusals.one_of([written(names.get(key, (key,))) for key in keys])


def written(names: Sequence[str]) -> str:
    """Return the names of one key, which are of things that are alike."""
    return " / ".join(names)


def key_of(names: Names, said: str) -> str:
    """The key of what somebody says by key or by name, in any case; what nothing is called stays as it is."""
    if said in names:
        return said
    plain = " ".join(said.split()).casefold()
    return next(
        (key for key, called in names.items() if plain in (key.casefold(), *(name.casefold() for name in called))), said
    )


SAID: Mapping[str, Callable[[Rules], Names]] = {
    "good": goods,
    "line": goods,
    "merchant": merchants,
    "perk": perks,
    "injury": injuries,
}
"""Member of what is said with a choice -> the table that it names something of."""


def by_keys(rules: Rules, of: Mapping[str, Any]) -> dict[str, Any]:
    """What is said with a choice, by keys. A sale that waits is named by its item, which is in no table."""
    return {
        name: key_of(SAID[name](rules), value) if name in SAID and isinstance(value, str) else value
        for name, value in of.items()
    }
