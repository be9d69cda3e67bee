"""Digests of base images, as a registry that is played here says them."""

from __future__ import annotations

import re

import httpx
import pytest

from deploy.pin_images import FILES, IMAGE, ROOT, NoDigest, asked, pinned
from tests import http

OLD, NEW = "sha256:" + "0" * 64, "sha256:" + "1" * 64


def registry(status: int = 200, digest: str = NEW) -> http.Client:
    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.host == "auth.docker.io":
            return httpx.Response(200, json={"token": request.url.params["scope"]})
        path = request.url.path.removeprefix("/v2/").partition("/manifests/")[0]
        assert request.headers["Authorization"] == f"Bearer repository:{path}:pull"
        return httpx.Response(status, headers={"Docker-Content-Digest": digest})

    return http.Client(transport=httpx.MockTransport(answer))


@pytest.mark.parametrize("before", ["", f"@{OLD}"])
def test_every_image_gets_the_digest_that_the_registry_has(before):
    text = f"  image: docker.io/library/postgres:17{before}\n  image: muster:local\n"
    wanted = f"  image: docker.io/library/postgres:17@{NEW}\n  image: muster:local\n"
    assert pinned(text, asked(registry())) == wanted


@pytest.mark.parametrize("client", [registry(status=404), registry(digest=""), registry(digest="latest")])
def test_without_a_digest_nothing_is_written(client):
    with pytest.raises(NoDigest, match="library/postgres:17"):
        pinned("image: docker.io/library/postgres:17", asked(client))


def test_no_base_image_of_ours_is_overlooked():
    for name in FILES:
        for line in (ROOT / name).read_text().splitlines():
            if (line.strip().startswith("image: ") and "muster:" not in line) or line.startswith("ARG BASE="):
                assert IMAGE.search(line), line


@pytest.mark.parametrize("file", FILES)
def test_every_base_image_has_a_digest(file):
    named = [line for line in (ROOT / file).read_text().splitlines() if "docker.io/" in line]
    assert named
    for line in named:
        assert re.search(r"docker\.io/library/[a-z]+:[\w.-]+@sha256:[0-9a-f]{64}$", line), line
