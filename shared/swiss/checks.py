"""Does a ruleset of the right shape make sense? Tables without gaps, pieces that exist, options that fit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from shared.formats.swiss.rules import registries
from shared.formats.swiss.rules.catalogue_pack import faults_of_items
from shared.formats.swiss.rules.game_parts import MarginTable
from shared.formats.swiss.rules.objectives import OBJECTIVES
from shared.formats.swiss.rules.openness import faults_of_openness
from shared.formats.swiss.rules.roster_parts import Matched, OneOf, Total
from shared.formats.swiss.rules.rounds import faults_of_pool
from shared.formats.swiss.rules.ruleset import Ruleset
from shared.formats.swiss.rules.semantic_checks_points import faults_of_points
from shared.formats.swiss.rules.unused import faults_of_unused
from shared.refusals import NOTHING, Fault, as_said, expects, one_of
from shared.rules.model import Facts
from shared.rules.semantic_checks import faults_of_bands, faults_of_clauses, faults_of_criteria, faults_of_piece
from shared.rules.tiebreakers import TIEBREAKERS
from shared.rules.words import LONGEST_WORD


def faults_of_sense(ruleset: Ruleset) -> list[Fault]:
    """Everything a well-formed ruleset still gets wrong, each at its JSON pointer."""
    return [
        *_unknown_pieces(ruleset),
        *_unknown_fields(ruleset),
        *_builder(ruleset),
        *_table_of_margins(ruleset),
        *_table_of_rounds(ruleset),
        *_games_of_leavers(ruleset),
        *_unknown_values(ruleset),
        *faults_of_points(ruleset),
        *faults_of_unused(ruleset),
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
            yield Fault(f"/result/fields/{index}", as_said(name), one_of(sorted(optional)))


def _unknown_values(ruleset: Ruleset) -> Iterator[Fault]:
    made = registries.POINTS_SCHEMES[type(ruleset.points)].made(ruleset.points)
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
            if name not in made:
                yield _unmade(f"{where}/{name}", name, made)
    for index, criterion in enumerate(ruleset.standings.criteria):
        for field in ("of", "drawn"):
            name = getattr(criterion, field)
            if name and name not in made:
                yield _unmade(f"/standings/criteria/{index}/{field}", name, made)
        if not criterion.of and criterion.piece in TIEBREAKERS and not TIEBREAKERS[criterion.piece].of_nothing:
            yield _unmade(f"/standings/criteria/{index}", NOTHING, made)
    if ruleset.bye.half_of_most and ruleset.bye.half_of_most not in made:
        yield _unmade("/bye/half_of_most", ruleset.bye.half_of_most, made)
    for index, name in enumerate(ruleset.bye.of):
        if name not in made:
            yield _unmade(f"/bye/of/{index}", name, made)


def _builder(ruleset: Ruleset) -> Iterator[Fault]:
    builder = ruleset.builder
    if builder is None:
        if "board" in ruleset.result.fields:
            yield Fault("/result/fields", "board", expects("builder-for-score"))
        return
    for name in ("objectives", "deployment", "conditions"):
        found = len(getattr(builder, name))
        if found != builder.most + 1:
            expected = expects("entry-for-points", number=builder.most + 1, most=builder.most)
            yield Fault(f"/builder/{name}", f"{found}", expected)
    for index, objective in enumerate(builder.objectives):
        yield from faults_of_piece(f"/builder/objectives/{index}/formula", objective.formula, OBJECTIVES)


def _table_of_margins(ruleset: Ruleset) -> Iterator[Fault]:
    if isinstance(ruleset.points, MarginTable):
        yield from faults_of_bands("/points/bands", ruleset.points.bands, first=0)


def _games_of_leavers(ruleset: Ruleset) -> Iterator[Fault]:
    """A share of games that only a round robin has."""
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
            said = ", ".join(map(str, band.days))
            yield Fault(f"/rounds/table/{index}/days", said, expects("rounds-in-all", rounds=band.rounds))


def _stages(ruleset: Ruleset) -> Iterator[Fault]:
    rounds = [stage.from_round for stage in ruleset.pairing.stages]
    if not rounds or rounds[0] != 1 or rounds != sorted(set(rounds)):
        yield Fault("/pairing/stages", as_said(", ".join(map(str, rounds))), expects("rising-rounds"))


def _tiers(ruleset: Ruleset) -> Iterator[Fault]:
    ids = [tier.id for tier in ruleset.tiers]
    if not ids or len(ids) > len(set(ids)):
        yield Fault("/tiers", as_said(", ".join(ids)), expects("tiers-with-own-ids"))


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
                yield Fault(f"/forms/{index}/titles/{word}", as_said(word), expects("word-of-form"))
        for place, name in enumerate(form.lists):
            yield from _field(ruleset, f"/forms/{index}/lists/{place}", name, "entries")


def _words(ruleset: Ruleset) -> Iterator[Fault]:
    """Words that cannot be told from others, and headings of columns that there are not."""
    if ruleset.words is None:
        return
    for name in ("draw", "tied", "game_round"):
        word = getattr(ruleset.called if name == "tied" else ruleset.words, name)
        if not 0 < len(word) <= LONGEST_WORD or word != word.strip() or word.isdigit():
            yield Fault(f"/words/{name}", as_said(word), expects("own-word", most=LONGEST_WORD))
    made = registries.POINTS_SCHEMES[type(ruleset.points)].made(ruleset.points)
    known = {*made, *(criterion.column for criterion in ruleset.standings.criteria)}
    for name in ruleset.words.columns:
        if name not in known:
            yield Fault(f"/words/columns/{name}", as_said(name), one_of(sorted(known)))


def _checked_fields(ruleset: Ruleset) -> Iterator[Fault]:
    """Roster checks that look at nothing, or at a field of another kind."""
    for index, check in enumerate(ruleset.roster.checks):
        where, kind = f"/roster/checks/{index}", "text" if isinstance(check, OneOf) else "entries"
        looked_at = check.of if isinstance(check.of, list) else [check.of]
        if not looked_at:
            yield Fault(f"{where}/of", NOTHING, expects("fields-of-roster"))
        for name in looked_at:
            yield from _field(ruleset, f"{where}/of", name, kind)
        if isinstance(check, Total) and check.written:
            yield from _field(ruleset, f"{where}/written", check.written, "whole")
        if isinstance(check, Matched):
            yield from _field(ruleset, f"{where}/paid", check.paid, "entries")


def _field(ruleset: Ruleset, where: str, name: str, kind: str) -> Iterator[Fault]:
    known = [field for field, found in ruleset.roster.fields.items() if found == kind]
    if name not in known:
        yield Fault(where, name, one_of(known))


def _unmade(where: str, name: str, made: Sequence[str]) -> Fault:
    return Fault(where, name, expects("value-of-scheme", values=list(made)))
