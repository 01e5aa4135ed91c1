"""Archives, and the tables that they have."""
from __future__ import annotations

import datetime
import os
from typing import Any, Iterable, Union

from ._library import KEYRING, PASSPHRASE, PASSPHRASE_COMMAND, PASSPHRASE_FILE, Credential, Handle, text
from ._values import facts
from .table import Table

#: A time: text as on the command line (`2024`, `2024-05`, `2024-05-31`, `2024-05-31T18:30`, `yesterday`), a day, or an instant.
Time = Union[str, datetime.date, datetime.datetime]


def open(path: str | os.PathLike[str], passphrase: str | bytes | None = None, *,
         passphrase_file: str | os.PathLike[str] | None = None, passphrase_command: str | None = None,
         keyring: str | os.PathLike[str] | None = None, key_file: str | os.PathLike[str] | None = None) -> Archive:
    """Opens an archive and those that it continues, or the newest archive in a folder.

    The key derivation of a passphrase takes about half a second; a key ring needs none.

    Args:
        path: the archive, or a folder of archives.
        passphrase: the passphrase; `getpass.getpass()` asks for one without showing it. Python keeps a copy in memory.
        passphrase_file: a file with the passphrase in its only line, read into memory that is never swapped out.
        passphrase_command: a shell command that prints it, such as `pass show health`.
        keyring: a key ring of `healthvault keyring make`, which has the key of the archive.
        key_file: the key of the key ring. Both stay in memory until another ring is used or the process ends.

    Raises:
        WrongPassphraseError, NotFoundError, DamagedError, Error: as the command would report it.
        KeyRingError: the key ring or its key cannot be used.
        ValueError: none or several of passphrase, passphrase_file, passphrase_command and keyring were given.
    """
    given = [value for value in (passphrase, passphrase_file, passphrase_command, keyring) if value is not None]
    if len(given) != 1:
        raise ValueError("give one of passphrase, passphrase_file, passphrase_command and keyring")
    if (keyring is None) != (key_file is None):
        raise ValueError("keyring and key_file are needed together")
    if keyring is not None and key_file is not None:
        credential = Credential(kind=KEYRING, path=_path(keyring), key_path=_path(key_file))
    elif passphrase is not None:
        secret = passphrase.encode() if isinstance(passphrase, str) else passphrase
        credential = Credential(kind=PASSPHRASE, bytes=secret, length=len(secret))
    elif passphrase_file is not None:
        credential = Credential(kind=PASSPHRASE_FILE, path=_path(passphrase_file))
    else:
        credential = Credential(kind=PASSPHRASE_COMMAND, path=_path(passphrase_command or ""))
    return Archive(Handle(_path(path), credential), os.fspath(path))


