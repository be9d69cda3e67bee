"""The WSGI entry point."""

from services.pairing.app import build_web

app = build_web()
