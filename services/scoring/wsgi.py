"""The WSGI entry point."""

from services.scoring.wiring import build_web

app = build_web()
