"""How gunicorn serves the console: one process of threads, behind the same guard against slow clients as services."""

# The names in lower case are gunicorn's own settings.
from __future__ import annotations

import os
import sys
from typing import Any

from deploy.process_manager import end_with_parent
from deploy.server import worker
from deploy.server.limits import Limits
from services.console.settings import LARGEST_FORM, MOST_WATCHES, load
from shared.settings import BadSettings

try:
    _settings = load(os.environ)
except BadSettings as bad:
    sys.exit("\n".join(bad.lines()))

bind = f"{_settings.bind}:{_settings.port}"
proc_name = "muster-console"
workers = 1
# A page waits for the services and takes little of the processor itself.
threads = 20
timeout = 60
graceful_timeout = 15
keepalive = 5


if _settings.certificate:
    certfile, keyfile = _settings.certificate, _settings.certificate_key


class Worker(worker.Worker):
    address = _settings.public_url
    # A form that is too large, but not by far, is answered with a page.
    limits = Limits(
        idle_seconds=keepalive,
        body_bytes=2 * LARGEST_FORM,
        streams=_settings.streams,
        application_files=MOST_WATCHES,
    )


worker_class = Worker
worker_tmp_dir = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
control_socket_disable = True
forwarded_allow_ips = ""
errorlog = "-"
loglevel = "warning"
accesslog = None


def on_starting(server: Any) -> None:
    end_with_parent()
