"""Tables of a campaign ruleset: forces, goods, dice tables, options, and names of their entries.

| member of `rules` | struct        | clauses                                  |
|-------------------|---------------|------------------------------------------|
| `core`            | `Core`        | FS-GRP, FS-RAT, FS-GAM, FS-UPK, FS-DOC, FS-RAD, FS-REC |
| `forces`          | `Force`       | FS-FRC, FS-GRP-4 to FS-GRP-8, FS-SPC     |
| `goods`           | `Good`        | FS-FRC-3, FS-ITM, FS-RAT-2               |
| `merchants`       | `Merchant`    | FS-BAR                                   |
| `turfs`           | `Turf`        | FS-TRF                                   |
| `injuries`        | `Injury`      | FS-INJ-1                                 |
| `advancement`     | `Advancement` | FS-XP-4, FS-ADV, FS-PRK                  |
| `finds`           | `Finds`       | FS-SCV-1, FS-SPC-5                       |
| `encounters`      | `Encounters`  | FS-ENC                                   |
| `objectives`      | `Objective`   | FS-GAM-5, FS-GAM-10                      |

Titles and clauses of options are in the pack. Requests may use names instead of keys, in any case; faults show names.
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
    """League points for the outcomes of a game (FS-LGE-1)."""

    win: Points = 3
    draw: Points = 1
    loss: Points = 0


class Options(Struct, frozen=True, kw_only=True):
    """The options in force. The encoded name of a field is the key of the option (FS-AMB-1 to FS-AMB-60)."""

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
    """Return the expectation `right`, extended by the option that would allow the refused value.

    setting: `key=value`, as in `option_set`.
    """
    return expects("or-option", right=right, option=option_set(setting))


def option_set(setting: str) -> Expected:
    """Return the expectation that an option has a value. setting: `key=value`, such as `fs.scavenge.who=all_living`."""
    option, _, value = setting.partition("=")
    return expects("option", option=option, value=value)


class Profile(Struct, frozen=True):
    """The attributes of a character: S.P.E.C.I.A.L., wounds and action points."""

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
    """The armor rule of a rank (FS-GRP-7).

    duty: `must`: stays at home without one of these; `may`: may wear one of these; `never`: wears none; `any`: no rule.
    of: keys of the armor.
    """

    duty: Literal["any", "may", "must", "never"] = "any"
    of: tuple[str, ...] = ()


class RankEntry(Struct, frozen=True):
    """A rank of a force.

    start_most: how many a starting group may have (FS-GRP-4).
    caps: price of a member.
    """

    name: str
    allowance_name: str
    start_most: int
    caps: int
    profile: Profile
    armor: Armor = Armor()


class BigGuns(Struct, frozen=True, omit_defaults=True):
    """The Big Gun rule of a force: one for each `per` full members, carried by these ranks (FS-GRP-8).

    carriers_by_option: ranks that carry them under `fs.force.talon_big_guns` (FS-AMB-26).
    """

    per: int
    carriers: tuple[Rank, ...]
    carriers_by_option: tuple[Rank, ...] = ()


class SpecialRules(Struct, frozen=True, omit_defaults=True):
    """Special rules of single forces. The comment on each names the clause."""

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
    cannibals: int = 0  # FS-SPC-1: members fed by one eaten member
    flesh_eaters: int = 0  # FS-SPC-2: members fed by one killed enemy
    searches: int = 0  # FS-SPC-5: searchers for each roll; such a force visits no merchant
    restaurant: int = 0  # FS-SPC-3: members fed by the vault; such a force has a clean home
    barter: int = 0  # FS-BAR-3: Charisma at merchants
    refuses: tuple[Rank, ...] = ()  # FS-REC-3
    successor: Rank | None = None  # FS-SPC-4
    bonus_food_per: int = 0  # FS-SCV-2: scavengers for each bonus food
    wounds_by_option: bool = False  # FS-AMB-13


class Force(Struct, frozen=True):
    """A force. goods: keys of its weapon and armor list, sold at base value."""

    name: str
    ranks: dict[Rank, RankEntry]
    most: int
    big_guns: BigGuns
    goods: tuple[str, ...]
    special: SpecialRules = SpecialRules()


class Good(Struct, frozen=True, omit_defaults=True):
    """A good that a group can own.

    caps: base value; a custom weapon has none.
    tags: weapon tags that rules refer to.
    single_use: gone after use. permanent: never used up.
    parts_for, schematic_for: key of the custom weapon that these parts or this schematic are for.
    armor: the armor save, by force if it differs.
    worn: changes of the attributes of its holder.
    taken: changes of a leader's attributes who takes it before bartering.
    use: what it does after a game.
    sample: caps of the sample profile, if they differ.
    most: how many a group may have.
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
    """A line of a merchant's goods.

    rarity: number of D12 added to the caps.
    modifier: caps by which each point of the opposed roll moves the price.
    """

    item: str
    rarity: int
    caps: int
    modifier: int
    sample_rarity: int | None = None


