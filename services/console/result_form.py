"""The form of a result: the facts that scoring asks about a game, as fields with labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from msgspec import Struct

from muster_client import answers
from muster_client.generated.bodies import Facts
from services.console.fact_values import PATTERNS, field_value, read
from services.console.fact_words import ENDS, HINTS, UNPLAYED, draw_of, label_of
from services.console.forms import Form
from services.console.language import _
from services.console.words import rule_word

CONCESSION = "concession"
POINTS, TABLE = "points", "table"
"""Ways to enter a result: the points, or what lay on the table."""
LIST = "list"
"""The fact with the total of a player's list."""
KEYS = 5
"""The highest number that has a button of its own."""


class Field(Struct, frozen=True):
    """A field of the form. name: in HTML. options: of a choice: value -> words. wrong: message for an invalid value."""

    name: str
    fact: answers.AskedFactView
    label: str
    hint: str = ""
    options: Mapping[str, str] = {}
    wrong: str = ""

    @property
    def keys(self) -> Sequence[int]:
        """The numbers to choose from if there are few."""
        fact = self.fact
        few = fact.kind == "whole" and fact.most is not None and fact.most - fact.least <= KEYS and fact.step == 1
        return range(fact.least, (fact.most or 0) + 1) if few else ()

    @property
    def pattern(self) -> str:
        """The pattern for the browser; empty for any text."""
        return PATTERNS.get(self.fact.kind, "")

    @property
    def needs(self) -> str:
        """The name of the field that must have a value before this one is asked; empty for none."""
        return name_of(self.fact.only.where) if self.fact.only else ""


class ResultForm(Struct, frozen=True):
    """The form of a game between two people; `fields` in the order of the page."""

    name_1: str
    name_2: str
    unit: str
    drawn: str
    scenario: str
    fields: list[Field]
    concedes: bool
    unplayed: list[str]

    def of(self, part: str) -> list[Field]:
        """Return the fields of a part, by the name that scoring gives it."""
        return [field for field in self.fields if field.fact.part == part]

    def field(self, name: str) -> Field | None:
        """Return a field by its name; None if the form has no such field."""
        return next((field for field in self.fields if field.name == name), None)

    @property
    def winner(self) -> Field | None:
        """The field of the winner if no other field decides it."""
        return next((field for field in self.of("end") if field.name == "winner" and field.fact.needed), None)

    @property
    def beside(self) -> list[Field]:
        """The fields of the facts that are recorded in addition to the score."""
        return [field for field in self.of("beside") if field.fact.name != LIST]

    def ending(self, staff: bool) -> list[Field]:
        """Return the fields of the end of the game. staff: with the totals of lists, which staff may override."""
        lists = [field for field in self.of("beside") if field.fact.name == LIST] if staff else []
        return [field for field in self.of("end") if field is not self.winner] + lists

    def says(self, form: Form, fields: Sequence[Field]) -> bool:
        """Return True if one of the fields has a value or a fault."""
        return any(form[field.name] or field.name in form.faults for field in fields)

    def rows(self, fields: Sequence[Field]) -> list[list[Field]]:
        """Return the fields in rows: both sides of a fact share one."""
        rows: list[list[Field]] = []
        for field in fields:
            fact, last = field.fact, rows[-1][-1].fact if rows else field.fact
            if (fact.side, last.side) == (2, 1) and (fact.name, fact.game_round) == (last.name, last.game_round):
                rows[-1].append(field)
            else:
                rows.append([field])
        return rows

    @property
    def both(self) -> bool:
        """True if the form asks for points and for the table, because the table decides only who won."""
        return any(field.fact.makes == "winner" for field in self.fields)

    @property
    def pointers(self) -> dict[str, str]:
        """Field -> JSON pointer of its faults."""
        pointers = {field.name: f"/facts{field.fact.where}" for field in self.fields}
        return pointers | {"otherwise": "/facts/conceded_by"}

    def groups(self) -> list[tuple[str, str, list[Field]]]:
        """Return the fields of the table in groups, each with the field and the value that it depends on."""
        groups: list[tuple[str, str, list[Field]]] = []
        for field in self.of(TABLE):
            value = field.fact.only.value if field.fact.only else ""
            if not groups or groups[-1][:2] != (field.needs, value):
                groups.append((field.needs, value, []))
            groups[-1][2].append(field)
        return groups

    def otherwise(self, staff: bool) -> list[tuple[str, str]]:
        """Return the ways in which a game does not end by play: value, words. staff: with those only staff record."""
        names = {1: self.name_1, 2: self.name_2}
        ways = [(f"{CONCESSION}-{side}", _("%(player)s concedes", player=name)) for side, name in names.items()]
        ways = ways if self.concedes else []
        for kind in self.unplayed if staff else ():
            words, sided = UNPLAYED.get(kind, (kind.replace("_", " ").capitalize(), False))
            if sided:
                ways += [(f"{kind}-{side}", _(words, player=name)) for side, name in names.items()]
            else:
                ways.append((f"{kind}-0", _(words)))
        return ways


