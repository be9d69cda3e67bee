"""A record of two rounds of four groups, computed by hand from the document. Nothing here was taken from the code.

Dice are twelve-sided: half of a face, rounded up, is a D6, and a quarter a D3. Comments show how sums are computed.
Members are named by their place in the group as handed in; `recruit` is the last hired.
"""

from __future__ import annotations

from typing import Any

PLAYERS = ("p1", "p2", "p3", "p4")


def _member(rank: str, *goods: str) -> dict[str, Any]:
    return {"rank": rank, "goods": list(goods)}


def _group(force: str, *members: dict[str, Any]) -> dict[str, Any]:
    return {"force": force, "members": list(members), "stash": []}


GROUPS: dict[str, tuple[dict[str, Any], tuple[tuple[int, int], ...]]] = {
    # Members 50 + 25 + 10 + 10, goods 25 + 35 + 10: 165 spent, 335 left. Hotel (12), Scrapyard (2), Mart (16).
    "p1": (
        _group(
            "raiders",
            _member("veteran", "smg_10mm"),
            _member("experienced", "hunting_rifle"),
            _member("green", "brass_knuckles_knife"),
            _member("green"),
        ),
        ((4, 8), (1, 1), (8, 8)),
    ),
    # 50 + 25 + 10 + 10 and 15 + 20 + 25: 155 spent, 345 left. Casino (10), Cave Fungus Mine (17), Doctor (21).
    "p2": (
        _group(
            "vault_residents",
            _member("veteran", "pistol_10mm_chinese"),
            _member("experienced", "leather_armor", "smg_10mm"),
            _member("green"),
            _member("green"),
        ),
        ((5, 5), (8, 9), (11, 10)),
    ),
    # 50 + 10 + 10 and 20 + 15 + 20 + 20: 145 spent, 355 left. Moonshine Caravan (4), Free Trader (6), Marketplace (15).
    "p3": (
        _group(
            "regulators",
            _member("veteran", "trench_coat", "pistol_10mm_chinese"),
            _member("green", "trench_coat"),
            _member("green", "trench_coat"),
        ),
        ((2, 2), (3, 3), (7, 8)),
    ),
    # 60 + 20 + 20 and 20: 120 spent, 380 left. Bar (8), Nuka Cola Plant (24), Power Station (18).
    "p4": (
        _group(
            "super_mutants",
            _member("veteran", "baseball_bat_sledgehammer_nail_board"),
            _member("green"),
            _member("green"),
        ),
        ((4, 4), (12, 12), (9, 9)),
    ),
}

RATED = {
    "p1": 390,  # 165 + experience 50 + 25, + 3 turfs 150
    "p2": 380,  # 155 + 75 + 150
    "p3": 345,  # 145 + 50 + 150
    "p4": 320,  # 120 + 50 + 150
}

PAIRED = {
    1: (("p1", "p2"), ("p3", "p4")),  # no group has points: 390 and 380, 345 and 320 are nearest
    2: (("p1", "p4"), ("p2", "p3")),  # p1 has met p2, p3 has met p4; 460 lies nearer to 505 than to 401
}

