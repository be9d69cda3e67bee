"""Do the parts that say what a game is worth make sense together? Concessions, matches, rounds that count more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from shared.formats.swiss.rules import registries
from shared.formats.swiss.rules.board_facts import FORMULAS
from shared.formats.swiss.rules.game_parts import Match, OutcomePoints, Recorded
from shared.formats.swiss.rules.ruleset import Ruleset
from shared.refusals import NOTHING, Fault, as_said, expects, one_of
from shared.rules.tiebreakers import TIEBREAKERS


def faults_of_points(ruleset: Ruleset) -> Iterator[Fault]:
    """What the parts on the worth of games get wrong, each at its JSON pointer."""
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
        yield Fault("/concession/award", as_said(award), one_of(sorted(awards)))
    elif award == "bye_score" and not ruleset.scenarios:
        yield Fault("/concession/award", "bye_score", expects("scenarios-for-half"))
    for index, rule in enumerate(ruleset.result.ends):
        if rule.end == "concession":
            yield Fault(f"/result/ends/{index}", "concession", expects("not-a-concession"))


def _recorded(recorded: Sequence[Recorded], names: set[str]) -> Iterator[Fault]:
    for index, rule in enumerate(recorded):
        where = f"/points/recorded/{index}"
        if rule.name in names or rule.name == "list":
            yield Fault(f"{where}/name", as_said(rule.name), expects("own-name-not-list"))
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
        yield Fault(f"{where}/drawn", as_said(match.drawn), expected)


def _byes(ruleset: Ruleset) -> Iterator[Fault]:
    for given in ("awarded", "requested"):
        worth = getattr(ruleset.bye, given)
        if worth and worth.most is not None and worth.most < 1:
            yield Fault(f"/bye/{given}/most", f"{worth.most}", expects("byes-from-1", kind=given))


def _rounds(ruleset: Ruleset) -> Iterator[Fault]:
    made = registries.POINTS_SCHEMES[type(ruleset.points)].made(ruleset.points)
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
            if name not in made:
                yield Fault(f"{where}/of/{number}", as_said(name), one_of(made))
        for name in rule.plus:
            if name not in made:
                yield Fault(f"{where}/plus/{name}", as_said(name), one_of(made))
    changed = {name for rule in ruleset.round_worth for name in (*rule.of, *rule.plus)}
    for index, criterion in enumerate(ruleset.standings.criteria):
        if (
            criterion.piece in TIEBREAKERS
            and TIEBREAKERS[criterion.piece].of_possible
            and changed & {criterion.of, criterion.drawn}
        ):
            yield Fault(f"/standings/criteria/{index}/of", as_said(criterion.of), expects("same-worth-each-round"))


def _boards(ruleset: Ruleset) -> Iterator[Fault]:
    for index, scenario in enumerate(ruleset.scenarios):
        board, where = scenario.board, f"/scenarios/{index}/board"
        if board is None:
            continue
        if board.formula not in FORMULAS:
            yield Fault(f"{where}/formula", as_said(board.formula), one_of(sorted(FORMULAS)))
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
            yield Fault(f"{where}/scoring_rounds", as_said(board.scoring_rounds), expected)
