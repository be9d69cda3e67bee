"""Made of clients/openapi.json by `make client`."""

VERSION = "0.1.0"
