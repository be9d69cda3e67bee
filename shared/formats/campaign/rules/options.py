"""What the organiser of a campaign may set, as the rules look at it; titles and clauses stand in the pack."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from shared.refusals import Expected, expects

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
