"""What pip was told of mirrors, uv is told, too."""

from __future__ import annotations

from deploy.install_locked import environment, told_pip

LISTED = """:env:.find-links='/opt/wheels'
global.cert='/etc/ssl/certs/ca-certificates.crt'
global.extra-index-url='https://one.example/simple https://two.example/simple'
install.extra-index-url='https://two.example/simple'
global.index-url='https://mirror.example/simple'
global.timeout='180'
"""


def test_mirrors_and_folders_are_handed_on() -> None:
    assert told_pip(LISTED) == {
        "UV_FIND_LINKS": "/opt/wheels",
        "UV_INDEX": "https://one.example/simple https://two.example/simple",
        "UV_DEFAULT_INDEX": "https://mirror.example/simple",
    }
    assert told_pip("") == {}


def test_what_uv_was_told_itself_goes_before() -> None:
    env = environment({"UV_DEFAULT_INDEX": "https://own.example", "PIP_CERT": "/ca.crt", "HOME": "/h"}, LISTED)
    assert (env["UV_DEFAULT_INDEX"], env["SSL_CERT_FILE"], env["HOME"]) == ("https://own.example", "/ca.crt", "/h")
    assert env["UV_INDEX_STRATEGY"] == "unsafe-best-match"
