#!/bin/sh
# Prints the configuration of a RabbitMQ of Muster: configuration.sh FOLDER [PORT]. FOLDER holds definitions.json, and for
# AMQP with TLS on PORT (5671) the files certificate, with its chain, and certificate_key.
set -eu

folder=$1
cat <<CONF
load_definitions = $folder/definitions.json
log.console = true
log.file = false
CONF
if [ -r "$folder/certificate" ]; then
    cat <<CONF
listeners.ssl.default = ${2:-5671}
ssl_options.cacertfile = $folder/certificate
ssl_options.certfile = $folder/certificate
ssl_options.keyfile = $folder/certificate_key
ssl_options.verify = verify_none
ssl_options.fail_if_no_peer_cert = false
CONF
fi
