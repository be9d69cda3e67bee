"""What registration asks of a format: well-known names of the module `services/registration/<format>/format.py`."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Protocol


class RegistrationFormat(Protocol):
    """A module about a format."""

    @property
    def LINKS(self) -> Mapping[str, tuple[str, str]]:
        """What concerns a player -> the service and the path in the tournament, besides what every format has."""

    @property
    def ON_PURPOSE(self) -> Collection[str]:
        """What may be kept back until staff publish it."""
