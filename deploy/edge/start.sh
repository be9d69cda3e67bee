#!/bin/sh
# Starts nginx as the edge of Muster. MUSTER_PUBLIC_URL is the address that people use; the rest has defaults that fit
# docker-compose.yml. What it makes lies in one folder, so that everything else may be read-only.
#
# Where every web process has a port of its own (MUSTER_WEB_PORT_STEP, as the services have it), MUSTER_WEB_WORKERS says
# how many there are of each service; without, each service has one address.
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
        echo "$file: cannot be read; expected a certificate and its key in PEM (docs/operating.md, The edge)" >&2
        exit 2
    fi
done
step=${MUSTER_WEB_PORT_STEP:-0}
workers=${MUSTER_WEB_WORKERS:-0}
case $step$workers in
    *[!0-9]*)
        echo "MUSTER_WEB_PORT_STEP, MUSTER_WEB_WORKERS: are '$step' and '$workers'; expected whole numbers" >&2
        exit 2
        ;;
esac
if [ "$step" -gt 0 ] && [ "$workers" -eq 0 ]; then
    echo "MUSTER_WEB_WORKERS: is missing; expected how many web processes each service has" >&2
    exit 2
fi
resolver=${EDGE_RESOLVER:-$(sed -n 's/^nameserver[[:space:]]*\([0-9.]*\)$/\1/p' /etc/resolv.conf | head -n 1)}

# From 1.27.3 on nginx follows the address behind a name; an older one looks names up when it starts.
follow=$(nginx -v 2>&1 | awk -F '[/. ]' '/nginx version/ { if ($4 * 1000000 + $5 * 1000 + $6 >= 1027003) print " resolve" }')

# upstreams NAME HOST:PORT: the processes of a service as two groups, by tournament and in turn.
upstreams() {
    for group in home any; do
        echo "upstream $1_$group {"
        echo "    zone $1_$group 256k;"
        [ $group = any ] || echo '    hash $home consistent;'
        number=1
        while [ $number -le "$workers" ]; do
            echo "    server ${2%:*}:$((${2##*:} + step * number)) max_fails=1 fail_timeout=2s$follow;"
            number=$((number + 1))
        done
        echo "}"
    done
}

umask 077
mkdir -p "$folder"
registration=${EDGE_REGISTRATION:-registration-web:8001}
pairing=${EDGE_PAIRING:-pairing-web:8002}
scoring=${EDGE_SCORING:-scoring-web:8003}
if [ "$step" -gt 0 ]; then
    { upstreams registration "$registration"; upstreams pairing "$pairing"; upstreams scoring "$scoring"; } \
        >"$folder/upstreams.conf"
    registration=registration_any pairing=pairing_any scoring=scoring_any
    registration_home=registration_home pairing_home=pairing_home scoring_home=scoring_home
else
    : >"$folder/upstreams.conf"
    registration_home=$registration pairing_home=$pairing scoring_home=$scoring
fi
sed -e "s|@FOLDER@|$folder|g" \
    -e "s|@HOST@|$host|g" \
    -e "s|@CERTIFICATE@|$certificate|g" \
    -e "s|@KEY@|$key|g" \
    -e "s|@BODY@|${EDGE_BODY:-1m}|g" \
    -e "s|@HTTP_PORT@|${EDGE_HTTP_PORT:-8080}|g" \
    -e "s|@HTTPS_PORT@|${EDGE_HTTPS_PORT:-8443}|g" \
    -e "s|@REGISTRATION@|$registration|g" \
    -e "s|@PAIRING@|$pairing|g" \
    -e "s|@SCORING@|$scoring|g" \
    -e "s|@REGISTRATION_HOME@|$registration_home|g" \
    -e "s|@PAIRING_HOME@|$pairing_home|g" \
    -e "s|@SCORING_HOME@|$scoring_home|g" \
    -e "s|@CONSOLE@|${EDGE_CONSOLE:-console:8000}|g" \
    -e "s|@RESOLVER@|${resolver:-127.0.0.11}|g" \
    "$(dirname "$0")/nginx.conf" >"$folder/nginx.conf"
exec nginx -c "$folder/nginx.conf" -p "$folder" -e stderr
