"""The commands that the documentation shows, and a terminal to run them on.

A block that starts with ```` ```console ```` has commands after `$ ` and below each what it shows. The blocks of a page are one
session: they run in their order, in a folder where only the page's sources are. Other blocks have commands without output:
lines that begin with `healthvault`. To write into the pages what the commands show now:

    PYTHONPATH=Tests/Command /usr/bin/python3 Tests/Command/documentation/consoles.py PROGRAMS
"""
import codecs
import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import sys
import tempfile
import termios
import time
from pathlib import Path

from vault import GENERATE, PASSPHRASE, PATIENCE, ROOT, environment, run

CATALOGUE = ROOT / "Sources/Interface/HealthVault/HealthVault.docc"
# The pages with sessions, and what is in the folder at their beginning.
EXPORTS = {
    "README.md": ("--size", "100MB"),
    "FirstArchive.md": ("--size", "10MB", "--years", "2", "--shape", "watchAndPhone", "--seed", "7"),
    "DriveInADrawer.md": ("--size", "2MB"),
    "EverySundayNight.md": ("--size", "2MB"),
    "AskYourArchive.md": ("--size", "10MB", "--years", "2", "--shape", "watchAndPhone", "--seed", "7"),
    "Opening.md": ("--size", "2MB"),
}
QUESTION = re.compile(r"assphrase[^\n]*: ?$")
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def page(name):
    return ROOT / name if name == "README.md" else CATALOGUE / name


def sessions(text):
    """The steps of a page: pairs of a command and what it shows."""
    steps = []
    for block in BLOCK.findall(text):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            lines = part.rstrip("\n").split("\n")
            count = 1
            while lines[count - 1].endswith("\\"):
                count += 1
            steps.append(("\n".join(lines[:count]), "\n".join(lines[count:]).strip("\n")))
    return steps


def with_outputs(text, outputs):
    """The page with these outputs in place of those that it has."""
    outputs = iter(outputs)

    def block(match):
        shown = []
        for command, _ in sessions(match[0]):
            output = next(outputs)
            shown.append(f"$ {command}\n" + (f"{output}\n" if output else ""))
        return "```console\n" + "\n".join(shown) + "```"
    return BLOCK.sub(block, text)


def normalised(text):
    """A text without what differs from run to run: times, generated passphrases, identifiers, and the version."""
    text = re.sub(r"\b\d+(\.\d+)? (ms|s)\b", "TIME", text)
    text = re.sub(r"\b[a-z2-7]{5}(-[a-z2-7]{5}){4}\b", "PASSPHRASE", text)
    text = re.sub(r"healthvault \d+\.\d+\.\d+", "healthvault VERSION", text)
    text = re.sub(r"\b20\d\d-\d\d-\d\d \d\d:\d\d(:\d\d)?(?! [+-])\b", "DATE", text)
    # A column is as wide as what is in it.
    text = re.sub(r"(?<=\S)  +", "  ", text)
    return "\n".join(line.rstrip() for line in text.split("\n"))


class Session:
    """A folder with an export, and a shell's view of it: home, path and a drive."""

    def __init__(self, program, export=()):
        self.folder = Path(tempfile.mkdtemp(prefix="healthvault-test-"))
        self.work = self.folder / "work"
        self.work.mkdir()
        (self.folder / "bin").mkdir()
        (self.folder / "bin/healthvault").symlink_to(program)
        self.drive = self.folder / "STICK"
        self.drive.mkdir()
        if export:
            made = run(GENERATE, "--output", self.work / "export.zip", *export)
            assert made.status == 0, made.stderr
        self.variables = environment(
            HOME=os.fspath(self.work), PATH=f"{self.folder / 'bin'}:{os.environ['PATH']}", TERM="xterm", NO_COLOR="1", TZ="UTC",
            XDG_STATE_HOME=os.fspath(self.folder / "state"), XDG_CONFIG_HOME=os.fspath(self.folder / "config"))

    def run(self, command, shell="bash"):
        """Runs a command on a terminal, answering each question with a passphrase: its status, and what was shown."""
        command = command.replace("/media/me/STICK", os.fspath(self.drive))
        process, end = pty.fork()
        if process == 0:
            try:
                os.chdir(self.work)
                fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
                for number in signal.SIGINT, signal.SIGHUP, signal.SIGTERM:
                    signal.signal(number, signal.SIG_DFL)
                os.execvpe(shell, [shell, "-c", command], self.variables)
            finally:
                os._exit(127)
        added = PASSPHRASE + " too" if " passphrase add " in command else PASSPHRASE
        shown, answered, until = "", 0, time.monotonic() + PATIENCE
        # A character may come in two pieces.
        decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        while time.monotonic() < until:
            if not select.select([end], [], [], 0.2)[0]:
                continue
            try:
                data = os.read(end, 65536)
            except OSError:  # Linux reports the end of a terminal so.
                break
            if not data:
                break
            shown += decoder.decode(data)
            if QUESTION.search(shown, answered) and not termios.tcgetattr(end)[3] & termios.ECHO:
                is_new = re.search("New|Repeat", shown[answered:])
                answered = len(shown)
                os.write(end, f"{added if is_new else PASSPHRASE}\n".encode())
        else:
            os.kill(process, signal.SIGKILL)
        # A terminal that closes while the command still ends would end it by a signal.
        status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        os.close(end)
        # What is rewritten in place is seen as its last state.
        shown = re.sub(r"[^\n]*\r(?!\n)|\x1b\[[0-9;]*[A-Za-z]", "", shown.replace("\r\n", "\n"))
        return status, shown.replace(os.fspath(self.drive), "/media/me/STICK").replace(os.fspath(self.work), "~").strip("\n")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)


def main(programs):
    for name, export in EXPORTS.items():
        path = page(name)
        text = path.read_text()
        with Session(Path(programs).resolve() / "healthvault", export) as session:
            outputs = []
            for command, shown in sessions(text):
                status, output = session.run(command)
                print(f"{status:3} {name}: {command}")
                lines = "\n".join(line.rstrip() for line in output.split("\n"))
                outputs.append(shown if normalised(shown) == normalised(output) else lines)
        path.write_text(with_outputs(text, outputs))


if __name__ == "__main__":
    main(sys.argv[1])
