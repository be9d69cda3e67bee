#!/bin/sh
# Runs once, when the PostgreSQL container makes its data folder: one database for each service, all owned by a
# role that is no superuser. Triggers that refuse UPDATE and DELETE on events come with the migrations.
set -eu

psql --set=ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres --set=password="$MUSTER_DB_PASSWORD" <<'SQL'
CREATE ROLE muster LOGIN PASSWORD :'password';
CREATE DATABASE registration OWNER muster;
CREATE DATABASE pairing OWNER muster;
CREATE DATABASE scoring OWNER muster;
REVOKE CONNECT ON DATABASE registration, pairing, scoring FROM PUBLIC;
SQL
