"""What is asked of every VM."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .._native import Catalogue, __version__


@dataclass(frozen=True)
class Job:
    """What is asked of every VM of an estate.

    `windows`: as `diskwright observe --window` takes them, `"load"` or `"name=when"`. `window`: the one that is planned for; without, the peak
    where there is one, else the whole. `plan`: keys of `[plan]` of `requirements.toml`; the region of the inventory overrides that of the job.
    `growth`: demand of tomorrow over that of today. `simulate`, `choices`: as `diskwright plan` does without `--no-simulate` and
    `--no-choices`, which takes many times as long. `documents`: keep checklist and plan of each VM as JSON. `catalogue`: one, or the path of a layer; without,
    the one that the program uses here. Workers get it with the job.
    """

    windows: Sequence[str] = ()
    plan: Mapping[str, Any] = field(default_factory=dict)
    catalogue: Catalogue | str | os.PathLike[str] | None = None
    window: str | None = None
    growth: float = 1.0
    simulate: bool = False
    choices: bool = False
    documents: bool = True

    def __post_init__(self) -> None:
        if isinstance(self.windows, str):
            raise TypeError(f"`windows` is a list of texts: write [{self.windows!r}]")
        if self.catalogue is None:
            object.__setattr__(self, "catalogue", Catalogue())
        elif not isinstance(self.catalogue, Catalogue):
            object.__setattr__(self, "catalogue", Catalogue.load(self.catalogue))

    def settings(self) -> dict[str, Any]:
        """What is asked, without the catalogue."""
        return {
            "windows": list(self.windows), "plan": dict(self.plan), "window": self.window, "growth": self.growth,
            "simulate": self.simulate, "choices": self.choices, "documents": self.documents,
        }  # fmt: skip

    @property
    def job_id(self) -> str:
        """What results are known by: other for another version of the program, catalogue (and so its prices), or setting."""
        assert isinstance(self.catalogue, Catalogue)
        asked = json.dumps(self.settings(), sort_keys=True, separators=(",", ":"))
        parts = [__version__, self.catalogue.fingerprint, asked]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]

    def to_json(self) -> str:
        """The job as workers take it."""
        assert isinstance(self.catalogue, Catalogue)
        return json.dumps({"job_id": self.job_id, "catalogue": self.catalogue.layer, **self.settings()})
