#!/bin/sh
# Puts databases of Muster back to what a backup holds: restore.sh MOMENT DATABASE…, MOMENT being a folder in
# BACKUP_FOLDER, or `newest`. Stop the services of these databases first. Each database is put back in one transaction:
# wholly, or it stays as it was. Afterwards start the services, and `muster recover` takes what is younger from the peers.
set -eu

folder=${BACKUP_FOLDER:-/backup}
if [ $# -lt 2 ]; then
    echo "usage: restore.sh MOMENT DATABASE…; $folder has: $(cd "$folder" && echo [0-9]*Z)" >&2
    exit 2
fi
moment=$1
shift
if [ "$moment" = newest ]; then moment=$(cd "$folder" && for one in [0-9]*Z; do echo "$one"; done | sort | tail -n 1); fi
for database in "$@"; do
    if [ ! -r "$folder/$moment/$database.dump" ]; then
        echo "$folder/$moment/$database.dump is not there; $folder has: $(cd "$folder" && echo [0-9]*Z)" >&2
        exit 2
    fi
done
if [ -n "${PGPASSWORD_FILE:-}" ]; then
    PGPASSWORD=$(cat "$PGPASSWORD_FILE")
    export PGPASSWORD
fi
script=$folder/.restoring.$$
trap 'rm -f "$script"' EXIT
umask 077
for database in "$@"; do
    # Newer tables are dropped too, or they would remain next to the restored ones.
    cat >"$script" <<'SQL'
SELECT format('DROP TABLE IF EXISTS %s CASCADE', oid::regclass) FROM pg_class
WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace \gexec
SELECT format('DROP ROUTINE IF EXISTS %s CASCADE', oid::regprocedure) FROM pg_proc
WHERE pronamespace = 'public'::regnamespace \gexec
SQL
    # Into a file first: a dump that ends half-way must not be put back as far as it goes.
    pg_restore --no-owner --file=- "$folder/$moment/$database.dump" >>"$script"
    psql --quiet --no-psqlrc --single-transaction --set=ON_ERROR_STOP=1 --dbname="$database" --file="$script" >/dev/null
    echo "$database is as it was at $moment"
done
