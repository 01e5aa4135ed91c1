"""The errors of the package: each says what happened and where, and what to do next."""
from __future__ import annotations


class Error(Exception):
    """Something that the library reported.

    Attributes:
        status: the exit status that the command `healthvault` would have.
        code: its name, such as `wrongPassphrase`, as in the command's JSON.
        message: what happened, and where. It contains no value, passphrase or key.
        hint: what to do next; may be empty.
    """

    def __init__(self, status: int, code: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}\n{self.hint}" if self.hint else self.message

    def __reduce__(self) -> tuple[type, tuple[int, str, str, str]]:
        return type(self), (self.status, self.code, self.message, self.hint)


class UnknownNameError(Error, KeyError):
    """No type or column has the name; the hint has the one that was probably meant."""


class InvalidQueryError(Error, ValueError):
    """An argument is wrong, such as a time that cannot be read."""


class NotFoundError(Error, LookupError):
    """There is no such archive."""


class WrongPassphraseError(Error):
    """The passphrase is another one."""


class KeyRingError(Error):
    """A key ring or its key cannot be used, so no archive can be opened with them."""


class DamagedError(Error):
    """The archive is damaged or truncated, or was tampered with."""


def error(status: int, code: str, message: str, hint: str) -> Error:
    """Returns the error of the class that fits a status."""
    if code == "unknownName":
        return UnknownNameError(status, code, message, hint)
    if code == "keyRing":
        return KeyRingError(status, code, message, hint)
    kinds = {2: InvalidQueryError, 10: NotFoundError, 12: WrongPassphraseError, 13: DamagedError}
    return kinds.get(status, Error)(status, code, message, hint)
