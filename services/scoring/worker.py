"""The worker's entry point: `python -m services.scoring.worker [relay] [consumer] [catch_up] [webhooks]`."""

import sys

from services.scoring.app import build, deliverer_of
from shared.application.worker import work

if __name__ == "__main__":
    service = build()
    sys.exit(work(service, only=sys.argv[1:], more=[deliverer_of(service)]))
