"""The worker as a separate process: `python -m services.registration.worker [relay] [consumer] [catch_up]`."""

import sys

from services.registration.app import build
from shared.service.worker import work

if __name__ == "__main__":
    sys.exit(work(build(), only=sys.argv[1:]))
