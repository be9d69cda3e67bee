"""Who stands where, as scoring shows it: standings, rankings of co-operative events, tables of seasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from muster.cli.output import in_order, show

TABLES = ("rank", "session", "outcome", "rounds", "share", "goals", "scenario", "loyal", "survivors", "reason")
SURVIVORS = ("rank", "player", "points", "victories", "rounds", "goals")
WITH_REASON = (*SURVIVORS, "reason")


def show_standings(found: Mapping[str, Any], form: str) -> None:
    """Write standings as scoring shows them to standard output, as a table, CSV or JSON."""
    columns = ["rank", "player", *found["columns"], "tied", "status"]
    told = [_standing(row, found["columns"]) for row in found["items"]]
    rows = in_order(told, provisional=found["provisional"])
    words: Mapping[str, str] = found.get("words", {})
    headings = {name: words[name] for name in found["columns"] if name in words}
    state = "final" if found["final"] else "provisional" if found["provisional"] else "recorded"
    if form == "table":
        rows = [row | {"tied": words.get("tied", "tied") if row["tied"] else ""} for row in rows]
    show(columns, rows, form, f"Standings after round {found['round']} ({state})", headings)


def show_ranking(found: Mapping[str, Any], form: str) -> None:
    """The survivors by all their sessions. As a table with the reason of each place, behind the tables of the round."""
    names = {row["player"]: row["name"] for row in found["survivors"]}
    survivors = [{column: row[column] for column in SURVIVORS} | {"player": row["name"]} for row in found["survivors"]]
    if form != "table":
        show(SURVIVORS, in_order(survivors, provisional=found["provisional"]), form)
        return
    state = "final" if found["final"] else "provisional" if found["provisional"] else "published"
    tables = [
        row
        | {"survivors": ", ".join(names.get(player, player) for player in row["survivors"])}
        | {"reason": _in_words(row["reason"], names)}
        for row in found["tables"]
    ]
    show(TABLES, tables, form, f"Tables of round {found['round']} ({state})")
    reasons = [_in_words(row["reason"], names) for row in found["survivors"]]
    told = [row | {"reason": reason} for row, reason in zip(survivors, reasons, strict=True)]
    show(WITH_REASON, told, form, f"Survivors after round {found['round']} ({state})")


def show_season(found: Mapping[str, Any], form: str) -> None:
    """The table of a season as scoring shows it, division by division, with the ratings where there are any."""
    divided = any(row["division"] for row in found["items"])
    rated = any(row["rating"] for row in found["items"])
    columns = ["rank", *(["division"] if divided else []), "player", *found["columns"], "attended"]
    columns += [*(["rating"] if rated else []), "eligible", "tied", "status"]
    rows = [
        {"rank": row["rank"], "division": row["division"], "player": row["name"]}
        | {column: row["values"][column] for column in found["columns"]}
        | {"attended": row["attended"], "rating": row["rating"]["rating"] if row["rating"] else None}
        | {"eligible": not row["barred"], "tied": row["tied"]}
        | ({} if row["status"] == "active" else {"status": row["status"]})
        for row in found["items"]
    ]
    state = "final" if found["final"] else "provisional" if found["provisional"] else "recorded"
    told = [{name: row[name] for name in columns if name in row} for row in rows]
    show(columns, in_order(told, provisional=found["provisional"]), form, f"Season ({state})")


def _in_words(reason: Mapping[str, str] | None, names: Mapping[str, str]) -> str:
    """What separates a row from the one above it, or the first from the one below, in words."""
    if reason is None:
        return ""
    other = names.get(reason["compared_with"], reason["compared_with"])
    if reason["by"] == "equal":
        return f"equal to {other} ({reason['clause']})"
    return f"{reason['by']}: {reason['own']} against {reason['theirs']} of {other} ({reason['clause']})"


def _standing(row: Mapping[str, Any], columns: Sequence[str]) -> dict[str, Any]:
    values = {column: row["values"][column] for column in columns}
    status = {} if row["status"] == "active" else {"status": row["status"]}
    return {"rank": row["rank"], "player": row["name"], **values, "tied": row["tied"], **status}
