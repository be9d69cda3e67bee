"""The version of this release, in this one place: the wheel, `muster --version` and OpenAPI have it from here."""

VERSION = "0.1.0"
