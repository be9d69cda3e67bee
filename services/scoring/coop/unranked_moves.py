"""Decisions about what a table may tell beside: none of it moves the token or the ranking (AB-OPT-1)."""

from __future__ import annotations

from services.scoring.coop.table import SessionBuilder, survivor_at
from services.scoring.tournament.refusals import MoveImpossible
from shared.coop import moves
from shared.coop.events import FightAssisted, ModificationKept, SurvivorTravelled
from shared.refusals import Fault, expects, one_of


def travelled(builder: SessionBuilder, move: moves.Travelled) -> None:
    """To any space with a C.A.M.P. token; that no enemy stands by is seen at the table. AB-CMP-2."""
    survivor = survivor_at(builder.table, move.survivor, "/survivor", "AB-CMP-2")
    if move.space not in builder.table.camp_spaces:
        right = one_of(list(builder.table.camp_spaces))
        raise MoveImpossible(
            "No C.A.M.P. token lies there.", [Fault("/space", move.space or "nothing", right, "AB-CMP-2")]
        )
    builder.say(SurvivorTravelled(session=builder.id, survivor=survivor, space=move.space))


def assisted(builder: SessionBuilder, move: moves.Assisted) -> None:
    """One assistant in a fight: one experience where the enemy died, its level in damage for each icon. AB-AST-1."""
    assistant = survivor_at(builder.table, move.survivor, "/survivor", "AB-AST-1")
    fighter = survivor_at(builder.table, move.fighter, "/fighter", "AB-AST-1")
    if assistant == fighter:
        raise MoveImpossible(
            "Survivors cannot assist themselves.",
            [Fault("/survivor", assistant, expects("survivor-besides-fighter"), "AB-AST-1")],
        )
    builder.say(
        FightAssisted(
            session=builder.id,
            survivor=assistant,
            fighter=fighter,
            hits=move.hits,
            experience=1 if move.enemy_died else 0,
            damage=move.damage_icons * move.enemy_level,
        )
    )


def modification_kept(builder: SessionBuilder, move: moves.ModificationKept) -> None:
    """One card for each shop action is drawn, one of them kept; an asset has one, and another replaces it. AB-MOD-1."""
    survivor = survivor_at(builder.table, move.survivor, "/survivor", "AB-MOD-1")
    faults = [
        Fault(f"/{name}", said, expected, "AB-MOD-1")
        for name, said, there, expected in (
            ("drawn", str(move.drawn), move.drawn >= 1, expects("cards-of-shop-actions")),
            ("card", "nothing", move.card, expects("kept-card")),
            ("asset", "nothing", move.asset, expects("modified-asset")),
        )
        if not there
    ]
    if faults:
        raise MoveImpossible("A modification has to be drawn and put on something.", faults)
    replaced = builder.table.modified.get(survivor, {}).get(move.asset, "")
    builder.say(
        ModificationKept(
            session=builder.id,
            survivor=survivor,
            card=move.card,
            asset=move.asset,
            drawn=move.drawn,
            replaced=replaced,
        )
    )