GAMES: dict[tuple[int, str, str], Any] = {
    # 7 to 4. Turn 7, every marker held: 9 + 2 = 11 ends it.
    (1, "p1", "p2"): {
        "end": (7, 9),
        "encounters": [{"met": "dead_scavenger"}],
        "p1": {
            "objective": 1,  # 100 caps
            "lines": [1, 2, 4],
            "vp": 7,
            "members": {
                "m-1": {"wounds": 2, "models": 1, "kills": 1, "took": ["m-2"]},
                "m-2": {"computers": 1},
                "m-3": {"locks": 1, "down": "fall"},
                "m-4": {},
            },
            "searches": [{"at": "dead_scavenger", "member": "m-4", "roll": (5,)}],  # 5 + Luck 4 = 9: a knife
        },
        "p2": {
            "objective": 9,
            "lines": [1, 3],
            "vp": 4,
            "members": {
                "m-1": {"wounds": 1, "models": 1},
                "m-2": {"down": "rival", "by": "m-1"},
                "m-3": {},
                "m-4": {"rads": 2},
            },
        },
    },
    # 5 to 5, so that both claim. Turn 5, two markers free: 8 + 2 = 10 ends it.
    (1, "p3", "p4"): {
        "end": (5, 8),
        "p3": {
            "objective": 4,  # half maintenance
            "lines": [5],
            "vp": 5,
            "members": {
                "m-1": {"wounds": 2, "models": 1, "kills": 1, "took": ["m-2"], "evil": 1},
                "m-2": {"down": "rival", "by": "m-1"},
                "m-3": {},
            },
        },
        "p4": {
            "objective": 6,  # D6 Frag Grenades
            "lines": [2, 3],
            "vp": 5,
            "members": {
                "m-1": {"wounds": 1, "models": 1, "kills": 1, "took": ["m-2"]},
                "m-2": {"down": "rival", "by": "m-1", "melee": True},
                "m-3": {},
            },
        },
    },
    # 1 to 6. Turn 6, two markers free: 7 + 2 + 1 = 10 ends it. m-2 of p4 is in jail.
    (2, "p1", "p4"): {
        "end": (6, 7),
        "encounters": [{"met": "ghouls", "number": 2}],
        "p1": {
            "objective": 10,
            "lines": [1],
            "vp": 1,
            "members": {
                "m-1": {"down": "rival", "by": "m-1"},
                "m-2": {"wounds": 2, "models": 1},
                "m-3": {},
                "m-4": {"wounds": 2, "models": 2, "kills": 2},
                "recruit": {},
            },
        },
        "p4": {
            "objective": 12,  # a free scavenging roll
            "lines": [2, 4],
            "vp": 6,
            "members": {
                "m-1": {"wounds": 3, "models": 1, "kills": 1, "took": ["m-1"]},
                "m-3": {},
                "recruit": {"locks": 1},
            },
        },
    },
    # 3 to 6. Turn 5, two markers free: 12 + 2 ends it.
    (2, "p2", "p3"): {
        "end": (5, 12),
        "p2": {
            "objective": 3,
            "lines": [3],
            "vp": 3,
            "members": {"m-1": {}, "m-2": {}, "m-3": {"down": "rival", "by": "m-1", "melee": True}, "m-4": {}},
        },
        "p3": {
            "objective": 7,  # one of Crazy Wolfgang's six
            "lines": [1, 5],
            "vp": 6,
            "members": {
                "m-1": {"wounds": 1, "models": 1, "kills": 1, "took": ["m-3"]},
                "m-3": {},
                "recruit": {"down": "fire"},
            },
        },
    },
}

Choice = tuple[Any, ...]

