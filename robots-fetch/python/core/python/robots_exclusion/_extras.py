"""What several modules use: imports of the packages that extras install, and the paths of URLs."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from urllib.parse import urlsplit


def imported(extra: str, needed_by: str) -> ModuleType:
    """Returns the module of an extra. Raises ``ImportError`` with the command that installs it."""
    module = f"robots_exclusion_{extra}"
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        message = f"{needed_by} needs another package: pip install robots-exclusion[{extra}]"
        raise ImportError(message, name=module) from None


def rooted(url: str) -> str:
    """Returns the path and the query of a URL without a scheme, such as ``//example.com/a?b``."""
    parts = urlsplit(url)
    path = parts.path or "/"
    return f"{path}?{parts.query}" if parts.query else path
