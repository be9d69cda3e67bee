"""`python -m deploy.pin_images`: write the digest of every base image into the Dockerfile and docker-compose.yml.

`docker.io/library/postgres:17` becomes `docker.io/library/postgres:17@sha256:…`, the registry's current digest;
an existing digest is updated. Images that are built here stay unchanged. Exit codes: 0 done, 1 a registry did not
answer; nothing is written then.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

import httpx

ROOT = Path(__file__).parents[1]
FILES = ("deploy/Dockerfile", "docker-compose.yml")
IMAGE = re.compile(r"(?P<name>docker\.io/(?P<path>[a-z0-9./_-]+):(?P<tag>[A-Za-z0-9._-]+))(@sha256:[0-9a-f]{64})?")
REGISTRY, TOKENS = "https://registry-1.docker.io", "https://auth.docker.io/token"
# An index of all architectures, so that the same line is good for each.
KINDS = "application/vnd.oci.image.index.v1+json, application/vnd.docker.distribution.manifest.list.v2+json"
DIGEST = re.compile(r"sha256:[0-9a-f]{64}")


class NoDigest(Exception):
    """A registry did not return the digest of an image; the text names both."""


def pinned(text: str, digest_of: Callable[[str, str], str]) -> str:
    """Return the text of a file with the digest appended to every image. digest_of: path and tag -> digest."""
    return IMAGE.sub(lambda found: f"{found['name']}@{digest_of(found['path'], found['tag'])}", text)


def asked(client: httpx.Client) -> Callable[[str, str], str]:
    """Return a function that asks Docker's registry once for each image and raises NoDigest."""
    known: dict[tuple[str, str], str] = {}

    def digest_of(path: str, tag: str) -> str:
        if (path, tag) not in known:
            known[path, tag] = _ask(client, path, tag)
        return known[path, tag]

    return digest_of


def _ask(client: httpx.Client, path: str, tag: str) -> str:
    try:
        query = {"service": "registry.docker.io", "scope": f"repository:{path}:pull"}
        token = client.get(TOKENS, params=query).raise_for_status().json()["token"]
        headers = {"Authorization": f"Bearer {token}", "Accept": KINDS}
        answer = client.head(f"{REGISTRY}/v2/{path}/manifests/{tag}", headers=headers).raise_for_status()
    except (httpx.HTTPError, KeyError, ValueError) as error:
        raise NoDigest(f"docker.io/{path}:{tag}: the registry says no digest ({error})") from error
    digest = str(answer.headers.get("Docker-Content-Digest", ""))
    if not DIGEST.fullmatch(digest):
        raise NoDigest(f"docker.io/{path}:{tag}: the registry says {digest!r}; expected sha256:…")
    return digest


def main() -> int:
    with httpx.Client(timeout=30, follow_redirects=True) as client:
        digest_of = asked(client)
        try:
            made = {ROOT / name: pinned((ROOT / name).read_text("utf-8"), digest_of) for name in FILES}
        except NoDigest as error:
            print(error, file=sys.stderr)
            return 1
    for file, text in made.items():
        file.write_text(text, "utf-8")
        print(*(found[0] for found in IMAGE.finditer(text)), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