CHOICES: dict[tuple[int, str], dict[str, tuple[Choice, ...]]] = {
    (1, "p1"): {
        "1": (("roll_injury", {"member": "m-3"}, (6, 6)),),  # 12: scarred
        # step 1b: 100 caps by themselves, 435
        "2": (
            ("award_experience", {}),
            ("roll_advancement", {"member": "m-1"}, (6, 6)),  # 12: Agility
            ("roll_advancement", {"member": "m-2"}, (7, 6)),  # 13: Perception
        ),
        "3": (
            ("visit_turf", {"member": "m-1", "turf": "turf:hotel"}, (9,)),  # (3 + 2) x 8 = 40: 475
            ("visit_turf", {"member": "m-2", "turf": "turf:scrapyard"}),  # 485
            ("scavenge", {"member": "m-3"}, (7,), (4,)),  # it was down: D3 1 x 5 = 5: 490
            ("scavenge", {"member": "m-4"}, (3,), (5,)),  # D6 3 radiated
            # The mart feeds two, the others eat one radiated each: one is left; 4 x 5 = 20: 470
            ("settle_upkeep", {"guests": ["m-1", "m-2"], "radiated": {"m-3": 1, "m-4": 1}}),
        ),
        # step 4: a Green for 40: 430
        "5": (
            ("seek_merchant", {"merchant": "fixed"}),
            # 30 + 4 = 34; the leader 4 + 6 + 1 = 11, the merchant 4 + 9 = 13: 34 + 2 x 2 = 38: 392
            ("quote_price", {"line": "combat_shotgun"}, (4,), (8,), (8,)),
            ("take_offer", {}),
        ),
    },
    (1, "p2"): {
        "1": (
            ("choose_clean_home", {"choice": "restaurant"}),
            ("roll_injury", {"member": "m-2"}, (5, 4)),  # 9: an eye wound
            ("reroll_injury", {"member": "m-2"}),  # the Doctor turf
            ("roll_injury", {"member": "m-2"}, (11, 11)),  # 22: full recovery
        ),
        "2": (("award_experience", {}),),
        "3": (
            ("visit_turf", {"member": "m-1", "turf": "turf:casino"}, (8,)),  # (2 + 1) x 8 = 24: 369
            ("visit_turf", {"member": "m-2", "turf": "turf:cave_fungus_mine"}, (12, 1)),  # 6 + 1 = 7 clean
            ("visit_turf", {"member": "m-3", "turf": "turf:doctor"}, (5, 10)),  # (2 + 3) x 5 = 25: 394
            ("scavenge", {"member": "m-4"}, (11,), (2,)),  # D6 1 clean: 8
            ("sell_food", {"food": "clean", "amount": 3}),  # 9: 403, and 5 clean
            ("settle_upkeep", {"guests": ["m-1", "m-2", "m-3", "m-4"]}),  # the restaurant; 20: 383
        ),
        "5": (("buy_from_list", {"good": "frag_grenade"}),),  # 363
    },
    (1, "p3"): {
        "1": (("roll_injury", {"member": "m-2"}, (1, 2)),),  # 3: dead
        "2": (
            ("award_experience", {}),
            ("roll_advancement", {"member": "m-1"}, (8, 8)),  # 16: a fourth Wound cannot be
            ("roll_advancement", {"member": "m-1"}, (7, 7)),  # 14: Strength
        ),
        "3": (
            ("visit_turf", {"member": "m-1", "turf": "turf:moonshine_caravan"}),
            ("scavenge", {"member": "m-3"}, (12,), (2,)),  # Jet
            # 355 + 15, and 25 for m-2 of p4 in jail: 395. Two food for 6, half of 10: 11. 384
            ("settle_upkeep", {}),
        ),
        # step 4: an Experienced for 40: 344
        "5": (
            ("buy_from_list", {"good": "trench_coat"}),  # 324
            ("move_item", {"item": "item:trench_coat", "holder": "recruit"}),
            ("seek_merchant", {"merchant": "fixed"}),
            # 5 + (6 + 6 + 2 of the Marketplace) - (1 + 9) = 9: 333
            ("quote_sale", {"item": "item:jet"}, (12,), (1,)),
            ("take_offer", {}),
        ),
    },
    (1, "p4"): {
        "1": (
            ("roll_injury", {"member": "m-2"}, (10, 9)),  # 19: Agility
            ("check_jail", {"member": "m-2"}, (5,)),  # above Luck 4: in jail
        ),
        "1b": (("claim_reward", {}, (6,)),),  # D6 3: three Frag Grenades
        "2": (("award_experience", {}),),
        "3": (
            ("visit_turf", {"member": "m-1", "turf": "turf:power_station"}, (2, 5, 12)),  # (1 + 2 + 3) x 8 = 48: 428
            ("visit_turf", {"member": "m-3", "turf": "turf:nuka_cola_plant", "choice": "sell"}, (3, 4)),  # 4 x 8: 460
            ("feast", {}),  # the dead Regulator feeds two
            # m-3 alone needs two food for 6; 3 x 5 = 15: 439
            ("settle_upkeep", {"guests": ["m-1", "m-2"]}),
        ),
        # step 4: a Master for 40: 399
    },
    (2, "p1"): {
        "1": (("roll_injury", {"member": "m-1"}, (3, 1)),),  # 4: dead; m-2 leads
        "2": (
            ("award_experience", {}),
            ("roll_advancement", {"member": "m-2"}, (10, 10)),  # 20: an Action Point
            ("roll_advancement", {"member": "m-3"}, (3, 3)),  # 6: Endurance
            ("roll_advancement", {"member": "m-4"}, (5, 5)),  # 10: Charisma
            ("roll_advancement", {"member": "m-4"}, (11, 11)),  # 22: Luck
        ),
        "3": (
            ("visit_turf", {"member": "m-2", "turf": "turf:hotel"}, (1,)),  # (1 + 2) x 8 = 24: 416
            ("visit_turf", {"member": "m-3", "turf": "turf:scrapyard"}),  # 426
            ("scavenge", {"member": "m-4"}, (1,)),
            # 7 + Luck 5 = 12: a Power Fist; 1 + 5 = 6: 10 caps: 436
            (
                "resolve_encounter",
                {"member": "m-4", "ending": "searched", "met": "enclave_outpost"},
                (7,),
                (1,),
            ),
            # The mart feeds two, m-4 eats what is left, the recruit buys one for 3; 20: 413
            ("settle_upkeep", {"guests": ["m-2", "m-3"], "radiated": {"m-4": 1}}),
        ),
    },
    (2, "p2"): {
        "1": (
            ("choose_clean_home", {"choice": "radaway", "member": "m-4"}),  # two rads gone
            ("roll_injury", {"member": "m-3"}, (8, 7)),  # 15: Strength
            ("take_injury", {"member": "m-3"}),
            ("check_jail", {"member": "m-3"}, (4,)),  # Luck 4: it sneaks home
        ),
        "2": (
            ("award_experience", {}),
            ("roll_advancement", {"member": "m-2"}, (9, 9)),  # 18: a perk
            ("choose_perk", {"member": "m-2", "perk": "gunslinger"}),  # Perception 5
        ),
        "3": (
            ("visit_turf", {"member": "m-1", "turf": "turf:casino"}, (12,)),  # (3 + 1) x 8 = 32: 395
            ("visit_turf", {"member": "m-2", "turf": "turf:cave_fungus_mine"}, (7, 8)),  # 4 + 4: 13 clean
            ("scavenge", {"member": "m-4"}, (6,), (3,)),  # D6 2 x 5 = 10: 405
            ("settle_upkeep", {}),  # 9 clean; 20: 385
        ),
        "5": (
            ("seek_merchant", {"merchant": "doc_hoff", "companions": ["m-3"]}, (5,)),  # 5 + Luck 6 = 11
            # 25 + 6 = 31; the leader 2 + 6 + 1 - 1 = 8, the merchant 5 + 7 = 12: 31 + 4 = 35: 350
            ("quote_price", {"line": "stimpak"}, (6,), (3,), (9,)),
            ("take_offer", {}),
            # 25 + 1 + 1 = 27; 6 + 6 against 1 + 7: 27 - 2 x 4 = 19, and no
            ("quote_price", {"line": "radaway"}, (1, 1), (12,), (1,)),
            ("decline_offer", {}),
        ),
    },
    (2, "p3"): {
        "1": (("roll_injury", {"member": "recruit"}, (12, 12)),),  # 24: full recovery
        "1b": (("claim_reward", {}, (12,)),),  # the sixth: how a Rock-it Launcher is built
        "2": (("award_experience", {}),),
        "3": (
            ("visit_turf", {"member": "m-1", "turf": "turf:free_trader"}),  # 343
            ("scavenge", {"member": "m-3"}, (10,), (11,)),  # D6 6 clean
            ("scavenge", {"member": "recruit"}, (4,), (12,)),  # it was down: D3 3 radiated
            ("settle_upkeep", {}),  # 3 clean; 15: 328
        ),
    },
    (2, "p4"): {
        "2": (
            ("award_experience", {}),
            ("roll_advancement", {"member": "m-1"}, (4, 4)),  # 8: a perk
            ("choose_perk", {"member": "m-1", "perk": "toughness"}),
        ),
        "3": (
            ("scavenge", {"member": "m-3", "free": True}, (8,), (12,)),  # 6 x 5 = 30: 429
            ("visit_turf", {"member": "m-1", "turf": "turf:power_station"}, (12, 12, 12)),  # 9 x 8 = 72: 501
            ("visit_turf", {"member": "recruit", "turf": "turf:bar"}, (5,)),  # 2 x 10 = 20: 521
            ("scavenge", {"member": "m-3"}, (2,), (1,)),  # one radiated
            ("feast", {}),  # the dead Raider feeds two
            # m-3 and the Master need four: one is there, three for 9; 4 x 5 = 20: 492
            ("settle_upkeep", {"guests": ["m-1", "m-2"], "radiated": {"m-3": 1}}),
        ),
    },
}

