"""Whether the SQLite databases of a data folder and its keys belong together.

Each database file keeps a short hash of the key over personal data in its header (`PRAGMA user_version`), from its
first start on. So another Muster's `secrets.json` beside it is noticed: with that one no link would be good any more,
and nothing that was sealed could be opened. Why it is done so: docs/decisions/0057-databases-know-their-keys.md.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path

from sqlalchemy.engine import make_url

from shared.keys import NEW_KEYS
from shared.settings import Settings

PURPOSE = b"muster/belonging/1"


def mark_of(personal_key: bytes) -> int:
    """What a database says of the key that it belongs to: 31 bits of a hash, and never 0, which says nothing."""
    return int.from_bytes(sha256(PURPOSE + personal_key).digest()[:4]) >> 1 or 1


def foreign_databases(settings: Iterable[Settings], personal_key: bytes) -> list[str]:
    """A line if some of the databases belong to other keys; what cannot be read is for the migration to say."""
    marks = {file: _mark(file) for file in _files(settings)}
    others = [file.name for file, mark in marks.items() if mark not in (0, mark_of(personal_key))]
    if not others:
        return []
    folder = next(iter(marks)).parent
    return [
        f"MUSTER_DATA: {', '.join(others)} in {folder} belong to another secrets.json than the one there; put theirs "
        f"back, or name another folder. If theirs is lost, {NEW_KEYS}=1 goes on without its tokens and personal data"
    ]


def mark_databases(settings: Iterable[Settings], personal_key: bytes) -> None:
    """Have each database say which keys it belongs to. Raises sqlite3.Error."""
    mark = mark_of(personal_key)
    for file in _files(settings):
        if _mark(file) != mark:
            with closing(_opened(file)) as connection:
                connection.execute(f"PRAGMA user_version = {mark}")


def _files(settings: Iterable[Settings]) -> Iterator[Path]:
    for one in settings:
        file = make_url(one.database_url).database if one.sqlite else None
        if file and Path(file).is_file():
            yield Path(file)


def _mark(file: Path) -> int:
    try:
        with closing(_opened(file)) as connection:
            return int(connection.execute("PRAGMA user_version").fetchone()[0])
    except sqlite3.Error:
        return 0


def _opened(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{file.absolute().as_uri()}?mode=rw", uri=True, timeout=15)
