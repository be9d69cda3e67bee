"""`deploy.run` over three tiny services instead of the real ones: quick, and nothing else can be at fault.

Usage: python -m tests.deploy.small_muster          (the whole)
       python -m tests.deploy.small_muster SERVICE  (one web process, answering /readyz with its process id)
"""

from __future__ import annotations

import http.server
import os
import sys

from deploy import process_manager, run
from shared.settings import SERVICES, load


class Ready(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(str(os.getpid()).encode())


def serve(service: str) -> None:
    http.server.HTTPServer(("127.0.0.1", load(service, os.environ).port), Ready).serve_forever()


def main() -> int:
    run.migrate = lambda env: 0
    process_manager.PROGRAMS = {
        service: (sys.executable, "-m", "tests.deploy.small_muster", service, f"[muster-{service}]")
        for service in SERVICES
    }
    return run.main()


if __name__ == "__main__":
    if sys.argv[1:]:
        serve(sys.argv[1])
    sys.exit(main())
