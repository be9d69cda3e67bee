#!/bin/sh
# Runs once, when the PostgreSQL container creates its data folder: one database for each service, one role for each
# service, and the owner. None of them is a superuser. muster_owner migrates and owns the tables with the triggers that
# refuse to change events. Each service runs as the role of its own name, may connect to its own database only, and is
# granted what it needs there by each migration (shared/log/grants.py).
set -eu

psql --set=ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
    --set=owner_password="$MUSTER_DB_OWNER_PASSWORD" \
    --set=registration_password="$REGISTRATION_DATABASE_PASSWORD" \
    --set=pairing_password="$PAIRING_DATABASE_PASSWORD" \
    --set=scoring_password="$SCORING_DATABASE_PASSWORD" <<'SQL'
CREATE ROLE muster_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE registration LOGIN PASSWORD :'registration_password';
CREATE ROLE pairing LOGIN PASSWORD :'pairing_password';
CREATE ROLE scoring LOGIN PASSWORD :'scoring_password';
CREATE DATABASE registration OWNER muster_owner;
CREATE DATABASE pairing OWNER muster_owner;
CREATE DATABASE scoring OWNER muster_owner;
REVOKE ALL ON DATABASE registration, pairing, scoring FROM PUBLIC;
GRANT CONNECT ON DATABASE registration TO registration;
GRANT CONNECT ON DATABASE pairing TO pairing;
GRANT CONNECT ON DATABASE scoring TO scoring;
SQL
