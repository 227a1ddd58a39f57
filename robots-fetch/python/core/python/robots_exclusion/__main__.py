"""The ``robots`` command: ``python -m robots_exclusion check --agent ExampleBot https://example.com/``.

Its script has the name ``robots-exclusion``, because another package installs ``robots``.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig


def command() -> str | None:
    """Returns the path of the command, first where this interpreter installs scripts."""
    scripts = sysconfig.get_path("scripts")
    user = sysconfig.get_path("scripts", f"{os.name}_user")
    return shutil.which("robots-exclusion", path=os.pathsep.join([scripts, user]))


def main() -> int:
    found = command()
    if found is None:
        print("error: the command is not installed; try `pip install robots-exclusion[command]`", file=sys.stderr)
        return 2
    if os.name == "posix":
        sys.stdout.flush()
        os.execv(found, ["robots", *sys.argv[1:]])
    return subprocess.call([found, *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
