"""Which processes a test started."""

from __future__ import annotations

from pathlib import Path


def descendants(of: int) -> list[tuple[int, str]]:
    """Processes below one, with their command lines."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
            except (OSError, IndexError):
                continue
            parents.setdefault(parent, []).append(int(entry.name))
    found, left = [], [of]
    while left:
        for child in parents.get(left.pop(), ()):
            left.append(child)
            try:
                found.append((child, Path(f"/proc/{child}/cmdline").read_text().replace("\0", " ")))
            except OSError:
                pass
    return found
