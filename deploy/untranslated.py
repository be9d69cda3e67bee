"""`python -m deploy.untranslated de`: print untranslated texts of the console as entries for its .po file."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from babel.messages.extract import extract_from_dir

from deploy.service_texts import keyed_texts
from deploy.stack import ROOT
from services.console.language import catalog, service_texts

CONSOLE = ROOT / "services" / "console"
METHODS = [("**.py", "python"), ("templates/**.html", "jinja2.ext:babel_extract")]
KEYWORDS = {"_": None, "N_": None, "gettext": None, "ngettext": (1, 2)}
Text = str | tuple[str, ...]


def texts() -> dict[Text, str]:
    """Return every text of the console, with the file and line of its first use."""
    found: dict[Text, str] = {}
    options = {"**.html": {"silent": "false", "newstyle_gettext": "true"}}
    for file, line, text, *_ in extract_from_dir(CONSOLE, METHODS, options_map=options, keywords=KEYWORDS):
        found.setdefault(text, f"{file}:{line}")
    return found


def untranslated(code: str) -> dict[Text, str]:
    """Return the texts without a translation, with the place of their first use."""
    known = catalog(code)

    def is_missing(text: Text) -> bool:
        message = known.get(text if isinstance(text, str) else text[0])
        if message is None or message.fuzzy:
            return True
        strings = (message.string,) if isinstance(message.string, str) else message.string
        return not all(strings or ())

    return {text: place for text, place in texts().items() if is_missing(text)}


def unkeyed(code: str) -> dict[tuple[str, str], str]:
    """Return the texts of the services without a translation: context and key -> English."""
    known = service_texts(code)
    return {key: english for key, english in keyed_texts().items() if key not in known}


def keyed_entries(missing: dict[tuple[str, str], str]) -> Iterator[str]:
    """Yield texts of the services as entries of a .po file."""
    for (context, key), english in missing.items():
        yield f'#. {english}\nmsgctxt {_quoted(context)}\nmsgid {_quoted(key)}\nmsgstr ""\n'


def entries(missing: dict[Text, str]) -> Iterator[str]:
    """Yield texts of the console as entries of a .po file."""
    for text, place in missing.items():
        if isinstance(text, str):
            yield f'#: {place}\nmsgid {_quoted(text)}\nmsgstr ""\n'
        else:
            yield f'#: {place}\nmsgid {_quoted(text[0])}\nmsgid_plural {_quoted(text[1])}\nmsgstr[0] ""\nmsgstr[1] ""\n'


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


if __name__ == "__main__":
    selected = sys.argv[1] if len(sys.argv) > 1 else "de"
    print("\n".join([*entries(untranslated(selected)), *keyed_entries(unkeyed(selected))]))
    sys.exit(1 if untranslated(selected) or unkeyed(selected) else 0)
