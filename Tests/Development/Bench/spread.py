"""The middle of some measurements, and how far they are apart."""
import statistics
from typing import NamedTuple


class Spread(NamedTuple):
    """The least, the middle and the greatest of some values."""

    minimum: float
    median: float
    maximum: float

    @classmethod
    def of(cls, values):
        values = list(values)
        return cls(min(values), statistics.median(values), max(values))

    def __mul__(self, factor):
        return Spread(*(value * factor for value in self))


def by_round(of, against, combine):
    """Combines two series of values round by round, in the rounds that both have."""
    return Spread.of(combine(of[number], against[number]) for number in of if number in against)


def ratio(of, against):
    """How many times `against` is in `of`: the ratio of each round, so that what slowed down a round does to both."""
    return by_round(of, against, lambda one, other: one / other)


def difference(of, against):
    """How much more `of` is than `against`, round by round."""
    return by_round(of, against, lambda one, other: one - other)
