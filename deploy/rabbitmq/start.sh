#!/bin/sh
# Starts RabbitMQ with the users of Muster, made from the secrets at each start, so that a changed password takes effect.
set -eu

umask 077
mkdir -p /tmp/muster
for who in registration pairing scoring integration; do
    file=/run/secrets/${who}_broker_password
    if [ -r "$file" ]; then
        variable=$(printf '%s' "$who" | tr '[:lower:]' '[:upper:]')_BROKER_PASSWORD
        export "$variable=$(cat "$file")"
    fi
done
if [ -r /run/secrets/broker_readers ]; then # a line for each: name:password
    BROKER_READERS=$(cat /run/secrets/broker_readers)
    export BROKER_READERS
fi
sh /muster/definitions.sh >/tmp/muster/definitions.json
for name in certificate certificate_key; do # of AMQP with TLS for programs outside: deploy/amqp.yml
    if [ -r "/run/secrets/broker_$name" ]; then cat "/run/secrets/broker_$name" >"/tmp/muster/$name"; fi
done
sh /muster/configuration.sh /tmp/muster >/tmp/muster/20-muster.conf
chown -R rabbitmq:rabbitmq /tmp/muster
unset REGISTRATION_BROKER_PASSWORD PAIRING_BROKER_PASSWORD SCORING_BROKER_PASSWORD INTEGRATION_BROKER_PASSWORD BROKER_READERS
# A folder of its own: everything else of the container is read-only.
export RABBITMQ_CONFIG_FILES=/tmp/muster
exec docker-entrypoint.sh rabbitmq-server
