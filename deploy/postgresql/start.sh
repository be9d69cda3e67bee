#!/bin/sh
# Starts PostgreSQL. It reads the passwords while it is root: create-databases.sh runs as somebody who may not.
set -eu

MUSTER_DB_PASSWORD=$(cat /run/secrets/muster_db_password)
MUSTER_DB_OWNER_PASSWORD=$(cat /run/secrets/muster_db_owner_password)
export MUSTER_DB_PASSWORD MUSTER_DB_OWNER_PASSWORD
# Each web process opens 16 connections at most; three services of four processes, and their workers.
exec docker-entrypoint.sh postgres -c max_connections=300
