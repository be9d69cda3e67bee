#!/bin/sh
# Starts RabbitMQ with the users of Muster, made anew from the environment, so that a changed password holds at once.
set -eu

umask 077
sh /muster/definitions.sh >/tmp/definitions.json
chown rabbitmq:rabbitmq /tmp/definitions.json
printf 'load_definitions = /tmp/definitions.json\n' >/etc/rabbitmq/conf.d/20-muster.conf
chmod 0644 /etc/rabbitmq/conf.d/20-muster.conf
unset REGISTRATION_BROKER_PASSWORD PAIRING_BROKER_PASSWORD SCORING_BROKER_PASSWORD INTEGRATION_BROKER_PASSWORD
exec docker-entrypoint.sh rabbitmq-server
