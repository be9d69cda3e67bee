"""The form of a result: the facts that scoring asks for as fields with labels, and its outcome before it is sent."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast

from msgspec import Struct

from muster_client import MusterError, Problem, answers, problems
from muster_client.generated.bodies import Facts
from services.console.forms import Form
from services.console.language import N_, _
from services.console.signed_in import muster
from services.console.words import rule_word, score_of

YES = "yes"
LONGEST_LIST = 60
"""Most entries of one field."""
NUMBER = r"(\([0-9]{1,5}\)|[0-9]{1,5})"
UNIT = rf"{NUMBER}( *\+ *{NUMBER})?"
PATTERNS = {
    "numbers": r"[0-9]{1,5}([,; ]+[0-9]{1,5})*",
    "units": rf"{UNIT}([,; ]+{UNIT})*",
    "letters": r"[A-Za-z]([,; ]*[A-Za-z])*",
}
"""Kind of fact that is typed as text -> pattern for the browser; `read` checks it again."""


def read(form: Form, name: str, fact: answers.AskedFactView) -> Any:
    """Return the value of a field; None if it is empty. Add a fault and return None if it cannot be read."""
    text = form[name]
    if fact.kind == "whole":
        return form.whole(name)
    if fact.kind == "flag":
        return fact.choices[1] if text == YES else fact.choices[0] if fact.needed else None
    if fact.kind == "names":
        return _names(text) if text or (fact.needed and not fact.least) else None
    if not text:
        return None
    if fact.kind == "choice":
        if (chosen := next((value for value in fact.choices if str(value) == text), None)) is None:
            form.add_fault(name, _("Choose one of these."))
        return chosen
    if fact.kind in PATTERNS and not re.fullmatch(PATTERNS[fact.kind], text):
        form.add_fault(name, _("This cannot be read; see the example."))
        return None
    if fact.kind == "numbers":
        return [int(number) for number in _parts(text)]
    if fact.kind == "letters":
        return [letter for letter in text.upper() if letter.isalpha()][:LONGEST_LIST]
    return [_unit(part) for part in _parts(re.sub(r" *\+ *", "+", text))] if fact.kind == "units" else text


def field_value(fact: answers.AskedFactView, value: Any) -> str:
    """Return a known value as the text of its form field."""
    if fact.kind == "flag":
        return YES if value == fact.choices[1] else ""
    if fact.kind == "letters" and isinstance(value, list):
        return "".join(map(str, value))
    if fact.kind == "units" and isinstance(value, list):
        return ", ".join(text for text in map(unit_text, value) if text)
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _parts(text: str) -> Sequence[str]:
    return [part for part in re.split(r"[,; ]+", text) if part][:LONGEST_LIST]


def _names(text: str) -> list[str]:
    return [name for part in text.split(",") if (name := part.strip())][:LONGEST_LIST]


def _unit(text: str) -> dict[str, Any]:
    """Return a unit, and a hero who had joined it; brackets mark what is still on the table."""
    points, joined, hero = text.partition("+")
    unit: dict[str, Any] = {"points": int(points.strip("()")), "gone": not points.startswith("(")}
    return unit | {"hero_points": int(hero.strip("()")), "hero_gone": not hero.startswith("(")} if joined else unit


def unit_text(unit: Any) -> str:
    """Return a unit as it is typed; brackets mark what is still on the table."""
    if not isinstance(unit, dict):
        return ""
    parts = [("points", "gone"), ("hero_points", "hero_gone")]
    values = [(unit[points], unit.get(gone)) for points, gone in parts if points in unit]
    return "+".join(f"{points}" if gone else f"({points})" for points, gone in values)


FACTS = {
    "points": N_("Points"),
    "destroyed": N_("Points of destroyed ships and squadrons"),
    "objective": N_("Objective points"),
    "tokens": N_("Tokens held at the end"),
    "claims": N_("Claims after game round %(number)s"),
    "rating_lost": N_("Rating of own models out of action"),
    "rating_across": N_("Rating of own models that got across"),
    "crew_rating": N_("Rating of the whole crew"),
    "whole_crew": N_("The whole crew"),
    "game_rounds": N_("Game rounds started"),
    "interrupted": N_("Time ran out during the last round"),
    "search_tokens": N_("Search tokens"),
    "list": N_("Total of the list"),
    "spent": N_("How the scenario points were spent"),
    "noted": N_("Areas noted"),
    "controlled": N_("Areas controlled at the end"),
    "inside": N_("Own units inside after each game turn"),
    "target_dead": N_("Own target destroyed"),
    "target_points": N_("Army points of own target"),
    "units": N_("Army points of own units destroyed"),
    "scenario": N_("Scenario"),
    "winner": N_("Winner"),
    "end": N_("How the game ended"),
    "second_player": N_("Who was the second player?"),
    "/board/objective": N_("Objective played"),
}
"""Name of a fact (or its place, if two share a name) -> the label of its field."""
HINTS = {
    "whole_crew": N_("Then the crew's full Rating counts."),
    "spent": N_("One letter per point, in order: O for objectives, D for deployment, C for conditions."),
    "noted": N_("Two names separated by a comma."),
    "controlled": N_("Names separated by commas; leave empty for none."),
    "inside": N_("One number per turn, starting with the first, such as 0, 1, 2, 2, 1."),
    "units": N_("All units, such as 45, 75, 40+25. A plus adds a hero who had joined; brackets mark what survived."),
}
ENDS = {
    "rounds": N_("All rounds were played"),
    "time": N_("Time was called"),
    "defeated_1": N_("%(player_1)s has nothing left"),
    "defeated_2": N_("%(player_2)s has nothing left"),
    "mutual": N_("Both agreed to end it"),
    "simultaneous": N_("Both lost their last unit at the same moment"),
}
UNPLAYED = {
    "no_show": (N_("%(player)s did not show up"), True),
    "forfeit": (N_("%(player)s forfeits the game"), True),
    "double_no_show": (N_("Neither player showed up"), False),
    "double_forfeit": (N_("Both forfeit the game"), False),
}
"""Kind of a game that was not played -> words, and True if it concerns one side."""
DRAWS = {"draw": N_("A draw"), "tie": N_("A tie")}

FIELDS = {
    "faction": N_("Faction"),
    "rating": N_("Rating"),
    "models": N_("Models"),
    "chems": N_("Chems"),
    "legend": N_("Legend"),
    "ploys": N_("Ploys"),
    "supplements": N_("Supplements"),
    "fleet_total": N_("Total points of the fleet"),
    "commanders": N_("Commander"),
    "ships": N_("Ships"),
    "squadrons": N_("Squadrons"),
    "objectives": N_("Objectives"),
    "army_total": N_("Total army points"),
    "units": N_("Units"),
}
"""A field of a list -> its label."""


TOTALS = {
    "army_total": N_("Enter the army's total points."),
    "fleet_total": N_("Enter the fleet's total points."),
}
"""The total of a list -> the message if it is missing."""


def list_label(name: str) -> str:
    """Return the label of a field of a list."""
    return _(FIELDS[name]) if name in FIELDS else name.replace("_", " ").capitalize()


def label_of(where: str, name: str, game_round: int = 0) -> str:
    """Return the label of a fact."""
    words = FACTS.get(where) or FACTS.get(name)
    if words is None:
        return name.replace("_", " ").capitalize()
    return _(words, number=game_round) if game_round else _(words)


def draw_word(word: str) -> str:
    """Return the word for a game without a winner."""
    return _(DRAWS[word]) if word in DRAWS else word.capitalize()


def result_text(game: answers.GameShown, first: int = 1) -> str:
    """Return the reported score of a game, else its score by the ruleset. first: the player in front."""
    reported = score_of(game.facts, first)
    if reported or game.score is None:
        return reported
    one, two = (game.score.values_1, game.score.values_2) if first == 1 else (game.score.values_2, game.score.values_1)
    return ", ".join(f"{value} : {two.get(name, 0)} {rule_word(name)}" for name, value in one.items())


CONCESSION = "concession"
POINTS, TABLE = "points", "table"
"""Ways to enter a result: the points, or what lay on the table."""
LIST = "list"
"""The fact with the total of a player's list."""
KEYS = 5
"""The highest number that has its own button."""


