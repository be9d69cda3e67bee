#!/bin/sh
# Prints what a RabbitMQ of Muster is to know at every start: a user for each service, that may publish under its own
# name alone and use its own queues alone, and users that only read: they declare queues that begin with their name,
# bind these to the public exchange, and publish nothing.
# Passwords come from the environment: letters and digits. MUSTER_EXCHANGE: as the services have it.
# INTEGRATION_BROKER_PASSWORD: of the reader called integration. BROKER_READERS: others, `club-site:PASSWORD overlay:…`.
# BROKER_READER_BYTES: what a queue of a reader holds at most; its oldest messages go first, and the feed has them.
set -eu

prefix=${MUSTER_EXCHANGE:-muster.events}
prefix=${prefix%.events}
escaped=$(printf '%s' "$prefix" | sed 's/\./\\\\./g')
bytes=${BROKER_READER_BYTES:-67108864}
case $bytes in *[!0-9]*) echo "BROKER_READER_BYTES is $bytes, and not a number" >&2; exit 2 ;; esac
users=
permissions=
topics=
policies=

add() { # user, password, configure, write, read, topic that it may write
    case $2 in *[!A-Za-z0-9_-]* | '') echo "the password of $1 is empty, or not letters and digits alone" >&2; exit 2 ;; esac
    users="$users,{\"name\":\"$1\",\"password\":\"$2\",\"tags\":[]}"
    permissions="$permissions,{\"user\":\"$1\",\"vhost\":\"/\",\"configure\":\"$3\",\"write\":\"$4\",\"read\":\"$5\"}"
    topics="$topics,{\"user\":\"$1\",\"vhost\":\"/\",\"exchange\":\"$prefix.events\",\"write\":\"$6\",\"read\":\".*\"}"
}

service() { # name, password
    own="^$escaped\\\\.(events|dead|$1|$1\\\\.dead)\$"
    add "$1" "$2" "$own" "$own" "$own" "^$1\\\\."
}

reader() { # name, password
    case $1 in [!a-z]* | *[!a-z0-9-]* | '' | guest | muster | registration | pairing | scoring)
        echo "no reader can be called '$1': small letters, digits and -, and no name of Muster's own" >&2; exit 2 ;; esac
    add "$1" "$2" "^$1\\\\." "^$1\\\\." "^($1\\\\.|$escaped\\\\.events\$)" '^$'
    # A queue that nobody reads any more fills no disk: it is bounded, and gone after thirty days without a consumer.
    limits="\"max-length-bytes\":$bytes,\"overflow\":\"drop-head\",\"expires\":2592000000"
    policies="$policies,{\"vhost\":\"/\",\"name\":\"$1\",\"pattern\":\"^$1\\\\.\",\"apply-to\":\"queues\",\"definition\":{$limits}}"
}

service registration "${REGISTRATION_BROKER_PASSWORD:-}"
service pairing "${PAIRING_BROKER_PASSWORD:-}"
service scoring "${SCORING_BROKER_PASSWORD:-}"
if [ -n "${INTEGRATION_BROKER_PASSWORD:-}" ]; then
    reader integration "$INTEGRATION_BROKER_PASSWORD"
fi
for one in ${BROKER_READERS:-}; do
    case $one in *:*) ;; *) echo "a reader is written as name:password" >&2; exit 2 ;; esac
    reader "${one%%:*}" "${one#*:}"
done

cat <<JSON
{
  "vhosts": [{"name": "/"}],
  "users": [${users#,}],
  "permissions": [${permissions#,}],
  "topic_permissions": [${topics#,}],
  "policies": [${policies#,}]
}
JSON