class Merchant(Struct, frozen=True, omit_defaults=True):
    """A merchant.

    find: total needed to find the caravan; 0 if the merchant is always found.
    goods: its goods, in the order that FS-GAM-10 counts them.
    """

    name: str
    charisma: int
    goods: tuple[Offer, ...]
    find: int = 0


class Feature(Struct, frozen=True, omit_defaults=True):
    """Benefits of a turf other than caps and food.

    charisma: bonus of the leader at the merchant who is always found.
    rerolls: injury re-rolls.
    feeds: feeds half of the members.
    double: key of the item found by equal dice.
    yields: key of an item that a visit gives.
    becomes: key of the item that a group with the schematic can make of it.
    sells: dice of the caps that it sells for.
    """

    charisma: int = 0
    rerolls: int = 0
    feeds: bool = False
    double: str = ""
    yields: str = ""
    becomes: str = ""
    sells: str = ""


class Turf(Row, frozen=True, omit_defaults=True):
    """A row of the turf table.

    caps, food: dice of a visit.
    visited: True if only a visit gives something.
    instead: what a visitor may choose in place of caps and food.
    invention_until: highest face of the D12 that finds an invention.
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
    """A row of the injury table.

    limb: a third injury of this limb is impossible.
    as_limb: the limb that the row counts as under `fs.injury.attribute_rows_count_as_limbs`.
    """

    injury: str
    name: str
    changes: Changes = {}
    dies: bool = False
    limb: Literal["", "leg", "arm", "eye"] = ""
    as_limb: Literal["", "leg", "arm"] = ""


class Level(Struct, frozen=True, omit_defaults=True):
    """A level and the experience that reaches it. rank: the rank that its label stands for, if any."""

    level: int
    xp: int
    label: str = ""
    rank: Rank | None = None


class Advance(Row, frozen=True, omit_defaults=True):
    """A row of the advancement table: an attribute to raise, a perk, or a perk without its requirement."""

    gains: Attribute | Literal["perk", "perk_any"]


class Perk(Struct, frozen=True, omit_defaults=True):
    """A perk.

    requires: attribute -> required value.
    shift: by how many faces its holder may shift its own scavenging roll.
    buying: option that sets its bonus to bartering.
    """

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
    """A row of a table of finds. amount: dice of the amount; downed: those of a member taken to 0 wounds."""

    finds: Literal["encounter", "food", "caps", "special", "item", "centaur", "trap"]
    amount: str = ""
    downed: str = ""
    food: Food | None = None
    item: str = ""
    choice: Literal["", "club", "pistol"] = ""


class Finds(Struct, frozen=True):
    """Tables of scavenging, its special finds, and searched buildings.

    encounter: dice of the caps for killing all creatures.
    """

    scavenging: tuple[Find, ...]
    special: tuple[Find, ...]
    buildings: tuple[Find, ...]
    encounter: str


class Treasure(Row, frozen=True, omit_defaults=True):
    """A row of the table of a searched place: caps or an item. amount: dice of the number of items, if not one."""

    caps: int = 0
    item: str = ""
    amount: str = ""


class Card(Struct, frozen=True, omit_defaults=True):
    """A card of the encounter deck: creatures (`wounds`), slaves (`joins`) or a place to search (`treasure`).

    copies: copies in the deck of a game.
    number: how many appear, as dice or a number.
    wounds: wounds of each creature.
    joins: rank of a freed slave.
    treasure: table of a search, from total 0.
    """

    name: str
    clause: str
    copies: int
    number: str = "1"
    wounds: int = 0
    joins: Rank | None = None
    treasure: tuple[Treasure, ...] = ()


class Encounters(Struct, frozen=True):
    """The deck of random encounters.

    searches_most: searches allowed of one place in a game.
    collar: by how much a collar lowers Intelligence in its check.
    sharpens: keys of drugs that raise Intelligence by one.
    """

    cards: dict[str, Card]
    searches_most: int
    collar: int
    sharpens: tuple[str, ...] = ()


class Reward(Struct, frozen=True, omit_defaults=True):
    """The reward of an objective.

    amount: a number or dice.
    goods: keys of the items; the owner chooses if there are several.
    """

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
    """A row of the objective table.

    special: the attribute that controls markers.
    step: the step in which the reward takes effect.
    """

    objective: str
    special: Attribute
    step: Literal["1b", "3"]
    reward: Reward


class RankRow(Row, frozen=True):
    """A row of a table of ranks."""

    rank: Rank


class Band(Struct, frozen=True, omit_defaults=True):
    """A radiation band. It starts at `rads` and ends at the next band."""

    rads: int
    changes: Changes = {}
    dies: bool = False


class Treatment(Struct, frozen=True):
    """A treatment by the doctor. caps: its price."""

    caps: int
    does: Literal["heal_injury", "cure_addictions", "clear_rads"]


class Core(Part, frozen=True):
    """Single numbers of the rules. `clauses` names the clause of each."""

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
    """A campaign ruleset as pinned in the log: tables and options in force. clauses: the clause of each table."""

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
"""Key -> the names it is known by."""


def goods(rules: Rules) -> Names:
    """Return the names of goods. One key may stand for several goods that are alike."""
    return {key: good.names for key, good in rules.goods.items()}


def forces(rules: Rules) -> Names:
    """Return the names of forces."""
    return {key: (force.name,) for key, force in rules.forces.items()}


def merchants(rules: Rules) -> Names:
    """Return the names of merchants."""
    return {key: (merchant.name,) for key, merchant in rules.merchants.items()}


def perks(rules: Rules) -> Names:
    """Return the names of perks."""
    return {key: (perk.name,) for key, perk in rules.advancement.perks.items()}


def injuries(rules: Rules) -> Names:
    """Return the names of injuries."""
    return {row.injury: (row.name,) for row in rules.injuries}


def one_of(names: Names, keys: Iterable[str]) -> Expected:
    """Return the expectation of one of these keys, shown by name: `one of Baseball Bat / Sledgehammer, Ripper`."""
    return refusals.one_of([joined_names(names.get(key, (key,))) for key in keys])


def joined_names(names: Sequence[str]) -> str:
    """Join the names of one key with slashes."""
    return " / ".join(names)


def key_of(names: Names, name: str) -> str:
    """Return the key for a key or name, in any case. An unknown name is returned unchanged."""
    if name in names:
        return name
    plain = " ".join(name.split()).casefold()
    return next(
        (key for key, called in names.items() if plain in (key.casefold(), *(name.casefold() for name in called))), name
    )


NAMES_OF_MEMBER: Mapping[str, Callable[[Rules], Names]] = {
    "good": goods,
    "line": goods,
    "merchant": merchants,
    "perk": perks,
    "injury": injuries,
}
"""Member of a choice -> the names that it is looked up in."""


def names_to_keys(rules: Rules, members: Mapping[str, Any]) -> dict[str, Any]:
    """Return the members of a choice with keys in place of names.

    A price that waits is named by its item, which is in no table; it stays unchanged.
    """
    return {
        name: key_of(NAMES_OF_MEMBER[name](rules), value)
        if name in NAMES_OF_MEMBER and isinstance(value, str)
        else value
        for name, value in members.items()
    }
