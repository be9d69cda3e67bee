"""The fields of a result, from the ruleset of the event: what somebody at the table knows, in its words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from msgspec import Struct

from muster_client.generated.bodies import Facts
from services.console.forms import Form

ENDS = {
    "rounds": "All rounds were played",
    "time": "Time was called",
    "defeated_1": "{1} has nothing left",
    "defeated_2": "{2} has nothing left",
    "mutual": "Both agreed to end it",
    "simultaneous": "Both lost the last at the same moment",
}
OTHERWISE = {"no_show": "did not come", "concession": "concedes"}
POINTERS = {
    "points_1": "/facts/points_1",
    "points_2": "/facts/points_2",
    "winner": "/facts/winner",
    "end": "/facts/end",
    "second_player": "/facts/second_player",
    "scenario": "/facts/scenario",
}


class ResultForm(Struct, frozen=True):
    """What a result form asks. unit: of points. ends: how a game may end -> in words. words: asked for as well."""

    unit: str
    winner: bool
    ends: Mapping[str, str]
    second_player: bool
    kinds: list[str]


def result_form(ruleset: Mapping[str, Any], name_1: str, name_2: str) -> ResultForm:
    """The form of a ruleset (as its address shows it), with the names of the two who played."""
    result = ruleset.get("result") or {}
    fields = result.get("fields") or []
    ends = [end.get("end") for end in result.get("ends") or [] if isinstance(end, dict)]
    named = {end: ENDS[end].replace("{1}", name_1).replace("{2}", name_2) for end in ends if end in ENDS}
    return ResultForm(
        unit=str(result.get("unit") or "points"),
        winner="winner" in fields,
        ends=named,
        second_player="second_player" in fields,
        kinds=[kind for kind in result.get("kinds") or [] if isinstance(kind, str)],
    )


def facts_of(form: Form, asked: ResultForm) -> Facts:
    """What was typed, as a service wants it. Faults of single fields are noted in the form."""
    return cast(Facts, _facts(form, asked))


def _facts(form: Form, asked: ResultForm) -> dict[str, Any]:
    otherwise = form["otherwise"]
    if otherwise:
        kind, _, side = otherwise.rpartition("-")
        if side not in ("1", "2") or kind not in OTHERWISE:
            form.wrong("otherwise", "Choose one of these.")
            return {}
        if kind == "no_show":
            return {"kind": "no_show", "conceded_by": int(side)}
        return {"end": "concession", "conceded_by": int(side), **_points(form)}
    facts = _points(form)
    if asked.winner and form["winner"]:
        facts["winner"] = int(form["winner"]) if form["winner"] in ("1", "2") else form["winner"]
    if form["end"] in asked.ends:
        facts["end"] = form["end"]
    if form["second_player"] in ("1", "2"):
        facts["second_player"] = int(form["second_player"])
    if form["scenario"]:
        facts["scenario"] = form["scenario"]
    return facts


def _points(form: Form) -> dict[str, Any]:
    points = {name: form.whole(name) for name in ("points_1", "points_2")}
    return {name: value for name, value in points.items() if value is not None}