def name_of(where: str) -> str:
    """Return the name of a field in HTML, from the place of its fact."""
    return where.strip("/").replace("/", "-")


def result_form(asked: answers.ResultFormView, name_1: str, name_2: str) -> ResultForm:
    """Return the form of a game, with the names of its players."""
    fields = [_field(fact, asked, name_1, name_2) for fact in asked.facts]
    return ResultForm(
        name_1, name_2, asked.unit, draw_of(asked.draw), asked.scenario, fields, asked.concedes, asked.unplayed
    )


def bare_form(name_1: str, name_2: str) -> ResultForm:
    """Return an empty form, for a game whose result has another form."""
    return ResultForm(name_1, name_2, POINTS, "", "", [], False, [])


def _field(fact: answers.AskedFactView, asked: answers.ResultFormView, name_1: str, name_2: str) -> Field:
    names, label = {1: name_1, 2: name_2}, label_of(fact.where, fact.name, fact.game_round)
    hint = _(HINTS[fact.name]) if fact.name in HINTS else ""
    if fact.name == "points":
        label, hint = names[fact.side], rule_word(asked.unit)
    elif fact.side:
        label = _("%(player)s: %(fact)s", player=names[fact.side], fact=label)
    options = {str(value): _option(fact.name, str(value), asked.draw, names) for value in fact.choices}
    return Field(name_of(fact.where), fact, label, hint, options if fact.kind == "choice" else {}, _bounds(fact))


def _option(name: str, value: str, draw: str, names: Mapping[int, str]) -> str:
    if name == "end":
        return _(ENDS[value], player_1=names[1], player_2=names[2]) if value in ENDS else value
    if value == "draw":
        return draw_of(draw)
    return names[int(value)] if name in ("winner", "second_player") and value in ("1", "2") else value


def _bounds(fact: answers.AskedFactView) -> str:
    """Return the message of a field for an invalid value."""
    if fact.kind != "whole":
        return _("This cannot be read; look at the example.") if fact.kind in PATTERNS else ""
    step, least, most = fact.step, fact.least, fact.most
    if step > 1 and most is not None:
        return _("A number from %(least)s to %(most)s in steps of %(step)s.", least=least, most=most, step=step)
    if most is not None:
        return _("A whole number from %(least)s to %(most)s.", least=least, most=most)
    return _("A whole number, %(least)s or more.", least=least)


def defaults_of(facts: Mapping[str, Any] | None, asked: ResultForm) -> dict[str, str]:
    """Return the values of the form for facts that are known."""
    values: dict[str, str] = {}
    for field in asked.fields if facts else ():
        value: Any = facts or {}
        for part in field.fact.where.strip("/").split("/"):
            value = value.get(part) if isinstance(value, Mapping) else None
        if value not in (None, ""):
            values[field.name] = field_value(field.fact, value)
    if any(field.name in values for field in asked.of(TABLE)):
        values["by"] = TABLE
    kind, side = str((facts or {}).get("kind", "game")), (facts or {}).get("conceded_by")
    if kind in asked.unplayed or side:
        values["otherwise"] = f"{kind if kind in asked.unplayed else CONCESSION}-{side or 0}"
    return values


def facts_of(form: Form, asked: ResultForm, staff: bool = False) -> Facts:
    """Return the facts that were typed, for a request; add a fault to each field that cannot be read."""
    return cast(Facts, _facts(form, asked, staff))


def _facts(form: Form, asked: ResultForm, staff: bool) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    otherwise = form["otherwise"]
    if otherwise and otherwise not in dict(asked.otherwise(staff)):
        form.add_fault("otherwise", _("Choose one of these."))
        return {}
    kind, side = otherwise.rpartition("-")[::2]
    if kind in asked.unplayed:
        facts["kind"] = kind
    if side in ("1", "2"):
        facts["conceded_by"] = int(side)
    for field in _answered_fields(form, asked, kind):
        value = read(form, field.name, field.fact)
        if value is not None:
            _put(facts, field.fact.where, value)
    return facts


def _answered_fields(form: Form, asked: ResultForm, kind: str) -> Iterator[Field]:
    """Yield the fields that count: those of the chosen way to enter the result, and of the kind of game."""
    by = form["by"] if asked.of(TABLE) else POINTS
    for field in asked.fields:
        fact = field.fact
        if kind in asked.unplayed and not (fact.part == "game" or (fact.side and fact.name in ("points", "list"))):
            continue
        if kind.startswith("double") and fact.part != "game":
            continue
        if fact.part == "score" and by == TABLE and not asked.both:
            continue
        if fact.part == TABLE and by != TABLE:
            continue
        if field.needs and fact.only is not None and form[field.needs] != fact.only.value:
            continue
        yield field


def _put(facts: dict[str, Any], where: str, value: Any) -> None:
    *outer, last = where.strip("/").split("/")
    for part in outer:
        facts = facts.setdefault(part, {})
    facts[last] = value
