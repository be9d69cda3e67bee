"""The open questions of the rules, and the options that settle them: FS-AMB-1 to FS-AMB-60."""

from __future__ import annotations

from collections.abc import Mapping

SETTLES: Mapping[str, tuple[str, ...]] = {
    "FS-AMB-1": ("start.experienced_xp",),
    "FS-AMB-2": ("post.hired_guns",),
    "FS-AMB-3": ("post.build_and_doctor",),
    "FS-AMB-4": ("injury.roll_time",),
    "FS-AMB-5": ("injury.two_crippled_legs",),
    "FS-AMB-6": ("injury.impossible_result",),
    "FS-AMB-7": ("injury.attribute_rows_count_as_limbs",),
    "FS-AMB-8": ("xp.survive",),
    "FS-AMB-9": ("xp.wound",),
    "FS-AMB-10": ("xp.kill",),
    "FS-AMB-11": ("xp.level_count",),
    "FS-AMB-12": ("adv.over_maximum",),
    "FS-AMB-13": ("adv.super_mutant_wounds_max",),
    "FS-AMB-14": ("perk.requirement",),
    "FS-AMB-15": ("perk.waived_requirement",),
    "FS-AMB-16": (
        "barter.leader_bonus",
        "barter.master_trader_bonus",
    ),
    "FS-AMB-17": ("barter.fixed_merchant_charisma",),
    "FS-AMB-18": ("barter.price_floor",),
    "FS-AMB-19": ("barter.retry_after_refusal",),
    "FS-AMB-20": ("barter.opposed_roll",),
    "FS-AMB-21": ("barter.leader_must_stay_home",),
    "FS-AMB-22": ("price.merchant_misprints",),
    "FS-AMB-23": ("data.sample_profiles",),
    "FS-AMB-24": ("data.trench_coat_armor",),
    "FS-AMB-25": ("force.rank_names",),
    "FS-AMB-26": ("force.talon_big_guns",),
    "FS-AMB-27": ("force.missing_armor",),
    "FS-AMB-28": ("force.big_gun_ratio",),
    "FS-AMB-29": ("turf.formula",),
    "FS-AMB-30": ("turf.free_trader_text",),
    "FS-AMB-31": ("turf.super_duper_mart",),
    "FS-AMB-32": ("turf.doctor_reroll",),
    "FS-AMB-33": ("turf.gain",),
    "FS-AMB-34": ("scavenge.who",),
    "FS-AMB-35": (
        "scavenge.club_item",
        "scavenge.pistol_item",
    ),
    "FS-AMB-36": ("upkeep.radiated_food",),
    "FS-AMB-37": ("upkeep.centaur_caps",),
    "FS-AMB-38": ("upkeep.emergency_sale",),
    "FS-AMB-39": ("recruit.order_rating",),
    "FS-AMB-40": ("recruit.rating_cost",),
    "FS-AMB-41": (
        "rating.equipment_value",
        "rating.custom_weapon_value",
    ),
    "FS-AMB-42": ("build.fail_by_three",),
    "FS-AMB-43": (
        "doctor.addiction_price",
        "doctor.excludes_turf",
    ),
    "FS-AMB-44": ("dice.natural_rule",),
    "FS-AMB-45": ("item.found_grenades",),
    "FS-AMB-46": (
        "reward.step",
        "reward.level_gain",
    ),
    "FS-AMB-47": ("vp.line_numbering",),
    "FS-AMB-48": ("game.concession",),
    "FS-AMB-49": ("spc.incarcerated_injury",),
    "FS-AMB-50": ("spc.flesh_eaters_need",),
    "FS-AMB-51": ("rank.promotion",),
    "FS-AMB-52": ("xp.loss",),
    "FS-AMB-53": ("equip.character_points",),
    "FS-AMB-54": ("group.wiped_out",),
    "FS-AMB-55": (
        "bye.league_points",
        "bye.post_game",
    ),
    "FS-AMB-56": ("spc.cannibals_when",),
    "FS-AMB-57": ("spc.scary_who",),
    "FS-AMB-58": ("leader.reappoint",),
    "FS-AMB-59": (
        "league.points",
        "league.tiebreaks",
        "campaign.rounds",
    ),
    "FS-AMB-60": ("pairing.method",),
}
"""Each open question, and the options that settle it, without their `fs.`."""

_CLAUSE = {f"fs.{key}": clause for clause, keys in SETTLES.items() for key in keys}


def clause_of(key: str) -> str:
    """The open question that an option settles; empty for what is no option."""
    return _CLAUSE.get(key, "")
