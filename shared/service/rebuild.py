"""Rebuild: compute caches and read models again from the logs, and report the differences.

The logs are verified first. Data computed from a damaged log stays as it is: a state folded before the damage is better
than one folded after it. Nothing here changes an event.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Struct, field
from sqlalchemy.exc import SQLAlchemyError

from shared.formats.fold import encode, fold
from shared.log.database import Connection, Database
from shared.log.event import EMPTY_HEAD, Head, event_id
from shared.log.log import BrokenLog, head_mismatch, verify
from shared.log.reading import heads_of, heads_of_source, log_page, new_events
from shared.service.state import LoadedAggregate, Repository, SnapshotDamaged, Snapshots, Unfoldable
from shared.service.wiring import Service
from shared.shapes import View
from shared.tournament.registration import INSTALLATION
from shared.tournament.state import Tournament

Line = dict[str, Any]
Heads = dict[str, Head]


class ReadModel(Struct, frozen=True):
    """A table with a line for each tournament, computed from its folded state.

    lines: reads the current lines. line_of: computes the line of a tournament; None if it has none. rewrite: replaces
    all lines. source: the table has the tournaments with a log of this source; empty: the own log.
    """

    table: str
    lines: Callable[[Connection], Mapping[str, Line]]
    line_of: Callable[[str, Tournament], Line | None]
    rewrite: Callable[[Connection, Sequence[Line]], None]
    source: str = ""


class Difference(View, frozen=True):
    """A value that differed from the logs and has been corrected, or a damaged log, which is only reported."""

    what: Annotated[str, "log, memory, snapshot, or the name of a read model."]
    tournament: str
    where: Annotated[str, "The place inside it, as a JSON pointer."]
    found: str
    expected: str


class Rebuilt(Struct):
    """The result of a rebuild: what was checked, and every difference."""

    tournaments: int = 0
    events: int = 0
    snapshots: int = 0
    lines: int = 0
    differences: list[Difference] = field(default_factory=list)


def rebuild(
    service: Service, read_models: Sequence[ReadModel] = (), only: str = "", *, dry_run: bool = False
) -> Rebuilt:
    """Verify and fold every log from its first event, and correct caches and read models.

    only: the one tournament to rebuild; empty: all. dry_run: compare, and change nothing.
    The states in memory are those of this process; snapshots and read models belong to the whole service.
    """
    rebuilt = Rebuilt()
    database, own = service.database, service.sources[0]
    with database.reading() as connection:
        every = connection.rows("SELECT DISTINCT tournament FROM heads ORDER BY tournament")
    tournaments = [only] if only else [tournament for (tournament,) in every]
    lines: dict[str, tuple[Heads, list[Line | None]] | None] = {}
    for tournament in tournaments:
        rebuilt.tournaments += 1
        cold = _rebuild_state(service.repository, database, tournament, rebuilt, dry_run)
        if cold is None:
            lines[tournament] = None
        else:
            state, heads = cold
            lines[tournament] = (
                heads,
                [
                    model.line_of(tournament, state) if _has_line(model, tournament, heads, own) else None
                    for model in read_models
                ],
            )
    for index, model in enumerate(read_models):
        known = {tournament: line and (line[0], line[1][index]) for tournament, line in lines.items()}
        _rewrite(service, model, known, rebuilt, only, dry_run)
    for check in service.table_checks:
        with database.writing() as connection:
            damage = check.find(connection)
            if damage and check.repair is not None and not dry_run:
                check.repair(connection)
        expected = "what the logs say" if check.repair else "what was written; no log holds it"
        rebuilt.differences += [Difference(check.table, "", where, found, expected) for where, found in damage]
    return rebuilt


def _rebuild_state(
    repository: Repository, database: Database, tournament: str, rebuilt: Rebuilt, dry_run: bool
) -> tuple[Tournament, Heads] | None:
    """Fold a tournament from its logs, and compare and replace its cached states. Return None if it is damaged."""
    snapshots = Snapshots(database)
    differences = rebuilt.differences
    if damaged := _damage(database, tournament):
        differences += damaged
        return None
    try:
        saved = snapshots.read(tournament)
    except SnapshotDamaged as error:
        saved = None
        differences.append(Difference("snapshot", tournament, "", f"unreadable: {error}", "a state"))
        if not dry_run:
            repository.forget(tournament)
    try:
        with repository.now(tournament) as loaded:
            seen = dict(loaded.heads)
            cold = _fold_from_start(database, tournament, seen, rebuilt)
            _compare("memory", tournament, loaded.state, cold, differences)
        if saved is not None:
            state, at = saved
            _compare("snapshot", tournament, _fold_further(database, tournament, state, at, seen), cold, differences)
    except SQLAlchemyError:
        raise
    except Exception as error:  # an event of newer code, or an impossible one: this log cannot be folded
        differences.append(Difference("log", tournament, "", f"{type(error).__name__}: {error}", "events that fold"))
        return None
    if dry_run:
        return cold, seen
    repository.forget(tournament)
    if saved is not None:
        snapshots.save(tournament, cold, seen)
        rebuilt.snapshots += 1
    return cold, seen


def _damage(database: Database, tournament: str) -> list[Difference]:
    """Return the first fault of each log of a tournament."""
    differences = []
    with database.reading() as connection:
        heads = heads_of(connection, tournament)
        for source, head in heads.items():
            try:
                if (end := verify(log_page(connection, source, tournament, 0, head.position))) != head:
                    raise head_mismatch(source, tournament, end, head)
            except BrokenLog as broken:
                place = event_id(source, tournament, broken.event.position)
                differences.append(Difference("log", tournament, place, broken.reason, "the event as recorded"))
    return differences


def _fold_from_start(database: Database, tournament: str, heads: Heads, rebuilt: Rebuilt) -> Tournament:
    """Verify every log and fold it from its first event to these heads."""
    state = Tournament()
    with database.reading() as connection:
        for source, head in heads.items():
            events = log_page(connection, source, tournament, 0, head.position)
            rebuilt.events += len(events)
            if (end := verify(events)) != head:
                raise head_mismatch(source, tournament, end, head)
            fold(state, events)
    return state


def _fold_further(database: Database, tournament: str, state: Tournament, at: Heads, to: Heads) -> Tournament:
    """Fold a saved state further, from its heads to newer ones."""
    with database.reading() as connection:
        for source, head in to.items():
            after = at.get(source, EMPTY_HEAD).position
            fold(state, log_page(connection, source, tournament, after, max(0, head.position - after)))
    return state


def _has_line(model: ReadModel, tournament: str, heads: Heads, own: str) -> bool:
    return tournament != INSTALLATION and bool(heads.get(model.source or own, EMPTY_HEAD).position)


def _rewrite(
    service: Service,
    model: ReadModel,
    known: Mapping[str, tuple[Heads, Line | None] | None],
    rebuilt: Rebuilt,
    only: str,
    dry_run: bool,
) -> None:
    """Correct a read model in one transaction. Tournaments that have new events are folded again inside it.

    known: tournament -> its line and the heads it was computed from; None if its log cannot be folded, so that the
    line stays as it is.
    """
    owner, database = model.source or service.sources[0], service.database
    with database.writing() as connection:
        connection.lock_table(model.table)  # writers wait for the commit; readers do not
        before = model.lines(connection)
        computed: dict[str, Line | None] = {}
        for tournament in heads_of_source(connection, owner):
            line = known.get(tournament, ({}, {}))
            now = dict.fromkeys(service.sources, EMPTY_HEAD) | heads_of(connection, tournament)
            if line is None or (only and tournament != only):
                computed[tournament] = before.get(tournament)
            elif line[0] == now:
                computed[tournament] = line[1]
            else:
                folded = LoadedAggregate(Tournament(), dict.fromkeys(service.sources, EMPTY_HEAD))
                try:
                    folded.take_stored(new_events(connection, tournament, folded.heads))
                except Unfoldable:  # damaged, or just appended by newer code
                    computed[tournament] = before.get(tournament)
                else:
                    computed[tournament] = model.line_of(tournament, folded.state)
        after = {tournament: line for tournament, line in computed.items() if line is not None}
        for tournament in sorted(before.keys() | after.keys()):
            _compare(model.table, tournament, before.get(tournament), after.get(tournament), rebuilt.differences)
        if not dry_run:
            model.rewrite(connection, list(after.values()))
    rebuilt.lines += len(after)


def _compare(what: str, tournament: str, found: Any, expected: Any, differences: list[Difference]) -> None:
    if isinstance(found, Tournament) and encode(found) == encode(expected):
        return
    difference = _first_difference(msgspec.to_builtins(found), msgspec.to_builtins(expected), "")
    if difference is not None:
        differences.append(Difference(what, tournament, *difference))


def _first_difference(found: Any, expected: Any, where: str) -> tuple[str, str, str] | None:
    """Return the pointer to the first difference and both values there, or None. The order of members counts."""
    if isinstance(found, dict) and isinstance(expected, dict) and list(found) == list(expected):
        members = ((f"{where}/{name}", found[name], expected[name]) for name in found)
    elif isinstance(found, list) and isinstance(expected, list) and len(found) == len(expected):
        members = ((f"{where}/{index}", found[index], expected[index]) for index in range(len(found)))
    else:
        is_equal = type(found) is type(expected) and found == expected
        is_equal = is_equal and not (isinstance(found, dict) and list(found) != list(expected))
        return None if is_equal else (where, _summary(found), _summary(expected))
    return next(filter(None, (_first_difference(first, second, place) for place, first, second in members)), None)


def _summary(value: Any) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, dict | list):
        return f"{len(value)} members: {', '.join(map(str, value))}"[:200]
    return repr(value)[:200]
