"""The WSGI entry point."""

from services.scoring.app import build_web

app = build_web()
