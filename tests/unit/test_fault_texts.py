"""The catalogues of faults: each code that product code uses has a sentence in English and in German, and no other."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

import pytest

from deploy.stack import ROOT
from shared.fault_texts import FOLDER, sentences
from shared.refusals import Expected, expects
from tests.sources import parsed

ROOMS = ("shared", "services", "muster", "deploy", "clients")
LANGUAGES = ("en", "de")
KEBAB = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
PLACE = re.compile(r"%\((\w+)\)s")
KNOWN = re.compile(r"%%|%\(\w+\)s")
"""A per cent sign that is no place of a value."""
MAKER = "expects"
Scope = Mapping[str, Sequence[ast.expr]]


class Use:
    """A call that makes an expectation: its codes, and the names of its values (None where they are not known)."""

    def __init__(self, where: str, codes: Sequence[str], names: frozenset[str] | None) -> None:
        self.where = where
        self.codes = codes
        self.names = names


@cache
def uses() -> Sequence[Use]:
    """Return every use of a code in product code: calls of `expects`, and of functions that hand a code to it."""
    files = sorted(file for room in ROOMS for file in (ROOT / room).rglob("*.py"))
    trees = {file.relative_to(ROOT).as_posix(): parsed(file) for file in files if "migrations" not in file.parts}
    takers = {where: dict(_takers(tree)) for where, tree in trees.items()}
    public = {name: place for of in takers.values() for name, place in of.items() if not name.startswith("_")}
    return [use for where, tree in trees.items() for use in _uses(where, tree, public | takers[where])]


def _takers(tree: ast.Module) -> Iterator[tuple[str, tuple[int, str]]]:
    """Yield the functions that hand one of their parameters to `expects` as the code, with its place and name."""
    for function in _functions(tree):
        parameters = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
        shift = parameters[:1] in (["self"], ["cls"])
        for call in _calls(function, MAKER):
            code = call.args[0] if call.args else None
            if isinstance(code, ast.Name) and code.id in parameters:
                yield function.name, (parameters.index(code.id) - shift, code.id)


def _uses(where: str, tree: ast.Module, takers: Mapping[str, tuple[int, str]]) -> Iterator[Use]:
    of_module = _assigned(tree.body)
    inside = {id(node) for function in _functions(tree) for node in ast.walk(function)}
    scopes: list[tuple[list[ast.AST], Scope, frozenset[str]]] = [
        ([node for node in ast.walk(tree) if id(node) not in inside], of_module, frozenset())
    ]
    for function in _functions(tree):
        nodes = list(ast.walk(function))
        parameters = frozenset(one.arg for one in (*function.args.args, *function.args.kwonlyargs))
        scopes.append((nodes, {**of_module, **_assigned(nodes)}, parameters))
    seen: set[int] = set()
    for nodes, scope, parameters in reversed(scopes):  # a function within another one comes first
        for call in (node for node in nodes if isinstance(node, ast.Call) and id(node) not in seen):
            name = _called(call)
            if name != MAKER and name not in takers:
                continue
            place, keyword = (0, "code") if name == MAKER else takers[name]
            code = _argument(call, place, keyword)
            if code is None or (isinstance(code, ast.Name) and code.id in parameters):
                continue  # the code comes from the caller, whose call is a use of its own
            seen.add(id(call))
            values = [one.arg for one in call.keywords]
            known = name == MAKER and None not in values and len(call.args) == 1
            names = frozenset(str(one) for one in values) if known else None
            yield Use(f"{where}:{call.lineno}", sorted(set(_codes(code, scope))), names)


def _codes(node: ast.expr, scope: Scope, depth: int = 0) -> Iterator[str]:
    """Yield the codes that an expression may stand for; `?` for one that cannot be told from the source."""
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp(body=one, orelse=other):
            yield from _codes(one, scope, depth)
            yield from _codes(other, scope, depth)
        case ast.Name(id=name) if name in scope and depth < 4:
            for value in scope[name]:
                yield from _codes(value, scope, depth + 1)
        case ast.Subscript(value=ast.Name(id=name)) if name in scope:
            for table in scope[name]:
                for value in table.values if isinstance(table, ast.Dict) else [ast.Constant(value=None)]:
                    yield from _codes(value, scope, depth + 1)
        case _:
            yield "?"


def _assigned(nodes: Sequence[ast.AST]) -> dict[str, list[ast.expr]]:
    """Return name -> the values that are assigned to it."""
    found: dict[str, list[ast.expr]] = {}
    for node in nodes:
        if isinstance(node, ast.Assign):
            pairs = [(target, node.value) for target in node.targets]
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            pairs = [(node.target, node.value)]
        else:
            continue
        for target, value in pairs:
            if isinstance(target, ast.Name):
                found.setdefault(target.id, []).append(value)
            elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                for one, part in zip(target.elts, value.elts, strict=True):
                    found.setdefault(getattr(one, "id", ""), []).append(part)
    return found


def _functions(tree: ast.AST) -> list[ast.FunctionDef]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


def _calls(tree: ast.AST, name: str) -> Iterator[ast.Call]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call) and _called(node) == name)


def _called(call: ast.Call) -> str:
    return str(getattr(call.func, "id", getattr(call.func, "attr", "")))


def _argument(call: ast.Call, place: int, name: str) -> ast.expr | None:
    given = next((one.value for one in call.keywords if one.arg == name), None)
    return call.args[place] if given is None and place < len(call.args) else given


def test_each_code_is_known_from_the_source() -> None:
    assert [use.where for use in uses() if not use.codes or "?" in use.codes] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_used_code_has_a_sentence(language: str) -> None:
    known = sentences(language)
    missing = sorted({f"{code} ({use.where})" for use in uses() for code in use.codes if not known.get(code)})
    assert missing == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_sentence_is_used(language: str) -> None:
    used = {code for use in uses() for code in use.codes}
    assert sorted(sentences(language).keys() - used) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_code_is_in_a_catalogue_once(language: str) -> None:
    codes = re.findall(r'^msgid "(.+)"$', (FOLDER / f"{language}.po").read_text("utf-8"), re.MULTILINE)
    assert sorted(code for code in set(codes) if codes.count(code) > 1) == []


def test_codes_are_in_kebab_case() -> None:
    assert [code for language in LANGUAGES for code in sentences(language) if not KEBAB.fullmatch(code)] == []


def test_both_languages_have_the_same_codes() -> None:
    assert sorted(sentences("en").keys() ^ sentences("de").keys()) == []


def test_both_languages_name_the_same_values() -> None:
    english, german = sentences("en"), sentences("de")
    differing = [
        code for code in english.keys() & german.keys() if set_of_places(english[code]) != set_of_places(german[code])
    ]
    assert sorted(differing) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_have_only_named_placeholders(language: str) -> None:
    assert [code for code, sentence in sentences(language).items() if "%" in KNOWN.sub("", sentence)] == []


def test_each_use_passes_the_values_of_its_sentence() -> None:
    english = sentences("en")
    wrong = [
        f"{use.where}: {code} with {', '.join(sorted(use.names)) or 'nothing'}: {english[code]}"
        for use in uses()
        if use.names is not None
        for code in use.codes
        if code in english and use.names != set_of_places(english[code])
    ]
    assert wrong == []


def set_of_places(sentence: str) -> set[str]:
    """Return the names of the values of a sentence."""
    return set(PLACE.findall(sentence))


def test_values_may_be_lists_and_other_expectations() -> None:
    option = expects("option-with", option="ap_limit", value=420, needs=["extra_minutes", "rounds"])
    right = expects("or-option", right=expects("at-most", most=400), option=option)
    assert str(right) == "at most 400, or the option ap_limit=420 with extra_minutes, rounds"
    assert hash(right) == hash(expects("or-option")), "values may be lists, which have no hash"
    assert right == Expected("or-option", {"right": expects("at-most", most=400), "option": option})


def test_an_unknown_code_or_a_missing_value_is_an_error() -> None:
    with pytest.raises(KeyError):
        str(expects("no-such-code"))
    with pytest.raises(KeyError):
        str(expects("at-most"))
