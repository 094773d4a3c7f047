"""One line of the table: what was measured, against which bound, under which conditions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median, quantiles


@dataclass(frozen=True)
class Row:
    """*figure* has to be at most *bound*, or at least with *more*. *unit* is behind both."""

    name: str
    figure: float
    bound: float
    unit: str
    conditions: str
    more: bool = False

    @property
    def good(self) -> bool:
        return self.figure >= self.bound if self.more else self.figure <= self.bound

    def __str__(self) -> str:
        sign = "≥" if self.more else "≤"
        mark = "ok" if self.good else "MISSED"
        figure = f"{self.figure:.3g} {self.unit}".strip()
        return f"| {self.name} | {figure} | {sign} {self.bound:g} {self.unit} | {mark} | {self.conditions} |"


HEAD = "| what | median | bound | | conditions |\n| --- | --- | --- | --- | --- |"


def middle(figures: Sequence[float]) -> float:
    return median(figures)


def most(figures: Sequence[float]) -> float:
    """What 95 of 100 are at most."""
    return quantiles(figures, n=20, method="inclusive")[-1]
