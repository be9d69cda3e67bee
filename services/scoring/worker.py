"""The worker as a program of its own: `python -m services.scoring.worker [relay] [consumer] [catch_up] [webhooks]`."""

import sys

from services.scoring.app import build
from shared.service.worker import work

if __name__ == "__main__":
    sys.exit(work(build(), only=sys.argv[1:]))
