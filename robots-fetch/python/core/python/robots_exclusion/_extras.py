"""Imports of the packages that extras install."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType


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
