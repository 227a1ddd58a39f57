"""What several modules use: imports of the packages that extras install, the paths of URLs, and answers that are kept."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any, TypeVar
from urllib.parse import urlsplit

_Answer = TypeVar("_Answer")

#: Of how many crawlers answers are kept.
_MOST_KEPT = 1024


class Kept(dict[str, _Answer]):
    """Answers by the name of a crawler, for as many crawlers as there is room for."""

    def keep(self, agent: Any, answer: _Answer) -> _Answer:
        """Keeps an answer, and returns it. Other agents than texts may change, so their answers are not kept."""
        if isinstance(agent, str):
            if len(self) >= _MOST_KEPT:
                self.clear()
            self[agent] = answer
        return answer


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