class Field(Struct, frozen=True):
    """A field of the form.

    name: the HTML name. options: the options of a choice: value -> label. wrong: message for an invalid value.
    """

    name: str
    fact: answers.AskedFactView
    label: str
    hint: str = ""
    options: Mapping[str, str] = {}
    wrong: str = ""

    @property
    def keys(self) -> Sequence[int]:
        """The numbers to choose from, if there are few."""
        fact = self.fact
        few = fact.kind == "whole" and fact.most is not None and fact.most - fact.least <= KEYS and fact.step == 1
        return range(fact.least, (fact.most or 0) + 1) if few else ()

    @property
    def pattern(self) -> str:
        """The pattern for the browser; empty for any text."""
        return PATTERNS.get(self.fact.kind, "")

    @property
    def needs(self) -> str:
        """The name of the field that must have a value before this one; empty for none."""
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
        """The field of the winner, if no other field decides it."""
        return next((field for field in self.of("end") if field.name == "winner" and field.fact.needed), None)

    @property
    def decider(self) -> Field | None:
        """The field that decides a game whose points do not: who was second player. None if the ruleset has none."""
        return next((field for field in self.of("end") if field.name == "second_player"), None)

    @property
    def additional(self) -> list[Field]:
        """The fields of facts that are recorded in addition to the score."""
        return [field for field in self.of("beside") if field.fact.name != LIST]

    def ending(self, staff: bool) -> list[Field]:
        """Return the fields of the end of the game. staff: with the totals of lists, which staff may override."""
        lists = [field for field in self.of("beside") if field.fact.name == LIST] if staff else []
        return [field for field in self.of("end") if field not in (self.winner, self.decider)] + lists

    def has_values(self, form: Form, fields: Sequence[Field]) -> bool:
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
    def takes_both(self) -> bool:
        """True if the form asks for points and for the table, because the table only decides the winner."""
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

    def unplayed_ways(self, staff: bool) -> list[tuple[str, str]]:
        """Return the ways in which a game can end without play: value, words. staff: include those that only staff
        record.
        """
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


