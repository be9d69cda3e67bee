#!/bin/sh
# Starts PostgreSQL. The passwords are read here, as root: create-databases.sh runs as a user that may not read them.
set -eu

MUSTER_DB_OWNER_PASSWORD=$(cat /run/secrets/muster_db_owner_password)
REGISTRATION_DATABASE_PASSWORD=$(cat /run/secrets/registration_database_password)
PAIRING_DATABASE_PASSWORD=$(cat /run/secrets/pairing_database_password)
SCORING_DATABASE_PASSWORD=$(cat /run/secrets/scoring_database_password)
export MUSTER_DB_OWNER_PASSWORD REGISTRATION_DATABASE_PASSWORD PAIRING_DATABASE_PASSWORD SCORING_DATABASE_PASSWORD
exec docker-entrypoint.sh postgres -c "max_connections=$(sh /muster/max-connections.sh)"
