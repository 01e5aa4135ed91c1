"""Which archives there are, and how they are shared out between tasks: by names and sizes, opening none."""
from __future__ import annotations

import dataclasses
import glob
import heapq
import os
import re
from typing import Iterable

from pyspark.sql.datasource import InputPartition

from .options import MEBIBYTE, Options

SUFFIX = ".hvault"
ARCHIVE = re.compile(r"(?P<stem>.+?)(?:\.(?P<number>[2-9]|[1-9][0-9]+))?\.hvault(?P<volume>\.[0-9]{3})?")
#: What `export --to` names its archives, of which each folder has one person's.
DATED = re.compile(r"health-[0-9]{4}-[0-9]{2}-[0-9]{2}(-another-[0-9]+)?(\.plus-.*)?\.hvault(\.[0-9]{3})?")
TASKS_PER_CORE = 4


@dataclasses.dataclass(frozen=True)
class Participant:
    """An archive with those that it continues."""

    #: The path from the folder of the study on, without the suffix.
    archive: str
    #: What is opened: an archive, or a folder of archives of which the newest counts.
    path: str
    bytes: int


@dataclasses.dataclass(frozen=True)
class Part:
    """A participant, or one of several slices of it."""

    participant: Participant
    slice: int = 0
    slices: int = 1


class Partition(InputPartition):
    """What a task reads."""

    def __init__(self, parts: list[Part]) -> None:
        super().__init__(None)
        self.parts = parts


def plan(options: Options) -> list[Partition]:
    """Shares the archives out: small ones together, and samples of large ones in slices."""
    found = [one for one in participants(options) if options.archives is None or one.archive in options.archives]
    total = sum(one.bytes for one in found)
    wanted = options.min_partitions or TASKS_PER_CORE * (os.cpu_count() or 1)
    # Tasks for less than a mebibyte would cost more than they read; only who asks for them gets them.
    least = min(MEBIBYTE, options.max_partition_bytes)
    count = max(-(-total // options.max_partition_bytes), min(wanted, -(-total // least)), 1)
    size = max(total // count, least)
    parts = [part for one in found for part in _slices(one, size if options.table == "samples" else 0)]
    loads: list[tuple[int, int]] = [(0, number) for number in range(min(count, len(parts)))]
    shares: list[list[Part]] = [[] for _ in loads]
    # The largest first, each to the task that has least.
    for part in sorted(parts, key=lambda part: (-_bytes(part), part.participant.path, part.slice)):
        load, number = heapq.heappop(loads)
        shares[number].append(part)
        heapq.heappush(loads, (load + _bytes(part), number))
    return [Partition(sorted(share, key=lambda part: (part.participant.path, part.slice))) for share in shares]


def _slices(participant: Participant, size: int) -> Iterable[Part]:
    slices = -(-participant.bytes // size) if size and participant.bytes > 2 * size else 1
    return (Part(participant, number, slices) for number in range(slices))


def _bytes(part: Part) -> int:
    return part.participant.bytes // part.slices


def participants(options: Options) -> list[Participant]:
    """Returns the archives of a study, by the paths that the options name.

    Raises:
        FileNotFoundError: there are none.
    """
    if options.list_file:
        with open(options.list_file, encoding="utf-8", errors="surrogateescape") as file:
            paths = [line.rstrip("\r\n") for line in file if line.strip()]
        # A participant of a list has the name that stands there.
        found = [Participant(_stem(path), path, _size(path)) for path in paths]
    elif os.path.isdir(options.path):
        found = list(_below(options.path))
    else:
        paths = sorted(glob.glob(options.path, recursive=True)) or [options.path]
        root = os.path.dirname(os.path.commonprefix([os.path.abspath(path) for path in paths]))
        folders = [path for path in paths if os.path.isdir(path)]
        archives = [os.path.abspath(path) for path in paths if not os.path.isdir(path)]
        found = [one for folder in folders for one in _below(os.path.abspath(folder), root)]
        found += _series(root, "", [os.path.relpath(path, root) for path in archives])
    if not found:
        raise FileNotFoundError("there are no archives there: their names end in .hvault")
    return found


def _below(folder: str, root: str | None = None) -> Iterable[Participant]:
    root = folder if root is None else root
    for place, folders, files in os.walk(folder):
        folders.sort()
        relative = os.path.relpath(place, root)
        prefix = "" if relative == "." else relative
        dated = [name for name in files if DATED.fullmatch(name)]
        if dated:
            size = sum(os.path.getsize(os.path.join(place, name)) for name in dated)
            yield Participant(prefix or os.path.basename(os.path.abspath(place)), place, size)
        yield from _series(root, prefix, [name for name in sorted(files) if not DATED.fullmatch(name)])


def _series(root: str, prefix: str, names: Iterable[str]) -> Iterable[Participant]:
    """Returns the newest archive of each series: `a.2.hvault` continues `a.hvault`, and is read with it.

    A number that does not follow on another one is a part of the participant's name.
    """
    series: dict[str, dict[int, int]] = {}
    for name in names:
        match = ARCHIVE.fullmatch(name)
        if not match:
            continue
        sizes = series.setdefault(match["stem"], {})
        number = int(match["number"] or 1)
        sizes[number] = sizes.get(number, 0) + os.path.getsize(os.path.join(root, prefix, name))
    for stem, sizes in series.items():
        newest = 0
        while newest + 1 in sizes:
            newest += 1
        parts = {stem: list(range(1, newest + 1))} if newest else {}
        parts |= {f"{stem}.{number}": [number] for number in sorted(sizes) if number > newest}
        for name, numbers in parts.items():
            last = f"{stem}.{numbers[-1]}" if numbers[-1] > 1 else stem
            size = sum(sizes[number] for number in numbers)
            yield Participant(os.path.join(prefix, name), os.path.join(root, prefix, last + SUFFIX), size)


def _stem(path: str) -> str:
    return path[:-len(SUFFIX)] if path.endswith(SUFFIX) else path


def _size(path: str) -> int:
    if os.path.isdir(path):
        return sum(entry.stat().st_size for entry in os.scandir(path) if ARCHIVE.fullmatch(entry.name))
    volumes = [path] if os.path.exists(path) else sorted(glob.glob(glob.escape(path) + ".[0-9][0-9][0-9]"))
    # One that is not there is a problem of the task that reads it, where it can be skipped.
    return sum(os.path.getsize(volume) for volume in volumes)
