"""The record of an event: its three logs as one file, and how anyone can verify it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from tempfile import SpooledTemporaryFile, TemporaryFile
from typing import IO

from flask import Blueprint, Response, render_template
from flask.typing import ResponseReturnValue

from muster_client import Muster
from muster_client.connection import SERVICES
from muster_client.record import LogTooShort, read_logs, record_line
from services.console.language import _
from services.console.signed_in import muster, uncached_muster

blueprint = Blueprint("records", __name__)
IN_MEMORY = 4 * 1024 * 1024
"""Bytes of a log kept in memory; the rest goes to a temporary file."""
CHUNK = 64 * 1024
"""Bytes sent at a time."""


@blueprint.get("/events/<event>/record")
def show(event: str) -> ResponseReturnValue:
    """Show where each log ends, and how to verify the file."""
    services = muster()
    return render_template(
        "record.html",
        event=services.registration.show_tournament(event),
        heads={source: services.service(source).heads(event).heads.get(source) for source in SERVICES},
        place="settings",
    )


@blueprint.get("/events/<event>/record.jsonl")
def download(event: str) -> ResponseReturnValue:
    """Return the three logs as one file, one CloudEvent a line, as of one moment on which all logs agree."""
    with ExitStack() as stack:
        file = stack.enter_context(TemporaryFile())
        try:
            write_record(uncached_muster(), event, file)
        except (LogTooShort, ValueError):
            what = _("The services do not agree on this event at the moment. Try again in a minute.")
            return render_template("refused.html", what=what, problem=None), 503
        heads = {
            "Content-Disposition": f'attachment; filename="{event}.jsonl"',
            "Content-Length": str(file.tell()),
            "Cache-Control": "no-store",
        }
        file.seek(0)
        response = Response(_chunks(file), mimetype="application/x-ndjson", headers=heads)
        response.call_on_close(stack.pop_all().close)
        return response


def write_record(services: Muster, event: str, file: IO[bytes]) -> None:
    """Write the three logs to a file, one after another, as `muster export` does.

    Raises LogTooShort, and ValueError if a service sends something that is not an event.
    """
    with ExitStack() as stack:
        spools = {source: stack.enter_context(SpooledTemporaryFile(IN_MEMORY)) for source in SERVICES}

        def take(source: str, position: int, line: bytes) -> Mapping[str, int]:
            written, seen = record_line(line)
            spools[source].write(written + b"\n")
            return seen

        read_logs(services, event, take)
        for spool in spools.values():
            spool.seek(0)
            shutil.copyfileobj(spool, file)


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    while chunk := file.read(CHUNK):
        yield chunk