RECRUITS = {1: {"p1": 12, "p2": 2, "p3": 1, "p4": 7}, 2: {"p1": 5, "p2": 6, "p3": 8, "p4": 9}}

HIRED: dict[int, tuple[tuple[str, str], ...]] = {
    1: (("p4", "veteran"), ("p3", "experienced"), ("p2", ""), ("p1", "green")),  # 320, 345, 380, 390
    2: (("p3", ""), ("p2", ""), ("p1", ""), ("p4", "")),  # 401, 405, 460, 505
}

_PROFILES = {
    "Green": 4, "Experienced": 5, "Veteran": 6, "Vault Dweller": 4, "Security Officer": 5, "Overseer": 6,
    "Officer": 4, "Deputy": 5, "Sheriff": 6,
}  # fmt: skip
_MUTANTS = {"Super Mutant": "S5 P3 E5 C3 I4 A3 L4", "Master": "S8 P5 E8 C5 I6 A5 L6"}


def grown(attributes: list[dict[str, int]], ranks: list[str]) -> list[str]:
    """Return how each member differs from the profile of its rank, such as `A+1 C-1`."""
    found = []
    for now, rank in zip(attributes, ranks, strict=True):
        start = {name: _PROFILES.get(rank, 0) for name in "SPECIAL"}
        start |= {part[0]: int(part[1:]) for part in _MUTANTS.get(rank, "").split()}
        start["AP"] = 9 if start["S"] in (6, 8) else 8
        changed = {name: now[name] - value for name, value in start.items() if now[name] != value}
        found.append(" ".join(f"{name}{by:+}" for name, by in sorted(changed.items())))
    return found


