#!/bin/sh
# Prints the Python that the virtual environment is made from: the newest that the locked dependencies are known
# to install on, or any other from 3.11 on. PYTHON=/path/to/python3 decides instead. Where there is none, one line
# says what was found and what is needed, and the exit code is 1.
set -eu

suitable() {
    # Runs it: a name on PATH can be a shim without an interpreter behind it, and Debian ships Python without venv.
    "$1" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

if [ -n "${PYTHON:-}" ]; then
    if suitable "$PYTHON"; then echo "$PYTHON"; exit 0; fi
    candidates=$PYTHON
else
    candidates="python3.14 python3.13 python3.12 python3.11 python3 python"
    for name in $candidates; do
        if suitable "$name"; then command -v "$name"; exit 0; fi
    done
fi

newest="none found"
for name in $candidates; do
    found=$("$name" -c 'import sys; print("%d.%d.%d" % sys.version_info[:3])' 2>/dev/null) || continue
    newest="found $name $found"
    if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        newest="$newest without venv (Debian, Ubuntu: apt install python3-venv)"
    fi
    break
done
echo "Muster needs Python 3.11 or newer with venv: $newest; install one, or name it with PYTHON=/path/to/python3" >&2
exit 1
