"""The WSGI entry point."""

from services.pairing.wiring import build_web

app = build_web()
