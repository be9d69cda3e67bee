"""What the command line sends to change something: shown only (`--preview`), or done, with what reverses it.

`muster send` gives any command of any service, as its OpenAPI document has it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click

from muster.cli.command_group import example
from muster.cli.online.connection import connect, online
from muster.cli.output import refuse
from muster.cli.tables import printable
from muster_client import Muster
from shared.refusals import LONGEST_SAID, Fault, expects
from shared.settings import SERVICES

METHODS = ("POST", "PUT", "PATCH", "DELETE")
UNTOLD = {"seed", "page", "pages"}
"""Members that say nothing to people."""
Json = Mapping[str, Any]

preview_option = click.option("--preview", is_flag=True, help="Only say what the command would do.")


def give(
    muster: Muster,
    service: str,
    path: str,
    body: Any = None,
    *,
    preview: bool,
    form: str = "table",
    method: str = "POST",
    content_type: str = "",
) -> Json | None:
    """Send a command and return its answer. With `preview` it is only shown: None."""
    if preview:
        shown = muster.plain.command(method, service, path, body, content_type=content_type, preview="true")
        click.echo(json.dumps(shown, ensure_ascii=False, indent=2) if form == "json" else "\n".join(foretold(shown)))
        return None
    answer: Json = muster.plain.command(method, service, path, body, content_type=content_type)
    return answer


def foretold(shown: Json) -> Iterator[str]:
    """A preview in words, line by line."""
    events, uncertain = shown["events"], shown["uncertain"]
    yield "Nothing was done."
    if not events and not uncertain:
        yield "The command would change nothing."
        return
    yield "It would append:"
    yield from (f"  {event['type']}: {in_words(event['data'])}" for event in events)
    for one in uncertain:
        why = "rolled, and all that follows from it" if one["reason"] == "rolled" else "made at that moment"
        yield f"  known once it is done: {printable(one['where'])} ({why})"
    moved = [line for name, value in shown["moves"].items() for line in _moved(name, value)]
    yield "Nothing that is shown elsewhere would move." if not moved else "It would move:"
    yield from moved


def _moved(name: str, value: Any) -> Iterator[str]:
    """What would move of one kind; an empty list is nothing."""
    if isinstance(value, list):
        yield from (f"  {name}: {in_words(one) if isinstance(one, Mapping) else one}" for one in value)
    elif name == "round" and isinstance(value, Mapping):
        yield f"  round {value['round']}:"
        yield from (f"    {_pairing(one)}" for one in value["pairings"])
    elif isinstance(value, Mapping) and not _is_move(value):
        facts = {key: one for key, one in value.items() if not isinstance(one, Mapping | list)}
        lines = [line for key, one in value.items() if key not in facts for line in _moved(_word(key), one)]
        yield from (f"  {name}, {line.strip()}" for line in lines)
    elif isinstance(value, Mapping):
        yield f"  {name}: {in_words({'': value})}"
    elif value is None:
        yield f"  {name}: none any more"


def _pairing(seat: Json) -> str:
    """A game as it hangs on the wall."""
    one, two = seat.get("name_1") or seat["player_1"], seat.get("name_2") or seat.get("player_2")
    table = f"table {seat['table']}: " if seat.get("table") else ""
    return printable(f"{table}{one} – {two}" if two else f"bye: {one}")


def in_words(value: Json) -> str:
    """The members of an object on one line; `before` and `after` of the same thing as a move."""
    return printable(", ".join(_told(value)))


def _told(value: Json) -> Iterator[str]:
    for key, one in value.items():
        word = _word(key)
        if key.endswith("after") and key.removesuffix("after") + "before" in value:
            continue
        if key.endswith("before") and (after := key.removesuffix("before") + "after") in value:
            yield f"{_word(key.removesuffix('before'))} {_of(one)} -> {_of(value[after])}".strip()
        elif key in UNTOLD or one is None or one is False or one in ("", {}, []):
            continue
        elif isinstance(one, Mapping):
            yield f"{word} {_of(one['before'])} -> {_of(one['after'])}" if _is_move(one) else _inside(word, one)
        elif isinstance(one, list):
            yield f"{word} {_list(one)}"
        else:
            yield f"{word} {_of(one)}".strip()


def _inside(word: str, value: Json) -> str:
    return f"{word} ({', '.join(_told(value))})"


def _is_move(value: Json) -> bool:
    return set(value) == {"before", "after"}


def _list(values: Sequence[Any]) -> str:
    if any(isinstance(one, Mapping | list) for one in values):
        return f"({len(values)})"
    return ", ".join(map(_of, values))


def _of(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value in ("", None) else str(value)


def _word(name: str) -> str:
    return name.strip("_").replace("_", " ")


@click.command("send")
@click.argument("service", type=click.Choice(SERVICES))
@click.argument("method", type=click.Choice(METHODS))
@click.argument("address")
@click.argument("body", default="")
@preview_option
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
@online
@example("muster send registration POST /tournaments/t-5f0c7d1e6f0a/players/p1/drop --preview")
def send(service: str, method: str, address: str, body: str, preview: bool, form: str) -> None:
    """Send any command to a service.

    SERVICE is registration, pairing or scoring; METHOD is that of HTTP; ADDRESS starts with /tournaments/; BODY is JSON
    (- is standard input). Prints the events that were appended, and on standard error how to reverse them.
    """
    if not address.startswith("/"):
        refuse([Fault("ADDRESS", address, expects("address-in-service"))])
    text = sys.stdin.read() if body == "-" else body
    try:
        said = json.loads(text) if text.strip() else None
    except ValueError as error:
        refuse([Fault("BODY", text[:LONGEST_SAID], expects("json", problem=str(error)))])
    muster = connect()
    answer = give(muster, service, address, said, preview=preview, form=form, method=method)
    if answer is None:
        return
    if form == "json":
        click.echo(json.dumps(answer, ensure_ascii=False, indent=2))
        return
    for event in answer["events"]:
        click.echo(f"{event['type']}: {in_words(event['data'])}")
    if not answer["events"]:
        click.echo("Nothing was changed.")
    rest = {key: one for key, one in answer.items() if key not in ("events", "tournament")}
    if told := in_words(rest):
        click.echo(told)
