"""Checks of a season's ruleset: tables of places without gaps, divisions that fit, numbers that are possible."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from shared.refusals import Fault, expects, one_of, to_short_json
from shared.rules.checks import faults_of_bands, faults_of_clauses, faults_of_criteria, faults_of_piece
from shared.rules.tiebreakers import TIEBREAKERS
from shared.season.counting import NUMBERED, SEASON_PIECES, VALUES
from shared.season.ruleset import (
    Counting,
    Divisions,
    FieldClass,
    Final,
    GameWorth,
    PlacePoints,
    Rating,
    ResultPoints,
    SeasonRuleset,
)

_DECIMAL = re.compile(r"[0-9]\.[0-9]{1,6}")


def faults_of_season(ruleset: SeasonRuleset) -> list[Fault]:
    """Everything a well-formed ruleset of a season still gets wrong, each at its JSON pointer."""
    return [
        *_tiers(ruleset),
        *_points(ruleset),
        *_counting(ruleset.counting),
        *_criteria(ruleset),
        *_eligibility(ruleset),
        *_divisions(ruleset.divisions),
        *_final(ruleset.final, ruleset.divisions),
        *_rating(ruleset.rating),
        *faults_of_clauses(ruleset, ""),
    ]


def _tiers(ruleset: SeasonRuleset) -> Iterator[Fault]:
    ids = [tier.id for tier in ruleset.tiers]
    if not ids or len(ids) > len(set(ids)):
        yield Fault("/tiers", ", ".join(ids) or "nothing", expects("tiers-with-own-ids"))


def _points(ruleset: SeasonRuleset) -> Iterator[Fault]:
    points = ruleset.points
    yield from _at_least("/points/participation", points.participation, 0)
    if isinstance(points, PlacePoints):
        yield from _fields(points.fields)
    elif isinstance(points, ResultPoints):
        yield from _games("/points/games", points.games)
        for format, games in points.formats.items():
            yield from _games(f"/points/formats/{format}", games)
    for tier, weight in ruleset.weights.tiers.items():
        yield from _at_least(f"/weights/tiers/{tier}", weight, 0)


def _fields(fields: Sequence[FieldClass]) -> Iterator[Fault]:
    yield from faults_of_bands("/points/fields", fields, first=1)
    for index, field in enumerate(fields):
        where = f"/points/fields/{index}/places"
        yield from faults_of_bands(where, field.places, first=1, stops=True)
        for number, band in enumerate(field.places):
            yield from _at_least(f"{where}/{number}/points", band.points, 0)
            if number and band.points > field.places[number - 1].points:
                most = field.places[number - 1].points
                right = expects("points-of-places-before", most=most)
                yield Fault(f"{where}/{number}/points", f"{band.points}", right)


def _games(where: str, games: GameWorth) -> Iterator[Fault]:
    for name in ("win", "draw", "loss", "bye", "forfeit"):
        yield from _at_least(f"{where}/{name}", getattr(games, name), 0)
    if not games.win >= games.draw >= games.loss:
        said = to_short_json({"win": games.win, "draw": games.draw, "loss": games.loss})
        yield Fault(where, said, expects("win-draw-loss"))


def _counting(counting: Counting) -> Iterator[Fault]:
    for name in ("best", "of", "minimum"):
        yield from _at_least(f"/counting/{name}", getattr(counting, name), 0)
    if not 0 <= counting.best_per_cent <= 100:
        yield Fault("/counting/best_per_cent", str(counting.best_per_cent), expects("between", least=0, most=100))
    for name in ("best", "minimum"):
        if 0 < counting.of < getattr(counting, name):
            right = expects("at-most-planned", most=counting.of)
            yield Fault(f"/counting/{name}", str(getattr(counting, name)), right)


def _criteria(ruleset: SeasonRuleset) -> Iterator[Fault]:
    known = {**TIEBREAKERS, **SEASON_PIECES}
    for fault in faults_of_criteria(ruleset.ranking.criteria, "/ranking/criteria", known):
        if not fault.where.endswith("/drawn"):  # which is told below: no piece of a season can use it
            yield fault
    for index, rule in enumerate(ruleset.ranking.criteria):
        where = f"/ranking/criteria/{index}"
        yield from faults_of_piece(f"{where}/piece", rule.piece, known)
        if rule.piece in NUMBERED:
            if rule.of and not re.fullmatch(r"[1-9][0-9]{0,3}", rule.of):
                yield Fault(f"{where}/of", rule.of, expects("number-in-text"))
        elif rule.piece in SEASON_PIECES and rule.of:
            yield Fault(f"{where}/of", rule.of, expects("made-of-results", piece=rule.piece))
        elif rule.piece in TIEBREAKERS and not TIEBREAKERS[rule.piece].of_nothing and rule.of not in VALUES:
            yield Fault(f"{where}/of", rule.of or "nothing", one_of(list(VALUES)))
        if rule.drawn:
            yield Fault(f"{where}/drawn", rule.drawn, expects("no-drawn-value"))


def _eligibility(ruleset: SeasonRuleset) -> Iterator[Fault]:
    yield from _at_least("/eligibility/minimum", ruleset.eligibility.minimum, 0)
    if 0 < ruleset.counting.of < ruleset.eligibility.minimum:
        right = expects("at-most-planned", most=ruleset.counting.of)
        yield Fault("/eligibility/minimum", str(ruleset.eligibility.minimum), right)
    for index, name in enumerate(ruleset.eligibility.divisions):
        if name not in ruleset.division_names:
            yield Fault(f"/eligibility/divisions/{index}", name, one_of(list(ruleset.division_names)))


def _divisions(divisions: Divisions) -> Iterator[Fault]:
    every = divisions.divisions
    for index, division in enumerate(every):
        where = f"/divisions/divisions/{index}"
        for name in ("up", "down", "size"):
            yield from _at_least(f"{where}/{name}", getattr(division, name), 0)
        if not division.name or division.name in [one.name for one in every[:index]]:
            yield Fault(f"{where}/name", division.name or "nothing", expects("own-name"))
        if index == 0 and division.up:
            yield Fault(f"{where}/up", str(division.up), expects("no-division-above"))
        if index == len(every) - 1 and division.down:
            yield Fault(f"{where}/down", str(division.down), expects("no-division-below"))
        if 0 < division.size < division.up + division.down:
            said = to_short_json({"up": division.up, "down": division.down})
            yield Fault(where, said, expects("moves-of-division", most=division.size))
        if index and division.up != every[index - 1].down and (division.size or every[index - 1].size):
            right = expects("as-many-up-as-down", down=every[index - 1].down)
            yield Fault(f"{where}/up", f"{division.up}", right)


def _final(final: Final, divisions: Divisions) -> Iterator[Fault]:
    for name in ("to", "minimum"):
        yield from _at_least(f"/final/{name}", getattr(final, name), 0)
    if final.to == 1:
        yield Fault("/final/to", "1", expects("size-of-final"))
    if final.to and final.per == "division" and not (divisions.used and divisions.divisions):
        yield Fault("/final/per", "division", expects("final-of-season"))


def _rating(rating: Rating) -> Iterator[Fault]:
    for name, least in (("initial", 0), ("period", 0), ("k", 1), ("deviation", 1)):
        yield from _at_least(f"/rating/{name}", getattr(rating, name), least)
    for name in ("volatility", "tau"):
        said = getattr(rating, name)
        if not _DECIMAL.fullmatch(said) or not Decimal(said):
            yield Fault(f"/rating/{name}", said, expects("decimal-above-0"))


def _at_least(where: str, value: int, least: int) -> Iterator[Fault]:
    if value < least:
        yield Fault(where, str(value), expects("at-least", least=least))
