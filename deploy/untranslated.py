"""`python -m deploy.untranslated de`: the texts of the console that a language lacks, as entries for a .po file."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from babel.messages.extract import extract_from_dir

from deploy.service_texts import keyed_texts
from deploy.stack import ROOT
from services.console.language import catalog, keyed

CONSOLE = ROOT / "services" / "console"
METHODS = [("**.py", "python"), ("templates/**.html", "jinja2.ext:babel_extract")]
KEYWORDS = {"_": None, "N_": None, "gettext": None, "ngettext": (1, 2)}
Text = str | tuple[str, ...]


def texts() -> dict[Text, str]:
    """Every text of the console -> the file and line where it first stands."""
    found: dict[Text, str] = {}
    options = {"**.html": {"silent": "false", "newstyle_gettext": "true"}}
    for file, line, text, *_ in extract_from_dir(CONSOLE, METHODS, options_map=options, keywords=KEYWORDS):
        found.setdefault(text, f"{file}:{line}")
    return found


def untranslated(code: str) -> dict[Text, str]:
    """The texts that a language lacks -> where they stand."""
    known = catalog(code)

    def lacks(text: Text) -> bool:
        one = text if isinstance(text, str) else text[0]
        message = known.get(one)
        if message is None or message.fuzzy:
            return True
        strings = (message.string,) if isinstance(message.string, str) else message.string
        return not all(strings or ())

    return {text: place for text, place in texts().items() if lacks(text)}


def unkeyed(code: str) -> dict[tuple[str, str], str]:
    """What the services say and a language lacks: its context and key -> as it is in English."""
    known = keyed(code)
    return {key: english for key, english in keyed_texts().items() if key not in known}


def keyed_entries(lacking: dict[tuple[str, str], str]) -> Iterator[str]:
    """The same as entries of a .po file."""
    for (context, key), english in lacking.items():
        yield f'#. {english}\nmsgctxt {_quoted(context)}\nmsgid {_quoted(key)}\nmsgstr ""\n'


def entries(lacking: dict[Text, str]) -> Iterator[str]:
    """Them as entries of a .po file."""
    for text, place in lacking.items():
        if isinstance(text, str):
            yield f'#: {place}\nmsgid {_quoted(text)}\nmsgstr ""\n'
        else:
            yield f'#: {place}\nmsgid {_quoted(text[0])}\nmsgid_plural {_quoted(text[1])}\nmsgstr[0] ""\nmsgstr[1] ""\n'


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


if __name__ == "__main__":
    wanted = sys.argv[1] if len(sys.argv) > 1 else "de"
    print("\n".join([*entries(untranslated(wanted)), *keyed_entries(unkeyed(wanted))]))
    sys.exit(1 if untranslated(wanted) or unkeyed(wanted) else 0)