class Archive:
    """An open archive, read only.

    Its tables may be read on several threads at once. After a fork, a child opens the archive anew.
    """

    def __init__(self, handle: Handle, path: str) -> None:
        self._handle: Handle | None = handle
        self._path = path
        self._zone: str | None = None

    @property
    def zone(self) -> str:
        """The time zone of the export's days: a name such as `Europe/Berlin`, or an offset."""
        if self._zone is None:
            self._zone = facts(self.types()._open)["zone"]
        return self._zone

    def types(self) -> Table:
        """Returns the types of samples: nothing is decrypted for it.

        Columns: type (text: HealthKit's identifier), name (text: its short form), count (int64: samples), first and last
        (timestamps: the earliest and the latest start).
        """
        return self._table("types", {})

    def batches(self, *types: str, since: Time | None = None, until: Time | None = None, part: int = 0,
                parts: int = 1) -> Table:
        """Returns the batches that may contain samples of some types and a time: nothing is decrypted for it.

        Columns: type (text), span (text: the calendar span), part, count, bytes (int64), first, last (timestamps).
        """
        return self._table("batches", dict(
            types=types, since=_time(since, is_start=True), until=_time(until), part=part, parts=parts))

    def samples(self, *types: str, since: Time | None = None, until: Time | None = None,
                columns: Iterable[str] | None = None, plain: bool = False, part: int = 0, parts: int = 1,
                threads: int | None = None) -> Table:
        """Returns the samples of some types, of all if none is named.

        Batches of the archive come type by type, from the oldest span to the newest, and their rows by start. Record batches
        have some thousands of rows, of several of them. The usual columns:

            type        text       HealthKit's identifier
            startDate   timestamp  microseconds since 1970 in UTC; null where the sample has none, such as a day's
            endDate                activity summary, whose day is among the attributes
            value       double     in the unit of the column `unit`; null where the value is no number
            valueText   text       the value where it is no number, such as that of a category
            unit        text       as the source wrote it: count/min, kg, ...
            sourceName  text       the app or device that recorded it

        On request: creationDate (timestamp), sourceVersion, device (texts: its name), position (int64: in the source), id (text: as `healthvault query` prints it), metadata and attributes (maps of texts), content (text: nested
        elements as JSON). Columns that are not asked for are not built.

        Args:
            types: short names (heartRate), identifiers, titles, or groups (group:vitals).
            since: only what starts in or after this time. Days are days in the export's time zone.
            until: only what starts in or before this time.
            columns: the names of the columns, in the order wanted.
            plain: whether texts are strings and not dictionaries.
            part: the part to read, from 0, of `parts` parts of about the same size.
            parts: how many parts there are.
            threads: threads that decode ahead, beside the one that asks; None for those to spare, at most four, 0 for none.

        Raises:
            KeyError: no type or column has one of the names; the message suggests the one that was meant.
        """
        if isinstance(columns, str):
            raise TypeError(f"columns={columns!r}: give a list of names, [{columns!r}]")
        arguments: dict[str, Any] = dict(
            types=types, since=_time(since, is_start=True), until=_time(until), plain=plain, part=part, parts=parts,
            threads=threads, columns=() if columns is None else tuple(columns))
        return self._table("samples", arguments)

    def statistics(self, *types: str, by: str = "day", since: Time | None = None, until: Time | None = None,
                   plain: bool = False) -> Table:
        """Returns statistics of quantities and categories by intervals; several sources are merged as `healthvault stats` merges
        them.

        A sum of the column `value` counts twice what a watch and a phone have both recorded; these statistics do not.

        Columns: type (text), startDate, endDate (timestamps: the end is exclusive), day (date: of the start, in the export's zone), unit
        (text), count (int64: samples), sum (double, for quantities that add up), average, minimum, maximum (double, for all
        others), durationSeconds (double: how long the samples of a category are, of which only they are counted), isPartial (bool: a part of the interval is outside the time or the export). Intervals without samples are left
        out.

        Args:
            types: quantities and categories; all quantities in the archive if none is named.
            by: hour, day, week, month or year.
            since: the start of the time.
            until: the end of the time, inclusive.
            plain: whether texts are strings and not dictionaries.
        """
        return self._table("statistics", dict(
            types=types, by=by, since=_time(since, is_start=True), until=_time(until), plain=plain))

    def sleep(self, since: Time | None = None, until: Time | None = None) -> Table:
        """Returns the nights that end in a time, as `healthvault sleep` shows them.

        Columns: night (date: on which it ends), startDate, endDate (timestamps), asleepSeconds and the seconds of each stage
        (coreSeconds, deepSeconds, remSeconds, unspecifiedSeconds, awakeSeconds, inBedSeconds, gapSeconds; int64), sources (list
        of texts). The four stages of sleep add up to asleepSeconds.
        """
        return self._table("sleep", dict(since=_time(since, is_start=True), until=_time(until)))

    def workouts(self, since: Time | None = None, until: Time | None = None) -> Table:
        """Returns the workouts.

        Columns: id, startDate, endDate (timestamps), activity (text: HKWorkoutActivityTypeRunning, ...), durationSeconds (double,
        without pauses, or from start to end where the export does not state it), distance and energy (double) with distanceUnit
        and energyUnit, sourceName, sourceVersion, device (texts).
        """
        return self._table("workouts", dict(since=_time(since, is_start=True), until=_time(until)))

    def rings(self, since: Time | None = None, until: Time | None = None) -> Table:
        """Returns the activity rings of each day.

        Columns: day (date), energy and energyGoal (double) with energyUnit (text), moveMinutes, exerciseMinutes and standHours, each
        with its goal: exerciseMinutesGoal (double; null where the day has none).
        """
        return self._table("rings", dict(since=_time(since, is_start=True), until=_time(until)))

    def routes(self, since: Time | None = None, until: Time | None = None, plain: bool = False) -> Table:
        """Returns the points of the routes of workouts that start in a time.

        Columns: workout (text: the id that `workouts` has), segment (integer, from 0 in each workout: nothing was recorded between
        two), time (timestamp), latitude, longitude (double: degrees), altitude, horizontalAccuracy, verticalAccuracy (double:
        metres), speed (double: metres a second), course (double: degrees; -1 if unknown). A workout whose file the export lacks
        has no points.
        """
        return self._table("routes", dict(since=_time(since, is_start=True), until=_time(until), plain=plain))

    def ecg(self, since: Time | None = None, until: Time | None = None) -> Table:
        """Returns the electrocardiograms with their voltages.

        Columns: recordedDate (timestamp), file, classification (text: HealthKit's; null if it is in a language that is not
        understood), classificationText (text: as written), symptoms (list of texts), samplingFrequency (double: samples a
        second), durationSeconds (double), device, softwareVersion, lead (texts), microvolts (list of doubles: samplingFrequency times
        durationSeconds of them, 15,360 for 30 s at 512 Hz).
        """
        return self._table("electrocardiograms", dict(since=_time(since, is_start=True), until=_time(until)))

    def close(self) -> None:
        """Closes the archive; its keys are wiped as soon as none of its tables is being read."""
        self._handle = None

    def _opened(self) -> Handle:
        if self._handle is None:
            raise ValueError("the archive is closed")
        return self._handle

    def _table(self, name: str, arguments: dict[str, Any]) -> Table:
        return Table(self, name, arguments)

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<healthvault archive {self._path!r}{' (closed)' if self._handle is None else ''}>"


def _path(path: str | os.PathLike[str]) -> bytes:
    return text(os.fsencode(path))


def _time(time: Time | None, is_start: bool = False) -> str | None:
    if time is None or isinstance(time, str):
        return time
    if not isinstance(time, datetime.date):
        raise TypeError(f"{time!r} is no time: give a text such as '2025' or '2025-03', a date or a datetime")
    if not isinstance(time, datetime.datetime):
        return time.isoformat()
    # Archives have whole seconds: the first after a start, the last before an end.
    if is_start and time.microsecond:
        time += datetime.timedelta(seconds=1)
    return time.replace(microsecond=0).isoformat()
