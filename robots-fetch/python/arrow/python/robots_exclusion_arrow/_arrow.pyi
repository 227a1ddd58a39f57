from collections.abc import Iterable, Iterator
from typing import Any, Optional, final

def decide(
    bodies: Any,
    agents: Iterable[str],
    paths: Iterable[str],
    profile: str,
    max_size: Optional[int],
    records: bool,
) -> Any: ...
def identify(headers: Any) -> Any: ...
def parse_log(lines: Any, format: str) -> Any: ...
def judge(
    crawlers: Any,
    targets: Any,
    times: Any,
    history: list[tuple[Optional[str], Optional[int], bytes]],
    hosts: Any,
    profile: str,
    grace: int,
) -> Any: ...
@final
class Captures:
    def __new__(cls, file: Any, *, rows: int = 1000) -> Captures: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __next__(self) -> Any: ...
    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...