def load_result_form(event: str, game: answers.GameShown | answers.PairingView) -> ResultForm | None:
    """Return the form of the result of a game, from scoring; None for a format with another form."""
    try:
        return result_form(muster().scoring.show_result_form(event, game.id), game.name_1, game.name_2)
    except problems.WrongFormat:
        return None


def result_form(asked: answers.ResultFormView, name_1: str, name_2: str) -> ResultForm:
    """Return the form of a game, with the names of its players."""
    fields = [_field(fact, asked, name_1, name_2) for fact in asked.facts]
    return ResultForm(
        name_1, name_2, asked.unit, draw_word(asked.draw), asked.scenario, fields, asked.concedes, asked.unplayed
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
        return draw_word(draw)
    return names[int(value)] if name in ("winner", "second_player") and value in ("1", "2") else value


def _bounds(fact: answers.AskedFactView) -> str:
    """Return the message of a field for an invalid value."""
    if fact.kind != "whole":
        return _("This cannot be read; see the example.") if fact.kind in PATTERNS else ""
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
    if otherwise and otherwise not in dict(asked.unplayed_ways(staff)):
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
    """Yield the fields that count for the chosen way to enter the result and the kind of game."""
    by = form["by"] if asked.of(TABLE) else POINTS
    for field in asked.fields:
        fact = field.fact
        if kind in asked.unplayed and not (fact.part == "game" or (fact.side and fact.name in ("points", "list"))):
            continue
        if kind.startswith("double") and fact.part != "game":
            continue
        if fact.part == "score" and by == TABLE and not asked.takes_both:
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


LOOK = "look"
"""The action of a form that asks for a preview."""
IMPROBABLE = "improbable-result"
TOO_OFTEN, AWAY = 429, 500
"""Status, and lowest status, of problems that say nothing about the values of the form."""

Preview = Callable[[Facts], answers.ScoringPreview | None]


class ResultPreview(Struct, frozen=True):
    """The outcome of a preview. given: the score by the ruleset. unchecked: scoring did not answer.

    unlikely: scoring wants the result to be confirmed.
    """

    given: answers.ScoreView | None = None
    unchecked: bool = False
    unlikely: bool = False
    preview: answers.ScoringPreview | None = None


def preview_result(form: Form, asked: ResultForm, preview: Preview, staff: bool = False) -> ResultPreview:
    """Preview the facts of a form; add the faults to it. preview: sends the facts to scoring."""
    facts = facts_of(form, asked, staff)
    if not form.is_valid or not facts:
        return ResultPreview()
    try:
        answer = preview(facts)
    except Problem as problem:
        if problem.status >= AWAY or problem.status == TOO_OFTEN:
            return ResultPreview(unchecked=True)
        form.add_problem(problem)
        return ResultPreview(unlikely=problem.code == IMPROBABLE)
    except MusterError:
        return ResultPreview(unchecked=True)
    return ResultPreview(given=previewed_score(answer), preview=answer)


def previewed_score(preview: Any) -> answers.ScoreView | None:
    """Return the score of the game of a preview; None if it has none."""
    games = preview.moves.games if preview is not None else None
    return games[0].score if games else None
