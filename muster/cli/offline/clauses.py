"""`muster clauses`: every clause of the rules documents, with the tests that prove it."""

from __future__ import annotations

from pathlib import Path

import click

from muster.cli.faults import NOT_HELD, refuse, tell
from muster.cli.offline import tabular
from muster.cli.offline.chosen import format_option
from muster.cli.offline.clause_tests import proving_tests
from shared.refusals import Fault

COLUMNS = ("ruleset", "clause", "level", "says", "lives_in", "proved_by")

SHOWN = 2
"""Places of a clause in a table or CSV; JSON has all."""


ROOT = Path(__file__).resolve().parents[3]
"""The folder of the code that runs."""


@click.command("clauses")
@click.option("--ruleset", "ruleset_id", default="", metavar="ID", help="Of this ruleset alone.")
@click.option("--tests", default="tests", metavar="FOLDER", show_default=True, help="Where the tests are.")
@format_option
def command(ruleset_id: str, tests: str, form: str) -> None:
    """Every clause with the lines that hold it and the tests that prove it.

    Exit code 1 when a binding clause has neither test nor reason.
    """
    from muster.cli.offline.clause_places import places_of
    from shared.formats.clauses import shipped_clauses, uncovered

    shipped = shipped_clauses()
    folder = Path(tests)
    faults = []
    ruleset_id = ruleset_id.casefold()
    if ruleset_id and ruleset_id not in shipped:
        faults.append(Fault("--ruleset", f"no clauses of {ruleset_id!r}", "one of " + ", ".join(shipped)))
    if not folder.is_dir():
        faults.append(Fault("--tests", f"{tests!r}", "the folder of the tests, in a copy of the repository"))
    if faults:
        refuse(faults)
    proved = proving_tests(folder.resolve())
    places = places_of(ROOT, shipped)
    rows: list[dict[str, object]] = []
    open_ones: list[Fault] = []
    for id, clauses in shipped.items():
        if ruleset_id and id != ruleset_id:
            continue
        lacking = uncovered(clauses, proved)
        open_ones += [Fault(clause.id, "no test names it", "a test, or a reason why not") for clause in lacking]
        for clause in clauses:
            found = proved.get(clause.id, [])
            row: dict[str, object] = {"ruleset": id, "clause": clause.id, "level": clause.level, "says": clause.says}
            if form == "json":
                more = {"where": clause.where, "not_enforceable": clause.not_enforceable}
                rows.append(row | more | {"lives_in": places[clause.id], "proved_by": found})
            else:
                reason = f"not enforceable: {clause.not_enforceable}" if clause.not_enforceable else ""
                lives = "; ".join(places[clause.id][:SHOWN]) or "-"
                rows.append(row | {"lives_in": lives, "proved_by": "; ".join(filter(None, [*found, reason])) or "-"})
    if form == "json":
        tabular.write(tabular.as_json(rows), "-")
    else:
        tabular.write((tabular.as_csv if form == "csv" else tabular.as_table)(COLUMNS, rows), "-")
    if open_ones:
        tell(open_ones)
        raise SystemExit(NOT_HELD)
