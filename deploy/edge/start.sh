#!/bin/sh
# Starts nginx as the edge of Muster. MUSTER_PUBLIC_URL is the address that people use; the rest has defaults that fit
# docker-compose.yml. What it makes lies in one folder, so that everything else may be read-only.
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
resolver=${EDGE_RESOLVER:-$(sed -n 's/^nameserver[[:space:]]*\([0-9.]*\)$/\1/p' /etc/resolv.conf | head -n 1)}

umask 077
mkdir -p "$folder"
sed -e "s|@FOLDER@|$folder|g" \
    -e "s|@HOST@|$host|g" \
    -e "s|@CERTIFICATE@|$certificate|g" \
    -e "s|@KEY@|$key|g" \
    -e "s|@BODY@|${EDGE_BODY:-1m}|g" \
    -e "s|@HTTP_PORT@|${EDGE_HTTP_PORT:-8080}|g" \
    -e "s|@HTTPS_PORT@|${EDGE_HTTPS_PORT:-8443}|g" \
    -e "s|@REGISTRATION@|${EDGE_REGISTRATION:-registration-web:8001}|g" \
    -e "s|@PAIRING@|${EDGE_PAIRING:-pairing-web:8002}|g" \
    -e "s|@SCORING@|${EDGE_SCORING:-scoring-web:8003}|g" \
    -e "s|@RESOLVER@|${resolver:-127.0.0.11}|g" \
    "$(dirname "$0")/nginx.conf" >"$folder/nginx.conf"
exec nginx -c "$folder/nginx.conf" -p "$folder" -e stderr
