"""The states in which a power loss may leave files, computed from the calls that changed them.

Two file systems are modelled, and neither more kindly than its documents promise:

- **ext4**: changes of names reach the disk in their order, those of a file or folder at the latest with its flush, together
  with all before. Data of a file that replaces another by a rename is there before the new name is. Appended data arrives in
  order, without a hole; blocks that are overwritten, in any order.
- **exFAT**: each change of a name is made or lost by itself, but as a whole, until its folder is flushed. A file may have its
  later size, with zeros for data. There are neither links nor exchanges.

A flush of a file concerns its data, and that of a folder its names. At a power loss a write may be made, lost, or torn at 512
or 4,096 bytes.
"""
import os
import random
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

SECTORS = (512, 4096)
# Of the variants of a kind that differ only in the write that they concern, so many are tried at each instant.
OF_A_KIND = 3


class Change(NamedTuple):
    """A call that changes names: which object each of them leads to afterwards, None for no name any more."""
    names: dict
    objects: frozenset
    # The object with a new name, if another one had it before.
    replacing: int | None
    text: str


class Write(NamedTuple):
    """Data at an offset of a file; without data, the file's new length."""
    file: int
    offset: int
    data: bytes | None


class Flush(NamedTuple):
    """A flush of a file or folder; None stands for everything."""
    object: int | None


class Recording:
    """A folder before a command, and the calls by which the command changed it."""

    def __init__(self, root):
        self.root = Path(root)
        self.names, self.contents, self.facts = {}, {}, {}
        self.top = os.stat(root).st_ino
        # The object that has an inode's number at present; a number may be given to another file later.
        self.objects = {self.top: self.top}
        self.events = []
        for folder, folders, files in os.walk(root):
            for name in folders + files:
                path = Path(folder, name)
                status = path.stat()
                self.objects[status.st_ino] = status.st_ino
                self.names[os.stat(folder).st_ino, name] = status.st_ino
                self.contents[status.st_ino] = None if name in folders else path.read_bytes()
                self.facts[status.st_ino] = (status.st_mode & 0o777, status.st_mtime_ns)

    def read(self, log):
        """Reads what record.c has written down."""
        data, at, live, fresh = Path(log).read_bytes(), 0, dict(self.names), 1 << 64

        def place(folder, name):
            return self.objects.get(int(folder)), bytes.fromhex(name).decode(errors="surrogateescape")

        while at < len(data):
            end = data.index(b"\n", at)
            call, *words = data[at:end].decode().split(" ")
            at = end + 1
            if call in ("create", "nameless", "mkdir"):
                # Of files elsewhere as well, which have no name here.
                fresh += 1
                self.objects[int(words[-1])] = fresh
                self.contents[fresh] = None if call == "mkdir" else b""
            if call == "write":
                file, offset, size = map(int, words)
                self.add_data(Write(self.objects.get(file), offset, data[at:at + size]))
                at += size
            elif call == "truncate":
                self.add_data(Write(self.objects.get(int(words[0])), int(words[1]), None))
            elif call == "sync":
                if words == ["0"] or int(words[0]) in self.objects:
                    self.events.append(Flush(self.objects.get(int(words[0]))))
            elif call != "nameless":
                places = [place(*words[index:index + 2]) for index in range(0, len(words) - 1, 2)]
                if places[0][0] is None:
                    continue
                values = {"rename": lambda: (None, live[places[0]]), "unlink": lambda: (None,),
                          "exchange": lambda: (live[places[1]], live[places[0]])}.get(
                              call, lambda: (self.objects[int(words[-1])],))()
                new = dict(zip(places, values))
                objects = {folder for folder, _ in places} | {live.get(place) for place in places} | set(values)
                replaces = call == "rename" and places[1] in live
                self.events.append(Change(new, frozenset(objects - {None}), values[1] if replaces else None,
                                          " ".join([call, *(name for _, name in places)])))
                live.update(new)
        self.last = live
        return self

    def add_data(self, write):
        if self.contents.get(write.file) is not None:
            self.events.append(write)

    def instants(self, kind, flushes=True):
        """What is certain and what is not before each flush and at the end; without flushes, none has an effect."""
        instant = Instant(kind, dict(self.names), dict(self.contents), [], {})
        for number, event in enumerate(self.events):
            if isinstance(event, Change):
                instant.changes.append((number, event))
            elif isinstance(event, Write):
                instant.writes.setdefault(event.file, []).append((number, event))
            else:
                yield number, instant
                if flushes:
                    instant.flush(event.object)
        yield len(self.events), instant

    def states(self, kind, chance, flushes=True):
        """All states that may be found after a power loss, in an order of chance, each with what it is called.

        Some that differ only in the write that is lost or torn are left out.
        """
        plans = []
        for number, instant in self.instants(kind, flushes):
            instant = instant.copy()
            plans += [(number, instant, *choice) for choice in instant.choices(chance)]
        chance.shuffle(plans)
        seen = set()
        for number, instant, text, names, chosen in plans:
            state = State(self, names, instant.certain | chosen)
            if state.is_possible and (key := state.key()) not in seen:
                seen.add(key)
                yield f"{kind}, call {number} of {len(self.events)}: {text}", state


