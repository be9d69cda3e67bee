#!/bin/sh
# Starts nginx as the edge of Muster. MUSTER_PUBLIC_URL is the address that people use; the rest has defaults that fit
# docker-compose.yml. What it makes lies in one folder, so that everything else may be read-only.
#
# EDGE_REGISTRATION, EDGE_PAIRING and EDGE_SCORING name the processes of a service, HOST:PORT each. Without them,
# MUSTER_REPLICAS says how many containers Compose has of each.
set -eu

case ${MUSTER_PUBLIC_URL:-} in
    https://*/* | https:// | https://*[!A-Za-z0-9.:-]*) host= ;;
    https://*) host=${MUSTER_PUBLIC_URL#https://} ;;
    *) host= ;;
esac
if [ -z "$host" ]; then
    echo "MUSTER_PUBLIC_URL: is '${MUSTER_PUBLIC_URL:-}'; expected https://host or https://host:port" >&2
    exit 2
fi
folder=${EDGE_FOLDER:-/tmp/edge}
certificate=${EDGE_CERTIFICATE:-/run/secrets/edge_certificate}
key=${EDGE_CERTIFICATE_KEY:-/run/secrets/edge_certificate_key}
for file in "$certificate" "$key"; do
    if [ ! -r "$file" ]; then
        echo "$file: cannot be read; expected a certificate and its key in PEM (docs/how-to/install.md, The edge)" >&2
        exit 2
    fi
done
replicas=${MUSTER_REPLICAS:-1}
case $replicas in
    "" | 0* | *[!0-9]*)
        echo "MUSTER_REPLICAS: is '$replicas'; expected a whole number from 1" >&2
        exit 2
        ;;
esac
resolver=${EDGE_RESOLVER:-$(sed -n 's/^nameserver[[:space:]]*\([0-9.]*\)$/\1/p' /etc/resolv.conf | head -n 1)}

# From 1.27.3 on nginx follows the address behind a name; an older one looks names up when it starts.
follow=$(nginx -v 2>&1 | awk -F '[/. ]' '/nginx version/ { if ($4 * 1000000 + $5 * 1000 + $6 >= 1027003) print " resolve" }')

# containers SERVICE PORT: the containers of a service, as Compose names them.
containers() {
    seq -f "${COMPOSE_PROJECT_NAME:-muster}-$1-web-%g:$2" "$replicas"
}

# upstreams SERVICE HOST:PORT...: the processes of a service as two groups, by tournament and in turn.
upstreams() {
    service=$1
    shift
    for group in home any; do
        echo "upstream ${service}_$group {"
        echo "    zone ${service}_$group 256k;"
        [ $group = any ] || echo '    hash $home consistent;'
        for process in "$@"; do
            echo "    server $process max_fails=1 fail_timeout=2s$follow;"
        done
        echo "}"
    done
}

umask 077
mkdir -p "$folder"
{
    # Unquoted: a list becomes arguments.
    upstreams registration ${EDGE_REGISTRATION:-$(containers registration 8001)}
    upstreams pairing ${EDGE_PAIRING:-$(containers pairing 8002)}
    upstreams scoring ${EDGE_SCORING:-$(containers scoring 8003)}
} >"$folder/upstreams.conf"
sed -e "s|@FOLDER@|$folder|g" \
    -e "s|@HOST@|$host|g" \
    -e "s|@CERTIFICATE@|$certificate|g" \
    -e "s|@KEY@|$key|g" \
    -e "s|@BODY@|${EDGE_BODY:-1m}|g" \
    -e "s|@HTTP_PORT@|${EDGE_HTTP_PORT:-8080}|g" \
    -e "s|@HTTPS_PORT@|${EDGE_HTTPS_PORT:-8443}|g" \
    -e "s|@CONSOLE@|${EDGE_CONSOLE:-console:8000}|g" \
    -e "s|@RESOLVER@|${resolver:-127.0.0.11}|g" \
    "$(dirname "$0")/nginx.conf" >"$folder/nginx.conf"
exec nginx -c "$folder/nginx.conf" -p "$folder" -e stderr
