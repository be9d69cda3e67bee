"""The row of seasons in registration."""

from __future__ import annotations

from services.registration.tournament.format import RegistrationFormat

SEASON = RegistrationFormat(name="season")