_KNIFE, _BAT = "brass_knuckles_knife", "baseball_bat_sledgehammer_nail_board"

BALANCES: dict[tuple[int, str], dict[str, Any]] = {
    (1, "p1"): {
        "caps": 392,
        "food": (0, 1),
        "rating": 460,  # 50 + 25 + 3 x 10 = 105, goods 25 + 35 + 3 x 10 + 30 = 120, experience 85, turfs 150
        "turfs": ["hotel", "scrapyard", "super_duper_mart"],
        "goods": sorted([_KNIFE, _KNIFE, _KNIFE, "combat_shotgun", "hunting_rifle", "smg_10mm"]),
        "xp": [(55, 15), (27, 9), (2, 0), (1, 0), (0, 0)],  # 2 + 1 + 1 + 1; 1 + 1; 1 + 1; 1
        "rads": [0, 0, 1, 1, 0],
        "hurt": ["", "", "scarred", "", ""],
        "leader": 0,
        "grown": ["A+1", "P+1", "C-1", "", ""],
    },
    (1, "p2"): {
        "caps": 363,
        "food": (5, 0),
        "rating": 405,  # 95, goods 60 + 20, experience 80, turfs 150
        "turfs": ["casino", "cave_fungus_mine", "doctor"],
        "goods": sorted(["frag_grenade", "leather_armor", "pistol_10mm_chinese", "smg_10mm"]),
        "xp": [(52, 14), (26, 8), (1, 0), (1, 0)],  # 1 + 1; 1; 1; 1
        "rads": [0, 0, 0, 2],
        "hurt": ["", "", "", ""],
        "leader": 0,
        "grown": ["", "", "", ""],
    },
    (1, "p3"): {
        "caps": 333,
        "food": (0, 0),
        "rating": 401,  # 50 + 10 + 25, goods 20 + 15 + 20 + 20 + 10 = 85, experience 81, turfs 150
        "turfs": ["free_trader", "marketplace", "moonshine_caravan"],
        "goods": sorted([_KNIFE, "pistol_10mm_chinese", "trench_coat", "trench_coat", "trench_coat"]),
        "xp": [(55, 15), (1, 0), (25, 8)],  # 2 + 1 + 1, and 1 for an evil enemy; 1; as hired
        "rads": [0, 0, 0],
        "hurt": ["", "", ""],
        "leader": 0,
        "grown": ["S+1", "", ""],
    },
    (1, "p4"): {
        "caps": 399,
        "food": (0, 0),
        "rating": 505,  # 60 + 20 + 20 + 60 = 160, goods 20 + 60 + 10 = 90, experience 105, turfs 150
        "turfs": ["bar", "nuka_cola_plant", "power_station"],
        "goods": sorted([_BAT, _KNIFE, "frag_grenade", "frag_grenade", "frag_grenade"]),
        "xp": [(53, 14), (1, 0), (1, 0), (50, 14)],  # 1 + 1 + 1; a member in jail has survived: 1; 1
        "rads": [0, 0, 0, 0],
        "hurt": ["", "crippled_legs_agility", "", ""],
        "leader": 0,
        "grown": ["", "A-1", "", ""],
    },
    (2, "p1"): {
        "caps": 413,
        "food": (0, 0),
        "rating": 390,  # 25 + 3 x 10 = 55, goods 35 + 3 x 10 + 30 + 50 = 145, experience 40, turfs 150
        "turfs": ["hotel", "scrapyard", "super_duper_mart"],
        "goods": sorted([_KNIFE, _KNIFE, _KNIFE, "combat_shotgun", "hunting_rifle", "power_fist"]),
        "xp": [(30, 10), (3, 1), (6, 2), (1, 0)],  # + 2 + 1; + 1; + 2 + 2 + 1; + 1
        "rads": [0, 1, 2, 0],
        "hurt": ["", "scarred", "", ""],
        "leader": 0,
        "grown": ["AP+1 P+1", "C-1 E+1", "C+1 L+1", ""],
    },
    (2, "p2"): {
        "caps": 350,
        "food": (9, 0),
        "rating": 434,  # 95, goods 80 + 25, experience 84, turfs 150
        "turfs": ["casino", "cave_fungus_mine", "doctor"],
        "goods": sorted(["frag_grenade", "leather_armor", "pistol_10mm_chinese", "smg_10mm", "stimpak"]),
        "xp": [(53, 14), (27, 9), (2, 0), (2, 0)],
        "rads": [0, 0, 0, 0],
        "hurt": ["", "", "crippled_arms_strength", ""],
        "leader": 0,
        "grown": ["", "", "S-1", ""],
    },
    (2, "p3"): {
        "caps": 328,
        "food": (3, 3),
        "rating": 437,  # 85, goods 85 + 30, experience 87, turfs 150
        "turfs": ["free_trader", "marketplace", "moonshine_caravan"],
        "goods": sorted(
            [_KNIFE, "pistol_10mm_chinese", "schematics_rock_it_launcher", "trench_coat", "trench_coat", "trench_coat"]
        ),
        "xp": [(59, 15), (2, 0), (26, 8)],  # + 1 + 1 + 1 + 1; + 1; + 1
        "rads": [0, 0, 0],
        "hurt": ["", "", ""],
        "leader": 0,
        "grown": ["S+1", "", ""],
    },
    (2, "p4"): {
        "caps": 492,
        "food": (0, 0),
        "rating": 514,  # 160, goods 90, experience 114, turfs 150
        "turfs": ["bar", "nuka_cola_plant", "power_station"],
        "goods": sorted([_BAT, _KNIFE, "frag_grenade", "frag_grenade", "frag_grenade"]),
        "xp": [(59, 15), (1, 0), (2, 0), (52, 14)],  # + 3 + 1 + 1 + 1; at home; + 1; + 1 + 1
        "rads": [0, 0, 1, 0],
        "hurt": ["", "crippled_legs_agility", "", ""],
        "leader": 0,
        "grown": ["", "A-1", "", ""],
    },
}

TABLE = {
    1: [("p1", 3, 460, 7), ("p4", 1, 505, 5), ("p3", 1, 401, 5), ("p2", 0, 405, 4)],
    2: [("p4", 4, 514, 11), ("p3", 4, 437, 11), ("p1", 3, 390, 8), ("p2", 0, 434, 7)],
}