@dataclass
class Instant:
    kind: str
    names: dict
    certain: dict
    # What may be lost, with the numbers of the calls.
    changes: list = field(default_factory=list)
    writes: dict = field(default_factory=dict)

    def copy(self):
        return Instant(self.kind, dict(self.names), dict(self.certain), list(self.changes),
                       {file: list(writes) for file, writes in self.writes.items()})

    def flush(self, object):
        for file in [object] if object is not None else list(self.writes):
            if file in self.writes:
                self.certain[file] = written(self.certain[file], [write for _, write in self.writes.pop(file)])
        concerned = [number for number, change in self.changes if object is None or object in change.objects]
        if self.kind == "ext4":
            made = [entry for entry in self.changes if concerned and entry[0] <= concerned[-1]]
        else:
            made = [entry for entry in self.changes
                    if object is None or any(folder == object for folder, _ in entry[1].names)]
        for entry in made:
            self.names.update(entry[1].names)
            self.changes.remove(entry)

    def name_choices(self):
        """Which changes of names are made: what that is called, the names, and the changes."""
        changes, count = self.changes, len(self.changes)
        sets = [("all names made", changes)]
        if self.kind == "ext4":
            sets += [(f"names until before '{changes[index][1].text}'", changes[:index]) for index in range(count)]
        else:
            sets += [("all names lost", [])]
            sets += [(f"lost '{changes[index][1].text}'", changes[:index] + changes[index + 1:]) for index in range(count)]
            sets += [(f"only '{changes[index][1].text}'", [changes[index]]) for index in range(count)]
        for text, made in sets:
            names = dict(self.names)
            for _, change in made:
                names.update(change.names)
            yield text, names, made

    def choices(self, chance):
        """Texts, names and contents of the states at this instant."""
        choices = list(self.name_choices())
        # The first one, where all are made, and another have each file torn in each way.
        thorough = {0, chance.randrange(len(choices))}
        for number, (text, names, made) in enumerate(choices):
            present, contents = set(names.values()), {}
            for file in self.writes:
                if file in present:
                    floor = max([call for call, change in made if change.replacing == file and self.kind == "ext4"],
                                default=-1)
                    certain = [write for call, write in self.writes[file] if call < floor]
                    pending = [write for call, write in self.writes[file] if call >= floor]
                    contents[file] = list(variants(written(self.certain[file], certain), pending, self.kind, chance))
            for which in "made", "lost", "zeros":
                found = {file: dict(options)[which] for file, options in contents.items() if which in dict(options)}
                yield f"{text}, data {which}", names, self.all_made(contents) | found
            for file, options in contents.items() if number in thorough else ():
                for variant, data in options:
                    yield f"{text}, file {file % 1000} {variant}", names, self.all_made(contents) | {file: data}
            if len(contents) > 1:
                drawn = {file: chance.choice(options) for file, options in contents.items()}
                yield (text + "".join(f", file {file % 1000} {variant}" for file, (variant, _) in drawn.items()), names,
                       {file: data for file, (_, data) in drawn.items()})

    def all_made(self, contents):
        return {file: options[0][1] for file, options in contents.items()}


