"""Filters of Spark that say which archives, types and times are not needed."""
from __future__ import annotations

import datetime
from typing import Any

from .options import Options

SECOND = datetime.timedelta(seconds=1)


def narrow(options: Options, one: Any) -> None:
    """Narrows the options by a filter, so that no row that passes it is lost; what it cannot use is left to Spark."""
    kind, column, value = type(one).__name__, getattr(one, "attribute", None), getattr(one, "value", None)
    if column == ("archive",) and kind in ("EqualTo", "In"):
        wanted = frozenset(value if kind == "In" else [value])
        options.archives = wanted if options.archives is None else options.archives & wanted
    elif column == ("type",) and kind in ("EqualTo", "In") and options.table != "inventory":
        # Names that the options give may be groups, which only the library knows.
        if not options.types:
            options.types = tuple(sorted(value if kind == "In" else [value]))
            options.types_may_be_absent = True
    elif column == ("startDate",) and options.table == "samples":
        _narrow_time(options, kind, value)
    elif column == ("day",) and options.table == "statistics" and options.by in ("hour", "day"):
        _narrow_time(options, kind, value)


def _narrow_time(options: Options, kind: str, value: Any) -> None:
    # Bounds that the options give are in words that only the library knows.
    if kind in ("GreaterThan", "GreaterThanOrEqual", "EqualTo") and options.since is None:
        options.since = _text(value)
    if kind in ("LessThan", "LessThanOrEqual", "EqualTo") and options.until is None:
        options.until = _text(value, SECOND)


def _text(value: Any, more: datetime.timedelta = datetime.timedelta()) -> str:
    if not isinstance(value, datetime.datetime):
        return value.isoformat()
    return (value.astimezone(datetime.timezone.utc) + more).replace(microsecond=0).isoformat()
