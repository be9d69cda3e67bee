#!/bin/sh
# Builds the image with whichever of docker, podman and buildah is here; what it is given is handed on: deploy/image.sh
# --build-arg BASE=… . The tag is muster:<version> and muster:local (IMAGE for another name than muster).
set -eu
cd "$(dirname "$0")/.."

version=$(sed -n 's/^VERSION = "\(.*\)"$/\1/p' shared/version.py)
revision=$(git rev-parse HEAD 2>/dev/null || echo unknown)
image=${IMAGE:-muster}
if docker info >/dev/null 2>&1; then
    build="docker build"
elif command -v podman >/dev/null; then
    # Its own format has no place for HEALTHCHECK.
    build="podman build --format docker --ignorefile deploy/Dockerfile.dockerignore"
elif command -v buildah >/dev/null; then
    build="buildah build --format docker --ignorefile deploy/Dockerfile.dockerignore"
else
    echo "no docker that answers, no podman and no buildah; expected one of them" >&2
    exit 2
fi
echo "$build -t $image:$version"
# shellcheck disable=SC2086 # several words on purpose
exec $build --file deploy/Dockerfile --build-arg VERSION="$version" --build-arg REVISION="$revision" \
    --tag "$image:$version" --tag "$image:local" "$@" .
