"""Checks of a season's ruleset: tables of places without gaps, divisions that fit, possible numbers."""

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
    """Return every fault of a well-formed season ruleset, each at its JSON pointer."""
    return [
        *_faults_of_tiers(ruleset),
        *_faults_of_points(ruleset),
        *_faults_of_counting(ruleset.counting),
        *_faults_of_criteria(ruleset),
        *_faults_of_eligibility(ruleset),
        *_faults_of_divisions(ruleset.divisions),
        *_faults_of_final(ruleset.final, ruleset.divisions),
        *_faults_of_rating(ruleset.rating),
        *faults_of_clauses(ruleset, ""),
    ]


def _faults_of_tiers(ruleset: SeasonRuleset) -> Iterator[Fault]:
    ids = [tier.id for tier in ruleset.tiers]
    if not ids or len(ids) > len(set(ids)):
        yield Fault("/tiers", ", ".join(ids) or "nothing", expects("tiers-with-own-ids"))


def _faults_of_points(ruleset: SeasonRuleset) -> Iterator[Fault]:
    points = ruleset.points
    yield from _faults_below("/points/participation", points.participation, 0)
    if isinstance(points, PlacePoints):
        yield from _faults_of_fields(points.fields)
    elif isinstance(points, ResultPoints):
        yield from _faults_of_games("/points/games", points.games)
        for format, games in points.formats.items():
            yield from _faults_of_games(f"/points/formats/{format}", games)
    for tier, weight in ruleset.weights.tiers.items():
        yield from _faults_below(f"/weights/tiers/{tier}", weight, 0)


def _faults_of_fields(fields: Sequence[FieldClass]) -> Iterator[Fault]:
    yield from faults_of_bands("/points/fields", fields, first=1)
    for index, field in enumerate(fields):
        where = f"/points/fields/{index}/places"
        yield from faults_of_bands(where, field.places, first=1, stops=True)
        for number, band in enumerate(field.places):
            yield from _faults_below(f"{where}/{number}/points", band.points, 0)
            if number and band.points > field.places[number - 1].points:
                most = field.places[number - 1].points
                right = expects("points-of-places-before", most=most)
                yield Fault(f"{where}/{number}/points", f"{band.points}", right)


def _faults_of_games(where: str, games: GameWorth) -> Iterator[Fault]:
    for name in ("win", "draw", "loss", "bye", "forfeit"):
        yield from _faults_below(f"{where}/{name}", getattr(games, name), 0)
    if not games.win >= games.draw >= games.loss:
        given = to_short_json({"win": games.win, "draw": games.draw, "loss": games.loss})
        yield Fault(where, given, expects("win-draw-loss"))


def _faults_of_counting(counting: Counting) -> Iterator[Fault]:
    for name in ("best", "of", "minimum"):
        yield from _faults_below(f"/counting/{name}", getattr(counting, name), 0)
    if not 0 <= counting.best_per_cent <= 100:
        yield Fault("/counting/best_per_cent", str(counting.best_per_cent), expects("between", least=0, most=100))
    for name in ("best", "minimum"):
        if 0 < counting.of < getattr(counting, name):
            right = expects("at-most-planned", most=counting.of)
            yield Fault(f"/counting/{name}", str(getattr(counting, name)), right)


def _faults_of_criteria(ruleset: SeasonRuleset) -> Iterator[Fault]:
    known = {**TIEBREAKERS, **SEASON_PIECES}
    for fault in faults_of_criteria(ruleset.ranking.criteria, "/ranking/criteria", known):
        if not fault.where.endswith("/drawn"):  # reported below: no value of a season can use it
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


def _faults_of_eligibility(ruleset: SeasonRuleset) -> Iterator[Fault]:
    yield from _faults_below("/eligibility/minimum", ruleset.eligibility.minimum, 0)
    if 0 < ruleset.counting.of < ruleset.eligibility.minimum:
        right = expects("at-most-planned", most=ruleset.counting.of)
        yield Fault("/eligibility/minimum", str(ruleset.eligibility.minimum), right)
    for index, name in enumerate(ruleset.eligibility.divisions):
        if name not in ruleset.division_names:
            yield Fault(f"/eligibility/divisions/{index}", name, one_of(list(ruleset.division_names)))


def _faults_of_divisions(divisions: Divisions) -> Iterator[Fault]:
    all_divisions = divisions.divisions
    for index, division in enumerate(all_divisions):
        where = f"/divisions/divisions/{index}"
        for name in ("up", "down", "size"):
            yield from _faults_below(f"{where}/{name}", getattr(division, name), 0)
        if not division.name or division.name in [other.name for other in all_divisions[:index]]:
            yield Fault(f"{where}/name", division.name or "nothing", expects("own-name"))
        if index == 0 and division.up:
            yield Fault(f"{where}/up", str(division.up), expects("no-division-above"))
        if index == len(all_divisions) - 1 and division.down:
            yield Fault(f"{where}/down", str(division.down), expects("no-division-below"))
        if 0 < division.size < division.up + division.down:
            given = to_short_json({"up": division.up, "down": division.down})
            yield Fault(where, given, expects("moves-of-division", most=division.size))
        if index and division.up != all_divisions[index - 1].down and (division.size or all_divisions[index - 1].size):
            right = expects("as-many-up-as-down", down=all_divisions[index - 1].down)
            yield Fault(f"{where}/up", f"{division.up}", right)


def _faults_of_final(final: Final, divisions: Divisions) -> Iterator[Fault]:
    for name in ("to", "minimum"):
        yield from _faults_below(f"/final/{name}", getattr(final, name), 0)
    if final.to == 1:
        yield Fault("/final/to", "1", expects("size-of-final"))
    if final.to and final.per == "division" and not (divisions.used and divisions.divisions):
        yield Fault("/final/per", "division", expects("final-of-season"))


def _faults_of_rating(rating: Rating) -> Iterator[Fault]:
    for name, least in (("initial", 0), ("period", 0), ("k", 1), ("deviation", 1)):
        yield from _faults_below(f"/rating/{name}", getattr(rating, name), least)
    for name in ("volatility", "tau"):
        text = getattr(rating, name)
        if not _DECIMAL.fullmatch(text) or not Decimal(text):
            yield Fault(f"/rating/{name}", text, expects("decimal-above-0"))


def _faults_below(where: str, value: int, least: int) -> Iterator[Fault]:
    if value < least:
        yield Fault(where, str(value), expects("at-least", least=least))
