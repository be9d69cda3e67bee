"""How the command says no: one line to standard error for each fault, and exit code 2."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import NoReturn

from shared.refusals import Fault

DONE, NOT_HELD, BAD_INPUT = 0, 1, 2
"""Exit codes: all is well; the check did not hold; bad input."""


def tell(faults: Iterable[Fault]) -> None:
    """Write `where: what, expected ... (clause)` to standard error, a line for each fault."""
    for fault in faults:
        said = f"{fault.where}: {fault.said}" if fault.where else fault.said
        said += f", expected {fault.expected}" if fault.expected else ""
        said += f" ({fault.clause})" if fault.clause else ""
        print(" ".join(said.split()), file=sys.stderr)


def refuse(faults: Iterable[Fault]) -> NoReturn:
    """Tell the faults and leave with the exit code for bad input."""
    tell(faults)
    raise SystemExit(BAD_INPUT)
