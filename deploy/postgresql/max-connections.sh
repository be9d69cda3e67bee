#!/bin/sh
# Prints how many connections PostgreSQL has to allow, by the settings of the services (docs/how-to/install.md, Sizing).
set -eu

# Each process keeps as many connections as it has threads, and opens eight more at most; the relay listens on one more.
# Each service has one worker process besides its web processes (MUSTER_REPLICAS). Twenty are for migrations, the backup and people.
needed=$((3 * ((${MUSTER_REPLICAS:-2} + 1) * (${MUSTER_WEB_THREADS:-8} + 8) + 1) + 20))
if [ "$needed" -lt 300 ]; then needed=300; fi
echo "$needed"
