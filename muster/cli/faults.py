"""How the command says no: one line to standard error for each fault, and exit code 2."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import NoReturn

from shared.refusals import Fault

DONE, NOT_HELD, BAD_INPUT = 0, 1, 2
"""Exit codes: all is well; the check did not hold; bad input."""


def tell(faults: Iterable[Fault]) -> None:
    """Write a line for each fault to standard error."""
    for fault in faults:
        print(as_line(fault), file=sys.stderr)


def as_line(fault: Fault) -> str:
    """`where: what, expected ... (clause)`, whatever it was made of."""
    said = f"{fault.where}: {fault.said}" if fault.where else fault.said
    said += f", expected {fault.expected}" if fault.expected else ""
    said += f" ({fault.clause})" if fault.clause else ""
    return " ".join(said.split())


def refuse(faults: Iterable[Fault]) -> NoReturn:
    """Tell the faults and leave with the exit code for bad input."""
    tell(faults)
    raise SystemExit(BAD_INPUT)
