"""What the console reads of the environment."""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from shared.environment import Reader, http_fault, is_example
from shared.private_files import make_folder
from shared.settings import ENVIRONMENTS, PORT_OFFSETS, SERVICES, BadSettings

KEY = "MUSTER_CONSOLE_KEY"
KEY_FILE = "console.key"
"""In the data folder: the key, where the environment has none and need not have one."""
LEAST_KEY = 32
"""Characters."""
KEY_FORM = "a random text of 32 characters or more (openssl rand -base64 32)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """key: signs cookies. urls: service -> base URL as the console reaches it. public_url: as people reach the console.

    secure: whether browsers reach it by HTTPS alone, so that cookies may say so.
    """

    key: str = field(repr=False)
    bind: str
    port: int
    urls: Mapping[str, str]
    public_url: str
    secure: bool
    trusted_proxies: int


def load(env: Mapping[str, str]) -> Settings:
    """Read the settings. Raises BadSettings with every fault found."""
    read = Reader(env)
    production = read.choice("MUSTER_ENV", "development", ENVIRONMENTS) == "production"
    base = read.whole("MUSTER_PORT_BASE", 8000, 1024, 65_000)
    port = base + PORT_OFFSETS["console"]
    local = {name: f"http://127.0.0.1:{base + PORT_OFFSETS[name]}" for name in SERVICES}
    urls = {
        name: read.url(f"{name.upper()}_URL", None if production else url, http_fault).rstrip("/")
        for name, url in local.items()
    }
    bind = read.text("MUSTER_BIND", "127.0.0.1")
    public = read.url("MUSTER_PUBLIC_URL", f"http://{reached_at(bind)}:{port}", http_fault).rstrip("/")
    key = read.text(KEY)
    if not key and not production:
        key = _local_key(read, Path(read.text("MUSTER_DATA", "var")).absolute())
    if len(key) < LEAST_KEY or (production and is_example(key)):
        read.fault(KEY, "is missing" if not key else "is too short, or an example", KEY_FORM)
    settings = Settings(
        key=key,
        bind=bind,
        port=port,
        urls=urls,
        public_url=public,
        secure=urlsplit(public).scheme == "https",
        trusted_proxies=read.whole("MUSTER_TRUSTED_PROXIES", 0, 0, 10),
    )
    if read.faults:
        raise BadSettings("the console cannot start with this environment", read.faults)
    return settings


def reached_at(bind: str) -> str:
    """The address under which others reach what listens on `bind`: for all addresses, the one in the hall's network."""
    if bind not in ("0.0.0.0", "::"):
        return f"[{bind}]" if ":" in bind else bind
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent; it only says which of our addresses would be used
        except OSError:  # no network at all
            return "127.0.0.1"
        return str(probe.getsockname()[0])


def _local_key(read: Reader, data: Path) -> str:
    """The key of this folder, made when it is first needed."""
    file = data / KEY_FILE
    try:
        make_folder(data)
        try:
            with open(file, "x", opener=lambda path, flags: os.open(path, flags, 0o600)) as new:
                new.write(secrets.token_urlsafe(LEAST_KEY))
        except FileExistsError:
            pass  # from an earlier start
        return file.read_text()
    except OSError as error:
        read.fault("MUSTER_DATA", f"has no usable {KEY_FILE} ({error.strerror})", "a writable folder")
        return ""
