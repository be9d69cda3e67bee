#!/bin/sh
# Runs once, when the PostgreSQL container makes its data folder: one database for each service, and two roles that are
# no superusers. muster_owner migrates and owns the tables with the triggers that refuse to change events; muster is
# what the services run as, and is granted what they need by each migration (shared/eventlog/grants.py).
set -eu

psql --set=ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
    --set=password="$MUSTER_DB_PASSWORD" --set=owner_password="$MUSTER_DB_OWNER_PASSWORD" <<'SQL'
CREATE ROLE muster_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE muster LOGIN PASSWORD :'password';
CREATE DATABASE registration OWNER muster_owner;
CREATE DATABASE pairing OWNER muster_owner;
CREATE DATABASE scoring OWNER muster_owner;
REVOKE ALL ON DATABASE registration, pairing, scoring FROM PUBLIC;
GRANT CONNECT ON DATABASE registration, pairing, scoring TO muster;
SQL
