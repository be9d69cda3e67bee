"""A simulated tournament played, exported and verified; and what options of a pack may be set to."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from click.testing import Result

from shared.rules.parts import AnyRuleset, Option


def played(run: Any, tmp_path: Path, *arguments: object) -> tuple[list[dict[str, Any]], Counter[str], str]:
    """Play, export, verify. Returns the standings, how often each event stands in the logs, and the progress told."""
    told: Result = run("play", "--format", "json", *arguments)
    assert told.exit_code == 0, (told.output, told.exception)
    id = told.stderr.partition(":")[0]
    file = tmp_path / f"{id}.jsonl"
    assert run("export", id, "--output", file).exit_code == 0
    verified = run("verify", file)
    assert verified.exit_code == 0, verified.output
    assert f"muster export {id}" in told.stderr
    events = Counter(json.loads(line)["type"].rpartition(".")[2] for line in file.read_text().splitlines())
    return json.loads(told.stdout), events, told.stderr


def settings(option: Option) -> list[str]:
    """Every value of an option that is worth a tournament, as the command line writes it."""
    match option.kind:
        case "choice":
            return [*option.choices]
        case "flag":
            return ["true", "false"]
        case "whole":
            return [*option.choices, str(option.least), str(option.most or option.default or 25)]
        case "bands":
            return ["0-59:6:5,60+:10:1"]
        case "rounds":
            return ["3-64:4:4:2", "3-64:2"]  # a cut, and none
        case "points":
            return ["victory:4,unfinished:2", "victory:3,unfinished:1,defeat:0"]
        case "words":
            return [",".join(option.choices), ",".join([*option.choices][1:3])]
    raise AssertionError(f"nobody knows what to set an option of the kind {option.kind} to")


def together(ruleset: AnyRuleset, number: int) -> dict[str, str]:
    """The values number `number` of every option, in turn where one has fewer."""
    return {option.key: found[number % len(found)] for option in ruleset.options if (found := settings(option))}
