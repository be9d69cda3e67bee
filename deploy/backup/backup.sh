#!/bin/sh
# Dumps the three databases of Muster into BACKUP_FOLDER/<moment>/, and removes the oldest moments beyond BACKUP_KEEP.
#
#     backup.sh          once; exit code 0 where all three were dumped and can be read
#     backup.sh forever  every BACKUP_EVERY seconds; a failure is logged, and retried after a minute
#     backup.sh fresh    whether the newest backup is younger than two intervals: for a health check
#
# PGHOST, PGPORT and PGUSER say where and who; the password is in the file PGPASSWORD_FILE, or in what libpq reads.
set -eu
umask 077

folder=${BACKUP_FOLDER:-/backup}
keep=${BACKUP_KEEP:-14}
every=${BACKUP_EVERY:-86400}
databases=${BACKUP_DATABASES:-registration pairing scoring}

for number in "$keep" "$every"; do
    case $number in '' | *[!0-9]* | 0)
        echo "BACKUP_KEEP or BACKUP_EVERY is '$number'; expected a whole number above 0" >&2
        exit 2
        ;;
    esac
done
if [ -n "${PGPASSWORD_FILE:-}" ]; then
    PGPASSWORD=$(cat "$PGPASSWORD_FILE")
    export PGPASSWORD
fi

moments() { # whole ones, the oldest first
    for one in "$folder"/[0-9]*Z; do if [ -d "$one" ]; then echo "$one"; fi; done | sort
}

once() {
    rm -rf "$folder"/.unfinished.*
    moment=$(date -u +%Y-%m-%dT%H-%M-%SZ)
    unfinished=$folder/.unfinished.$moment
    mkdir "$unfinished" || return 1
    for database in $databases; do
        # Each is whole as of one moment; that their moments differ is no harm (docs/how-to/backup.md).
        pg_dump --format=custom --file="$unfinished/$database.dump" "$database" || return 1
        pg_restore --list "$unfinished/$database.dump" >/dev/null || return 1
    done
    sync
    mv "$unfinished" "$folder/$moment" || return 1
    surplus=$(($(moments | wc -l) - keep))
    if [ "$surplus" -gt 0 ]; then moments | head -n "$surplus" | while read -r old; do rm -rf "$old"; done; fi
    echo "backed up $databases in $folder/$moment"
}

fresh() {
    newest=$(moments | tail -n 1)
    [ -n "$newest" ] && [ $(($(date +%s) - $(stat -c %Y "$newest"))) -lt $((2 * every)) ]
}

case ${1:-once} in
    once) once ;;
    fresh) fresh ;;
    forever)
        trap 'exit 0' TERM INT
        while :; do
            if once; then pause=$every; else pause=60; echo "the backup failed; it is tried again in a minute" >&2; fi
            sleep "$pause" &
            wait $!
        done
        ;;
    *)
        echo "'$1' is nothing that can be done; expected once, forever or fresh" >&2
        exit 2
        ;;
esac
