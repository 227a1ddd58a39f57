from collections.abc import Iterable, Iterator
from os import PathLike
from typing import Any, Optional, Union, final

def decide(
    bodies: Any,
    agents: Iterable[str],
    paths: Iterable[str],
    profile: str = "rfc9309",
    *,
    max_size: Optional[int] = None,
) -> Any: ...
@final
class Captures:
    def __new__(cls, path: Union[str, PathLike[str]], *, rows: int = 1000) -> Captures: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __next__(self) -> Any: ...
