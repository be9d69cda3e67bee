"""Rebuild: everything that is made from the logs, deleted and made anew, and compared with what it was before.

The logs themselves are verified first. What is made from a log that is damaged stays as it is: a state that was folded
before the damage is better than one folded from it. Nothing here changes an event.
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
    """A table with a line for each of the service's own tournaments, as the folded state says it.

    lines: as they stand. line_of: as the state says, None for a tournament that has none. rewrite:
    these instead of all there were. source: whose log makes a tournament one of the table's; empty: the own one.
    """

    table: str
    lines: Callable[[Connection], Mapping[str, Line]]
    line_of: Callable[[str, Tournament], Line | None]
    rewrite: Callable[[Connection, Sequence[Line]], None]
    source: str = ""


class Difference(View, frozen=True):
    """Something that was not as the logs say, and is now; or a damaged log, which is only named."""

    what: Annotated[str, "log, memory, snapshot, or the name of a read model."]
    tournament: str
    where: Annotated[str, "Inside of it, as a JSON pointer."]
    found: str
    expected: str


class Rebuilt(Struct):
    """What was looked at, and every difference."""

    tournaments: int = 0
    events: int = 0
    snapshots: int = 0
    lines: int = 0
    differences: list[Difference] = field(default_factory=list)


def rebuild(
    service: Service, read_models: Sequence[ReadModel] = (), only: str = "", *, dry_run: bool = False
) -> Rebuilt:
    """Verify and fold every log from its first event on, and put caches and read models right by it.

    only: a tournament; lines of others in read models stay as they are. dry_run: compare, and change nothing.
    States in memory are those of this process; snapshots and read models are those of the whole service.
    """
    rebuilt = Rebuilt()
    database, own = service.database, service.sources[0]
    with database.reading() as connection:
        every = connection.rows("SELECT DISTINCT tournament FROM heads ORDER BY tournament")
    tournaments = [only] if only else [tournament for (tournament,) in every]
    lines: dict[str, tuple[Heads, list[Line | None]] | None] = {}
    for tournament in tournaments:
        rebuilt.tournaments += 1
        cold = _fold_anew(service.repository, database, tournament, rebuilt, dry_run)
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
        known = {tournament: made and (made[0], made[1][index]) for tournament, made in lines.items()}
        _rewrite(service, model, known, rebuilt, only, dry_run)
    for one in service.table_checks:
        with database.writing() as connection:
            found = one.find(connection)
            if found and one.repair is not None and not dry_run:
                one.repair(connection)
        expected = "what the logs say" if one.repair else "what was written; no log holds it"
        rebuilt.differences += [Difference(one.table, "", where, said, expected) for where, said in found]
    return rebuilt


def _fold_anew(
    repository: Repository, database: Database, tournament: str, rebuilt: Rebuilt, dry_run: bool
) -> tuple[Tournament, Heads] | None:
    """The state as the logs say it; what is cached of the tournament is compared with it and made anew."""
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
            cold = _from_the_first(database, tournament, seen, rebuilt)
            _compare("memory", tournament, loaded.state, cold, differences)
        if saved is not None:
            state, at = saved
            _compare("snapshot", tournament, _onward(database, tournament, state, at, seen), cold, differences)
    except SQLAlchemyError:
        raise
    except Exception as error:  # newer code's events, or an impossible one: nothing can be made from this log
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
    """The first fault of each log of a tournament."""
    found = []
    with database.reading() as connection:
        heads = heads_of(connection, tournament)
        for source, head in heads.items():
            try:
                if (end := verify(log_page(connection, source, tournament, 0, head.position))) != head:
                    raise head_mismatch(source, tournament, end, head)
            except BrokenLog as broken:
                place = event_id(source, tournament, broken.event.position)
                found.append(Difference("log", tournament, place, broken.reason, "the event as recorded"))
    return found


def _from_the_first(database: Database, tournament: str, heads: Heads, rebuilt: Rebuilt) -> Tournament:
    """The state at these heads, from the first event of every log on; the logs are verified on the way."""
    state = Tournament()
    with database.reading() as connection:
        for source, head in heads.items():
            events = log_page(connection, source, tournament, 0, head.position)
            rebuilt.events += len(events)
            if (end := verify(events)) != head:
                raise head_mismatch(source, tournament, end, head)
            fold(state, events)
    return state


def _onward(database: Database, tournament: str, state: Tournament, at: Heads, to: Heads) -> Tournament:
    """A saved state folded on from its heads to others."""
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
    """Put a read model right in one transaction; tournaments that went on meanwhile are folded again in it.

    known: tournament -> its line, and the heads that it follows from; None where its log cannot be folded, which
    leaves the line as it is.
    """
    owner, database = model.source or service.sources[0], service.database
    with database.writing() as connection:
        connection.lock_table(model.table)  # writers wait until the new lines stand; reading goes on
        before = model.lines(connection)
        made_anew: dict[str, Line | None] = {}
        for tournament in heads_of_source(connection, owner):
            made = known.get(tournament, ({}, {}))
            now = dict.fromkeys(service.sources, EMPTY_HEAD) | heads_of(connection, tournament)
            if made is None or (only and tournament != only):
                made_anew[tournament] = before.get(tournament)
            elif made[0] == now:
                made_anew[tournament] = made[1]
            else:
                folded = LoadedAggregate(Tournament(), dict.fromkeys(service.sources, EMPTY_HEAD))
                try:
                    folded.take_stored(new_events(connection, tournament, folded.heads))
                except Unfoldable:  # damaged or appended by newer code in this moment
                    made_anew[tournament] = before.get(tournament)
                else:
                    made_anew[tournament] = model.line_of(tournament, folded.state)
        after = {tournament: line for tournament, line in made_anew.items() if line is not None}
        for tournament in sorted(before.keys() | after.keys()):
            _compare(model.table, tournament, before.get(tournament), after.get(tournament), rebuilt.differences)
        if not dry_run:
            model.rewrite(connection, list(after.values()))
    rebuilt.lines += len(after)


def _compare(what: str, tournament: str, found: Any, expected: Any, differences: list[Difference]) -> None:
    if isinstance(found, Tournament) and encode(found) == encode(expected):
        return
    different = _first_difference(msgspec.to_builtins(found), msgspec.to_builtins(expected), "")
    if different is not None:
        differences.append(Difference(what, tournament, *different))


def _first_difference(found: Any, expected: Any, where: str) -> tuple[str, str, str] | None:
    """Where two values differ first, and what stands there; the order of members counts, as it does in a state."""
    if isinstance(found, dict) and isinstance(expected, dict) and list(found) == list(expected):
        members = ((f"{where}/{name}", found[name], expected[name]) for name in found)
    elif isinstance(found, list) and isinstance(expected, list) and len(found) == len(expected):
        members = ((f"{where}/{index}", found[index], expected[index]) for index in range(len(found)))
    else:
        same = type(found) is type(expected) and found == expected
        same = same and not (isinstance(found, dict) and list(found) != list(expected))
        return None if same else (where, _shown(found), _shown(expected))
    return next(filter(None, (_first_difference(one, two, place) for place, one, two in members)), None)


def _shown(value: Any) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, dict | list):
        return f"{len(value)} members: {', '.join(map(str, value))}"[:200]
    return repr(value)[:200]
