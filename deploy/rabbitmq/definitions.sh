#!/bin/sh
# Prints what a RabbitMQ of Muster is to know at every start: a user for each service, that may publish under its own
# name alone and use its own queues alone, and one for integrations, that may publish nothing.
# Passwords come from the environment: letters and digits. MUSTER_EXCHANGE: as the services have it.
set -eu

prefix=${MUSTER_EXCHANGE:-muster.events}
prefix=${prefix%.events}
escaped=$(printf '%s' "$prefix" | sed 's/\./\\\\./g')
users=
permissions=
topics=

add() { # user, password, configure, write, read, topic that it may write
    case $2 in *[!A-Za-z0-9_-]* | '') echo "the password of $1 is empty, or not letters and digits alone" >&2; exit 2 ;; esac
    users="$users,{\"name\":\"$1\",\"password\":\"$2\",\"tags\":[]}"
    permissions="$permissions,{\"user\":\"$1\",\"vhost\":\"/\",\"configure\":\"$3\",\"write\":\"$4\",\"read\":\"$5\"}"
    for exchange in events hidden; do
        topics="$topics,{\"user\":\"$1\",\"vhost\":\"/\",\"exchange\":\"$prefix.$exchange\",\"write\":\"$6\",\"read\":\".*\"}"
    done
}

service() { # name, password
    own="^$escaped\\\\.(events|hidden|dead|$1|$1\\\\.dead)\$"
    add "$1" "$2" "$own" "$own" "$own" "^$1\\\\."
}

service registration "${REGISTRATION_BROKER_PASSWORD:-}"
service pairing "${PAIRING_BROKER_PASSWORD:-}"
service scoring "${SCORING_BROKER_PASSWORD:-}"
if [ -n "${INTEGRATION_BROKER_PASSWORD:-}" ]; then
    add integration "$INTEGRATION_BROKER_PASSWORD" '^integration\\.' '^integration\\.' \
        "^(integration\\\\.|$escaped\\\\.events\$)" '^$'
fi

cat <<JSON
{
  "vhosts": [{"name": "/"}],
  "users": [${users#,}],
  "permissions": [${permissions#,}],
  "topic_permissions": [${topics#,}]
}
JSON