def written(content, writes):
    """What a file holds after some writes; a gap is filled by zeros."""
    content = bytearray(content)
    for _, offset, data in writes:
        if data is None:
            del content[offset:]
        content.extend(bytes(max(0, offset - len(content))))
        if data is not None:
            content[offset:offset + len(data)] = data
    return bytes(content)


def variants(before, writes, kind, chance):
    """What a file may hold of writes that no flush has followed."""
    whole = written(before, writes)
    yield "made", whole
    yield "lost", before
    grown = bytes(len(whole) - len(before)) if kind == "exfat" else b""
    if grown:
        yield "zeros", before + grown
    for index in sorted(chance.sample(range(len(writes)), min(OF_A_KIND, len(writes)))):
        part, (file, offset, data) = written(before, writes[:index]), writes[index]
        yield f"with {index} of {len(writes)} writes", part
        if grown:
            yield f"with {index} of {len(writes)} writes, then zeros", part + bytes(max(0, len(whole) - len(part)))
        if data is None:
            continue
        end = offset + len(data)
        if index + 1 < len(writes) and (kind == "exfat" or end <= len(before)):
            yield f"without write {index}", written(before, writes[:index] + writes[index + 1:])
        for sector in SECTORS:
            places = range(offset // sector * sector + sector, end, sector)
            for cut in chance.sample(places, min(OF_A_KIND, len(places))):
                yield f"torn at {cut}", written(part, [Write(file, offset, data[:cut - offset])])
                if end <= len(before) or kind == "exfat":
                    yield f"torn before {cut}", written(part, [Write(file, cut, data[cut - offset:])])


class State:
    """A folder as it may be found, as paths and what they hold; None stands for a folder."""

    def __init__(self, recording, names, contents):
        self.recording, self.files = recording, {}
        below = {}
        for (folder, name), object in names.items():
            if object is not None:
                below.setdefault(folder, []).append((name, object))
        waiting, found = [(recording.top, "")], []
        while waiting:
            folder, path = waiting.pop()
            for name, object in sorted(below.get(folder, [])):
                self.files[path + name] = (object, contents[object])
                found.append(object)
                if contents[object] is None:
                    if found.count(object) > 1:
                        break
                    waiting.append((object, f"{path}{name}/"))
        # A lost rename that another one followed would leave a file with two names, which only a link does.
        linked = {object for event in recording.events if isinstance(event, Change) and event.text.startswith("link")
                  for object in event.names.values()}
        self.is_possible = all(found.count(object) == 1 or object in linked for object in found)

    def key(self):
        return hash(tuple((path, data) for path, (_, data) in sorted(self.files.items())))

    def make(self):
        """Makes the recording's folder be in this state."""
        for entry in self.recording.root.iterdir():
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
        for path, (object, data) in sorted(self.files.items()):
            place = self.recording.root / path
            mode, time = self.recording.facts.get(object, (0o600, None))
            if data is None:
                place.mkdir(0o700)
            else:
                place.write_bytes(data)
                place.chmod(mode)
                if time and data == self.recording.contents[object]:
                    os.utime(place, ns=(time, time))


def final(recording):
    """The state without a power loss."""
    contents = dict(recording.contents)
    writes = {}
    for event in recording.events:
        if isinstance(event, Write):
            writes.setdefault(event.file, []).append(event)
    return State(recording, recording.last, contents | {file: written(contents[file], all) for file, all in writes.items()})


def seeded(*parts):
    return random.Random("/".join(map(str, parts)))
