"""`python -m deploy.install_locked LOCK …`: install the packages of lock files with uv, and check every hash.

It runs in the empty virtual environment that it fills, so it only imports the standard library. pip installs uv from
a separate lock file. uv does not read pip's configuration, so pip's mirrors and certificates are passed on to it; the
hashes prove that the downloaded files are the right ones.
"""

from __future__ import annotations

import os
import re
import ssl
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from time import monotonic

LONGEST = 400
"""Characters of an installer's output that an error repeats."""
UV_LOCK = Path(__file__).parents[1] / "requirements-uv.lock"
PINNED = re.compile(r"^[A-Za-z0-9][^=\s]*==", re.MULTILINE)
HANDED_ON = {"index-url": "UV_DEFAULT_INDEX", "extra-index-url": "UV_INDEX", "find-links": "UV_FIND_LINKS"}
"""Setting of pip -> the variable with the same meaning for uv."""
REQUESTS = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")
"""Variables that pip reads in addition to its own, through its HTTP library."""
ADVICE = (
    (r"parse|[Ii]nvalid requirement", "{lock} is broken; `git checkout {lock}` puts it back"),
    (
        r"[Hh]ash mismatch|DO NOT MATCH",
        "what came is not what {lock} names; restore the lock, or ask another mirror",
    ),
    (
        r"certificate|CERTIFICATE|UnknownIssuer",
        "a proxy or mirror signs with a certificate that is not known here; set PIP_CERT to the file of its authority",
    ),
    (r"[Pp]ermission denied", "another user owns .venv; remove it (sudo rm -r .venv) and start again"),
    (r"[Nn]o space left", "make room on the disk and start again"),
    (r"fetch|onnect|resolve host|No matching distribution", "is there a network? PIP_INDEX_URL names a mirror"),
)
"""Pattern of an error of pip or uv -> advice."""
QUIET = ("--quiet", "--no-input", "--disable-pip-version-check")


def variables_for_uv(listed: str) -> dict[str, str]:
    """Return variables for uv from the output of `pip config list`: lines such as `global.index-url='https://…'`."""
    values: dict[str, list[str]] = {}
    for line in listed.splitlines():
        name, _, value = line.partition("=")
        variable = HANDED_ON.get(name.rpartition(".")[2])
        if variable:
            values.setdefault(variable, []).extend(value.strip("'\"").split())
    separators = {"UV_FIND_LINKS": ","}
    return {name: separators.get(name, " ").join(dict.fromkeys(parts)) for name, parts in values.items()}


def certificates(env: Mapping[str, str], listed: str) -> str:
    """Return the file or folder of certificates that pip trusts; empty if none is set.

    listed: what `pip config list` printed; it includes PIP_CERT.
    """
    lines = (line.partition("=") for line in listed.splitlines())
    configured = [value.strip("'\"") for name, _, value in lines if name.endswith(".cert")]
    given = [env.get("PIP_CERT", ""), *configured, *(env.get(name, "") for name in REQUESTS)]
    return next((path for path in given if path), "")


def has_system_certificates() -> bool:
    """Return True if OpenSSL finds certificates on this machine."""
    paths = ssl.get_default_verify_paths()
    return bool(paths.cafile or (paths.capath and any(Path(paths.capath).iterdir())))


def environment(env: Mapping[str, str], listed: str) -> dict[str, str]:
    """Return the environment of uv. Its own variables take precedence over settings of pip."""
    variables = {"UV_INDEX_STRATEGY": "unsafe-best-match", **variables_for_uv(listed)}
    if trusted := certificates(env, listed):
        variables["SSL_CERT_DIR" if Path(trusted).is_dir() else "SSL_CERT_FILE"] = trusted
    elif has_system_certificates():  # as newer versions of pip do
        variables["UV_SYSTEM_CERTS"] = "true"
    return {**variables, **{name: value for name, value in env.items() if value or name not in variables}}


def environment_of_pip(env: Mapping[str, str], listed: str) -> dict[str, str]:
    """Return the environment of pip, which does not read SSL_CERT_FILE itself."""
    trusted = "" if certificates(env, listed) else env.get("SSL_CERT_FILE", "")
    return {**env, "PIP_CERT": trusted} if trusted else dict(env)


def pip(*arguments: str) -> list[str]:
    """Return a command for the pip of this environment."""
    return [sys.executable, "-m", "pip", *arguments]


def stopped(lock: str, said: str) -> str:
    """Return one line: what could not be installed, advice, and the installer's error."""
    lines = [line.strip() for line in said.splitlines() if not line.startswith(("WARNING", "[notice]"))]
    words = re.sub(r"\b(error|cause): ", "", " ".join(line for line in lines if line), flags=re.IGNORECASE)
    advice = next((advice for pattern, advice in ADVICE if re.search(pattern, said)), "see above")
    return f"{lock} could not be installed: {advice.format(lock=lock)} ({words[:LONGEST]})"


def installed(lock: str, command: list[str], env: Mapping[str, str]) -> bool:
    """Run an installer. Return False after a failure, and print one line about it."""
    done = subprocess.run(command, env=env, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        print(stopped(lock, done.stderr), file=sys.stderr)
    return not done.returncode


def main(locks: list[str]) -> int:
    """Install the lock files. Return 0, or 2 after a failure."""
    started = monotonic()
    uv = Path(sys.executable).with_name("uv")
    listed = subprocess.run(pip("config", "list"), capture_output=True, text=True, check=False).stdout
    if not uv.exists():
        print("Installing uv, which installs the rest", flush=True)
        command = pip("install", *QUIET, "--require-hashes", "-r", str(UV_LOCK))
        if not installed(UV_LOCK.name, command, environment_of_pip(os.environ, listed)):
            return 2
    for lock in locks:
        number = len(PINNED.findall(Path(lock).read_text("utf-8", "replace")))
        if not number:
            print(f"{lock} names no package; `git checkout {lock}` puts it back", file=sys.stderr)
            return 2
        print(f"Installing {number} packages from {lock}", flush=True)
        command = [str(uv), "pip", "install", "--python", sys.executable, "--require-hashes", "-r", lock, "--quiet"]
        if not installed(lock, command, environment(os.environ, listed)):
            return 2
    print(f"Installed in {monotonic() - started:.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
