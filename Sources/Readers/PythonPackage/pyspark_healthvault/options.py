"""The options of the source, none of which is a secret: plans, pages and logs of Spark show them."""
from __future__ import annotations

import dataclasses
import difflib
import re
from typing import Mapping

from .tables import COLUMNS

#: Options as they are written; Spark passes them on in lower case.
NAMES = ("path", "list", "table", "types", "since", "until", "by", "columns", "keyring", "keyFile", "passphraseFile",
         "onDamage", "maxPartitionBytes", "minPartitions", "pushFilters")
SECRET_NAME = re.compile("pass|secret|token|credential|key|pwd")
MEBIBYTE = 1 << 20
LEAST_PARTITION = 1 << 16


class OptionError(ValueError):
    """An option that cannot be used. No message repeats a value: it could be a secret."""


@dataclasses.dataclass
class Options:
    """What to read, and where keys are. Filters may narrow archives, types and times."""

    path: str = ""
    list_file: str = ""
    table: str = "samples"
    types: tuple[str, ...] = ()
    since: str | None = None
    until: str | None = None
    by: str = "day"
    columns: tuple[str, ...] = ()
    keyring: str | None = None
    key_file: str | None = None
    passphrase_file: str | None = None
    skips_damage: bool = False
    max_partition_bytes: int = 128 * MEBIBYTE
    min_partitions: int = 0
    push_filters: bool = False
    #: The names of the only archives wanted; None for all.
    archives: frozenset[str] | None = None
    #: Whether an archive without any of the types is as good as one without samples of them.
    types_may_be_absent: bool = False

    @classmethod
    def parse(cls, given: Mapping[str, str]) -> Options:
        known = {name.lower(): name for name in NAMES}
        values = {}
        for name, value in given.items():
            written = known.get(name.lower())
            if written is None:
                raise OptionError(_unknown(name))
            values[written] = value
        options = cls(
            path=values.get("path", ""), list_file=values.get("list", ""), table=values.get("table", "samples"),
            types=_names(values.get("types", "")), since=values.get("since"), until=values.get("until"),
            by=values.get("by", "day"), columns=_names(values.get("columns", "")),
            keyring=values.get("keyring"), key_file=values.get("keyFile"),
            passphrase_file=values.get("passphraseFile"),
            skips_damage=_choice(values, "onDamage", ("fail", "skip")) == "skip",
            max_partition_bytes=_number(values, "maxPartitionBytes", 128 * MEBIBYTE),
            min_partitions=_number(values, "minPartitions", 0),
            push_filters=_choice(values, "pushFilters", ("false", "true")) == "true")
        options.check()
        return options

    def check(self) -> None:
        if bool(self.path) == bool(self.list_file):
            raise OptionError("give a folder, an archive or a pattern to load(), or a list of archives as the option 'list'")
        if self.table not in COLUMNS:
            raise OptionError(f"the option 'table' takes one of {', '.join(COLUMNS)}")
        for column in self.columns:
            if column not in COLUMNS[self.table]:
                raise OptionError(f"the table '{self.table}' has no column of a name in the option 'columns'"
                                  f"; it has {', '.join(COLUMNS[self.table])}")
        if (self.keyring is None) != (self.key_file is None):
            raise OptionError("the options 'keyring' and 'keyFile' are needed together")
        if (self.keyring is None) == (self.passphrase_file is None):
            raise OptionError("give 'keyring' and 'keyFile', or 'passphraseFile'")
        files = {"keyring": self.keyring, "keyFile": self.key_file, "passphraseFile": self.passphrase_file}
        for name, path in files.items():
            # A secret in place of a path does not get any further than this.
            if path is not None and not path.startswith("/"):
                raise OptionError(f"the option '{name}' takes the absolute path of a file that is there on each executor")


def _unknown(name: str) -> str:
    if SECRET_NAME.search(name.lower()):
        return ("an option looks like a secret, and was refused: Spark shows options in plans, on pages and in logs. Put the "
                "passphrase or key into a file on each executor, and name it in 'keyring' and 'keyFile', or 'passphraseFile'")
    close = difflib.get_close_matches(name.lower(), [known.lower() for known in NAMES], 1)
    hint = next((f"; did you mean '{known}'?" for known in NAMES if [known.lower()] == close), "")
    return f"there is no such option{hint}: the options are {', '.join(NAMES)}"


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def _choice(values: Mapping[str, str], name: str, choices: tuple[str, str]) -> str:
    value = values.get(name, choices[0]).lower()
    if value not in choices:
        raise OptionError(f"the option '{name}' takes {' or '.join(choices)}")
    return value


def _number(values: Mapping[str, str], name: str, usual: int) -> int:
    text = values.get(name)
    if text is None:
        return usual
    if not re.fullmatch("[0-9]{1,18}", text) or name == "maxPartitionBytes" and int(text) < LEAST_PARTITION:
        raise OptionError(f"the option '{name}' takes a number" + (
            f" of bytes, {LEAST_PARTITION} or more" if name == "maxPartitionBytes" else ""))
    return int(text)
