"""Semantic checks of a Swiss ruleset: existing pieces and fields, tables without gaps, settings in use.

A setting that its piece does not read is a fault. Settings that an option may set, or whose piece an option chooses,
are allowed: they wait for that choice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import msgspec
from msgspec.structs import replace

from shared.refusals import NOTHING, Expected, Fault, display_text, expects, one_of
from shared.rules.checks import expected_unused, faults_of_bands, faults_of_clauses, faults_of_criteria, faults_of_piece
from shared.rules.model import Facts
from shared.rules.parts import LONGEST_WORD, Option
from shared.rules.tiebreakers import TIEBREAKERS
from shared.swiss import registries
from shared.swiss.board import FORMULAS, OBJECTIVES
from shared.swiss.game_parts import BoardFormula, MarginTable, Match, OutcomePoints, Recorded
from shared.swiss.roster import faults_of_items
from shared.swiss.roster_parts import Matched, OneOf, Total, faults_of_openness
from shared.swiss.rounds import faults_of_pool
from shared.swiss.ruleset import Ruleset


def faults_of_points(ruleset: Ruleset) -> Iterator[Fault]:
    """Yield the faults of the parts about points, each at its JSON pointer."""
    yield from _concession(ruleset)
    if isinstance(ruleset.points, OutcomePoints):
        yield from _recorded(ruleset.points.recorded, {ruleset.points.points, ruleset.points.score})
        if ruleset.points.match:
            yield from _match(ruleset.points.match, ruleset.points.recorded)
    yield from _byes(ruleset)
    yield from _rounds(ruleset)
    yield from _boards(ruleset)


def _concession(ruleset: Ruleset) -> Iterator[Fault]:
    award, awards = ruleset.concession.award, registries.POINTS_SCHEMES[type(ruleset.points)].awards
    if award not in awards:
        yield Fault("/concession/award", display_text(award), one_of(sorted(awards)))
    elif award == "bye_score" and not ruleset.scenarios:
        yield Fault("/concession/award", "bye_score", expects("scenarios-for-half"))
    for index, rule in enumerate(ruleset.result.ends):
        if rule.end == "concession":
            yield Fault(f"/result/ends/{index}", "concession", expects("not-a-concession"))


def _recorded(recorded: Sequence[Recorded], names: set[str]) -> Iterator[Fault]:
    for index, rule in enumerate(recorded):
        where = f"/points/recorded/{index}"
        if rule.name in names or rule.name == "list":
            yield Fault(f"{where}/name", display_text(rule.name), expects("own-name-not-list"))
        names = {*names, rule.name}
        if rule.most < 1:
            yield Fault(f"{where}/most", f"{rule.most}", expects("whole-number-from", least=1))
        if rule.together is not None and rule.counted == "once":
            yield Fault(f"{where}/together", f"{rule.together}", expects("counted-once"))
        elif rule.together is not None and not rule.most <= rule.together <= 2 * rule.most:
            expected = expects("of-one-side-to-both", least=rule.most, most=2 * rule.most)
            yield Fault(f"{where}/together", f"{rule.together}", expected)


def _match(match: Match, recorded: Sequence[Recorded], where: str = "/points/match") -> Iterator[Fault]:
    once = [rule.name for rule in recorded if rule.counted == "once"]
    if match.best_of < 0:
        yield Fault(f"{where}/best_of", f"{match.best_of}", expects("games-of-best-of"))
    if match.best_of == 0 and match.most_games is None:
        yield Fault(where, NOTHING, expects("length-of-match"))
    least = max(1, match.best_of)
    if match.most_games is not None and match.most_games < least:
        yield Fault(f"{where}/most_games", f"{match.most_games}", expects("at-least", least=least))
    for index, row in enumerate(match.later):
        here, before = f"{where}/later/{index}", match.later[index - 1].from_round if index else 1
        if row.from_round <= before:
            yield Fault(f"{here}/from_round", f"{row.from_round}", expects("round-after", round=before))
        yield from _match(replace(match, best_of=row.best_of, most_games=row.most_games, drawn="", later=[]), (), here)
    if match.drawn and match.drawn not in once:
        expected = expects("recorded-once-of", values=once) if once else expects("recorded-once")
        yield Fault(f"{where}/drawn", display_text(match.drawn), expected)


def _byes(ruleset: Ruleset) -> Iterator[Fault]:
    for given in ("awarded", "requested"):
        worth = getattr(ruleset.bye, given)
        if worth and worth.most is not None and worth.most < 1:
            yield Fault(f"/bye/{given}/most", f"{worth.most}", expects("byes-from-1", kind=given))


def _rounds(ruleset: Ruleset) -> Iterator[Fault]:
    values = registries.POINTS_SCHEMES[type(ruleset.points)].made(ruleset.points)
    seen: set[int] = set()
    for index, rule in enumerate(ruleset.round_worth):
        where = f"/round_worth/{index}"
        if rule.round < 1 or rule.round in seen:
            yield Fault(f"{where}/round", f"{rule.round}", expects("each-round-once"))
        seen.add(rule.round)
        if rule.times < 1:
            yield Fault(f"{where}/times", f"{rule.times}", expects("whole-number-from", least=1))
        if (rule.times == 1) != (not rule.of):
            yield Fault(where, f"{rule.times}", expects("times-with-of"))
        if not rule.of and not rule.plus:
            yield Fault(where, NOTHING, expects("times-or-plus"))
        for number, name in enumerate(rule.of):
            if name not in values:
                yield Fault(f"{where}/of/{number}", display_text(name), one_of(values))
        for name in rule.plus:
            if name not in values:
                yield Fault(f"{where}/plus/{name}", display_text(name), one_of(values))
    changed = {name for rule in ruleset.round_worth for name in (*rule.of, *rule.plus)}
    for index, criterion in enumerate(ruleset.standings.criteria):
        if (
            criterion.piece in TIEBREAKERS
            and TIEBREAKERS[criterion.piece].of_possible
            and changed & {criterion.of, criterion.drawn}
        ):
            yield Fault(f"/standings/criteria/{index}/of", display_text(criterion.of), expects("same-worth-each-round"))


def _boards(ruleset: Ruleset) -> Iterator[Fault]:
    for index, scenario in enumerate(ruleset.scenarios):
        board, where = scenario.board, f"/scenarios/{index}/board"
        if board is None:
            continue
        if board.formula not in FORMULAS:
            yield Fault(f"{where}/formula", display_text(board.formula), one_of(sorted(FORMULAS)))
            continue
        used = FORMULAS[board.formula].settings
        if "fact" in used and not board.fact:
            yield Fault(f"{where}/fact", NOTHING, expects("name-of-rating"))
        if "per" in used and board.per < 1:
            yield Fault(f"{where}/per", f"{board.per}", expects("whole-number-from", least=1))
        if "tokens" in used and len(board.tokens) not in (1, board.game_rounds):
            expected = expects("number-for-game-rounds", rounds=board.game_rounds)
            yield Fault(f"{where}/tokens", f"{len(board.tokens)}", expected)
        if "scoring_rounds" in used and not set(board.scoring_rounds) <= set(range(1, board.game_rounds + 1)):
            expected = expects("game-rounds", most=board.game_rounds)
            yield Fault(f"{where}/scoring_rounds", display_text(board.scoring_rounds), expected)


BOARD_SETTINGS: Mapping[str, object] = MappingProxyType(
    {
        field.name: msgspec.structs.asdict(BoardFormula(formula="", clause=""))[field.name]
        for field in msgspec.structs.fields(BoardFormula)
        if field.name not in ("formula", "game_rounds", "clause", "clauses")
    }
)
"""Settings that only some board formulas use -> their default. All formulas have game rounds."""

OPTION_SETTINGS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "choices": frozenset({"choice", "words", "whole"}),
        "least": frozenset({"whole"}),
        "most": frozenset({"whole"}),
        "needs_above": frozenset({"whole"}),
    }
)
"""Setting of an option -> the kinds of options that use it."""


def faults_of_unused_settings(ruleset: Ruleset) -> Iterator[Fault]:
    """Yield a fault for every setting without an effect, at its JSON pointer."""
    chosen = {pointer for option in ruleset.options for pointer in option.sets}
    for switch, where, expected in (*_switched(ruleset), *_brackets(ruleset), *_formulas(ruleset)):
        if not {switch, where} & chosen:
            yield Fault(where, display_text(_at(ruleset, where)), expected)


def _at(part: Any, pointer: str) -> Any:
    for step in pointer.split("/")[1:]:
        part = part[int(step)] if isinstance(part, list) else getattr(part, step)
    return part


Unused = tuple[str, str, Expected]
"""Pointer of the switch that decides if the setting is used, pointer of the setting, and the expectation."""


def _switched(ruleset: Ruleset) -> Iterator[Unused]:
    bye, concession = ruleset.bye, ruleset.concession
    if bye.of and bye.policy in registries.BYE_POLICIES and bye.policy not in registries.BYES_BY_VALUES:
        yield "/bye/policy", "/bye/of", expected_unused(bye.policy, sorted(registries.BYES_BY_VALUES))
    if bye.scenario_most is not None and not bye.half_of_most:
        yield "/bye/half_of_most", "/bye/scenario_most", expects("unused-without", key="half_of_most")
    if concession.scenario_most is not None and concession.award != "bye_score":
        yield "/concession/award", "/concession/scenario_most", expected_unused(concession.award, ["bye_score"])
    for name in ("forfeit", "no_show"):
        absence = getattr(ruleset, name)
        if absence.half != "down" and absence.award != "reported":
            yield f"/{name}/award", f"/{name}/half", expected_unused(absence.award, ["reported"])


def _brackets(ruleset: Ruleset) -> Iterator[Unused]:
    for index, band in enumerate(ruleset.rounds.table):
        for name in ("cut_to", "cut_after"):
            if not getattr(band, name):
                continue
            where = f"/rounds/table/{index}/{name}"
            if ruleset.cut.bracket == "none":
                yield "/cut/bracket", where, expected_unused("cut.bracket none", ["random", "reseed", "seeded"])
            elif not band.cut_to:
                yield f"/rounds/table/{index}/cut_to", where, expects("unused-without", key="cut_to")


def _formulas(ruleset: Ruleset) -> Iterator[Unused]:
    for index, scenario in enumerate(ruleset.scenarios):
        board = scenario.board
        if board is None or board.formula not in FORMULAS:
            continue
        for name, unset in BOARD_SETTINGS.items():
            if getattr(board, name) != unset and name not in FORMULAS[board.formula].settings:
                users = sorted(formula for formula, known in FORMULAS.items() if name in known.settings)
                where = f"/scenarios/{index}/board"
                yield f"{where}/formula", f"{where}/{name}", expected_unused(board.formula, users)


def faults_of_option_settings(options: Sequence[Option]) -> Iterator[Fault]:
    """Yield a fault for each setting of an option that its kind does not use."""
    for index, option in enumerate(options):
        unset = {"choices": {}, "least": 0, "most": None, "needs_above": -1}
        for name, kinds in OPTION_SETTINGS.items():
            value = getattr(option, name)
            if value != unset[name] and option.kind not in kinds:
                expected = expects("unused-by-kind", kind=option.kind, users=sorted(kinds))
                yield Fault(f"/options/{index}/{name}", display_text(value), expected)
        if option.kind == "whole" and option.needs_above != -1 and not option.needs:
            expected = expects("unused-without", key="needs")
            yield Fault(f"/options/{index}/needs_above", display_text(option.needs_above), expected)


def semantic_faults(ruleset: Ruleset) -> list[Fault]:
    """Return every fault of a well-formed ruleset, each at its JSON pointer."""
    return [
        *_unknown_pieces(ruleset),
        *_unknown_fields(ruleset),
        *_builder(ruleset),
        *_table_of_margins(ruleset),
        *_table_of_rounds(ruleset),
        *_games_of_leavers(ruleset),
        *_unknown_values(ruleset),
        *faults_of_points(ruleset),
        *faults_of_unused_settings(ruleset),
        *faults_of_items(ruleset.roster.catalogue, ruleset, "/roster/catalogue"),
        *faults_of_criteria(ruleset.standings.criteria, "/standings/criteria", TIEBREAKERS),
        *_stages(ruleset),
        *_tiers(ruleset),
        *_forms(ruleset),
        *_words(ruleset),
        *_checked_fields(ruleset),
        *faults_of_pool(ruleset),
        *faults_of_openness(ruleset.roster),
        *faults_of_clauses(ruleset, ""),
    ]


def _unknown_pieces(ruleset: Ruleset) -> Iterator[Fault]:
    for index, criterion in enumerate(ruleset.standings.criteria):
        yield from faults_of_piece(f"/standings/criteria/{index}/piece", criterion.piece, TIEBREAKERS)
    for index, stage in enumerate(ruleset.pairing.stages):
        yield from faults_of_piece(f"/pairing/stages/{index}/policy", stage.policy, registries.PAIRING_POLICIES)
    yield from faults_of_piece("/bye/policy", ruleset.bye.policy, registries.BYE_POLICIES)


def _unknown_fields(ruleset: Ruleset) -> Iterator[Fault]:
    optional = set(Facts.__struct_fields__) - {"kind", "points_1", "points_2", "bye"}
    for index, name in enumerate(ruleset.result.fields):
        if name not in optional:
            yield Fault(f"/result/fields/{index}", display_text(name), one_of(sorted(optional)))


def _unknown_values(ruleset: Ruleset) -> Iterator[Fault]:
    known = registries.POINTS_SCHEMES[type(ruleset.points)].made(ruleset.points)
    places: dict[str, Iterable[str]] = {
        "/bye/values": ruleset.bye.values,
        "/concession/conceder": ruleset.concession.conceder,
        "/forfeit/absent": ruleset.forfeit.absent,
        "/no_show/absent": ruleset.no_show.absent,
    }
    for given in ("awarded", "requested"):
        if worth := getattr(ruleset.bye, given):
            places[f"/bye/{given}/values"] = worth.values
    for where, values in places.items():
        for name in values:
            if name not in known:
                yield _unmade(f"{where}/{name}", name, known)
    for index, criterion in enumerate(ruleset.standings.criteria):
        for field in ("of", "drawn"):
            name = getattr(criterion, field)
            if name and name not in known:
                yield _unmade(f"/standings/criteria/{index}/{field}", name, known)
        if not criterion.of and criterion.piece in TIEBREAKERS and not TIEBREAKERS[criterion.piece].of_nothing:
            yield _unmade(f"/standings/criteria/{index}", NOTHING, known)
    if ruleset.bye.half_of_most and ruleset.bye.half_of_most not in known:
        yield _unmade("/bye/half_of_most", ruleset.bye.half_of_most, known)
    for index, name in enumerate(ruleset.bye.of):
        if name not in known:
            yield _unmade(f"/bye/of/{index}", name, known)


def _builder(ruleset: Ruleset) -> Iterator[Fault]:
    builder = ruleset.builder
    if builder is None:
        if "board" in ruleset.result.fields:
            yield Fault("/result/fields", "board", expects("builder-for-score"))
        return
    for name in ("objectives", "deployment", "conditions"):
        count = len(getattr(builder, name))
        if count != builder.most + 1:
            expected = expects("entry-for-points", number=builder.most + 1, most=builder.most)
            yield Fault(f"/builder/{name}", f"{count}", expected)
    for index, objective in enumerate(builder.objectives):
        yield from faults_of_piece(f"/builder/objectives/{index}/formula", objective.formula, OBJECTIVES)


def _table_of_margins(ruleset: Ruleset) -> Iterator[Fault]:
    if isinstance(ruleset.points, MarginTable):
        yield from faults_of_bands("/points/bands", ruleset.points.bands, first=0)


def _games_of_leavers(ruleset: Ruleset) -> Iterator[Fault]:
    """Yield a fault for a share of games without a round robin."""
    policies = [registries.PAIRING_POLICIES.get(stage.policy) for stage in ruleset.pairing.stages[-1:]]
    if ruleset.drop.games == "below_half" and not any(policy and policy.cycles for policy in policies):
        yield Fault("/drop/games", "below_half", expects("count-or-struck-out"), ruleset.drop.cites("games"))


def _table_of_rounds(ruleset: Ruleset) -> Iterator[Fault]:
    table, first = ruleset.rounds.table, ruleset.entry.minimum_players
    for index, band in enumerate(table):
        if band.cut_to and not band.cut_after:
            rounds = band.cut_to.bit_length() - 1
            expected = expects("round-of-cut", places=band.cut_to)
            if band.rounds > rounds:
                after = band.rounds - rounds
                expected = expects("round-of-cut-such-as", places=band.cut_to, round=after, rounds=rounds)
            yield Fault(f"/rounds/table/{index}/cut_after", NOTHING, expected, ruleset.rounds.cites("table"))
        elif band.cut_to and (band.rounds <= band.cut_after or 1 << (band.rounds - band.cut_after) != band.cut_to):
            expected = expects("cut-for-rounds", rounds=band.rounds - band.cut_after)
            yield Fault(f"/rounds/table/{index}/cut_to", f"{band.cut_to}", expected, ruleset.rounds.cites("table"))
    if ruleset.rounds.outside == "organiser":
        if table:
            yield from faults_of_bands("/rounds/table", table, first=table[0].least, stops=True)
        return
    yield from faults_of_bands("/rounds/table", table, first=first)
    for index, band in enumerate(table):
        if band.days and sum(band.days) != band.rounds:
            days = ", ".join(map(str, band.days))
            yield Fault(f"/rounds/table/{index}/days", days, expects("rounds-in-all", rounds=band.rounds))


def _stages(ruleset: Ruleset) -> Iterator[Fault]:
    rounds = [stage.from_round for stage in ruleset.pairing.stages]
    if not rounds or rounds[0] != 1 or rounds != sorted(set(rounds)):
        yield Fault("/pairing/stages", display_text(", ".join(map(str, rounds))), expects("rising-rounds"))


def _tiers(ruleset: Ruleset) -> Iterator[Fault]:
    ids = [tier.id for tier in ruleset.tiers]
    if not ids or len(ids) > len(set(ids)):
        yield Fault("/tiers", display_text(", ".join(ids)), expects("tiers-with-own-ids"))


def _forms(ruleset: Ruleset) -> Iterator[Fault]:
    ids = [form.id for form in ruleset.forms]
    for index, id in enumerate(ids):
        if id in ids[:index]:
            yield Fault(f"/forms/{index}/name", ruleset.forms[index].name, expects("each-name-once"))
    for index, form in enumerate(ruleset.forms):
        if form.holds == "builder" and ruleset.builder is None:
            yield Fault(f"/forms/{index}/holds", "builder", expects("builder-for-form"))
        for word in form.titles:
            if word not in (*form.heading, *form.columns):
                yield Fault(f"/forms/{index}/titles/{word}", display_text(word), expects("word-of-form"))
        for place, name in enumerate(form.lists):
            yield from _field(ruleset, f"/forms/{index}/lists/{place}", name, "entries")


def _words(ruleset: Ruleset) -> Iterator[Fault]:
    """Yield faults for ambiguous words, and for headings of unknown columns."""
    if ruleset.words is None:
        return
    for name in ("draw", "tied", "game_round"):
        word = getattr(ruleset.effective_words if name == "tied" else ruleset.words, name)
        if not 0 < len(word) <= LONGEST_WORD or word != word.strip() or word.isdigit():
            yield Fault(f"/words/{name}", display_text(word), expects("own-word", most=LONGEST_WORD))
    values = registries.POINTS_SCHEMES[type(ruleset.points)].made(ruleset.points)
    known = {*values, *(criterion.column for criterion in ruleset.standings.criteria)}
    for name in ruleset.words.columns:
        if name not in known:
            yield Fault(f"/words/columns/{name}", display_text(name), one_of(sorted(known)))


def _checked_fields(ruleset: Ruleset) -> Iterator[Fault]:
    """Yield faults for roster checks of no field, or of a field of another kind."""
    for index, check in enumerate(ruleset.roster.checks):
        where, kind = f"/roster/checks/{index}", "text" if isinstance(check, OneOf) else "entries"
        fields = check.of if isinstance(check.of, list) else [check.of]
        if not fields:
            yield Fault(f"{where}/of", NOTHING, expects("fields-of-roster"))
        for name in fields:
            yield from _field(ruleset, f"{where}/of", name, kind)
        if isinstance(check, Total) and check.written:
            yield from _field(ruleset, f"{where}/written", check.written, "whole")
        if isinstance(check, Matched):
            yield from _field(ruleset, f"{where}/paid", check.paid, "entries")


def _field(ruleset: Ruleset, where: str, name: str, kind: str) -> Iterator[Fault]:
    known = [field for field, field_kind in ruleset.roster.fields.items() if field_kind == kind]
    if name not in known:
        yield Fault(where, name, one_of(known))


def _unmade(where: str, name: str, known: Sequence[str]) -> Fault:
    return Fault(where, name, expects("value-of-scheme", values=list(known)))
