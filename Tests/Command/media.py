"""Removable media for tests: FAT32 and exFAT in image files, mounted through FUSE, and pulled at will.

exFAT is what exfat-fuse makes of it, and FAT32 what `fat32.py` makes of it, so that no driver of the
kernel is needed. Both lie on a loop device, as /proc/self/mountinfo shows, with the UUID and the label
that `blkid` finds on it.
"""
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from vault import PATIENCE, wait_until

DRIVER = Path(__file__).with_name("fat32.py")
TOOLS = {"fat32": ("mkfs.fat",), "exfat": ("mkfs.exfat", "mount.exfat-fuse")}
PACKAGES = "dosfstools, exfatprogs, exfat-fuse"
MIB = 1 << 20


def tool(name):
    """The path of a program; those for root are not always on the path."""
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


def missing(fs):
    """Why there can be no such medium here; None if there can."""
    if os.geteuid() != 0:
        return "only root can mount a medium"
    absent = [name for name in (*TOOLS[fs], "losetup", "umount") if not tool(name)]
    if absent:
        return f"{', '.join(absent)} missing (packages: {PACKAGES})"
    for device in "/dev/fuse", "/dev/loop-control":
        if not os.access(device, os.R_OK | os.W_OK):
            return f"{device} cannot be used"
    return None


def forget_inodes():
    """Makes the kernel forget the files that nobody has open, as it does when memory is short.

    This concerns the whole machine, but only what it can read again.
    """
    os.sync()
    try:
        Path("/proc/sys/vm/drop_caches").write_text("2")
    except OSError as problem:
        raise unittest.SkipTest(f"the kernel forgets nothing on request here: {problem}") from None


class Medium:
    """A medium with a file system, "fat32" or "exfat", that is mounted at `path`.

    Raises `unittest.SkipTest` where it cannot be made.
    """

    def __init__(self, fs, size=48 * MIB, label="HEALTH"):
        reason = missing(fs)
        if reason:
            raise unittest.SkipTest(reason)
        self.fs, self.label = fs, label
        self.folder = Path(tempfile.mkdtemp(prefix="healthvault-medium-"))
        self.image, self.store = self.folder / "image", self.folder / "store"
        self.device = self.process = self.path = None
        self.mounted = False
        try:
            with open(self.image, "wb") as file:
                file.truncate(size)
            self.store.mkdir()
            # mkfs.fat warns of a FAT32 that is smaller than usual.
            self.call("mkfs.fat", "-F", "32", "-n", label, self.image) if fs == "fat32" else self.call(
                "mkfs.exfat", "-L", label, self.image)
            self.mount()
        except (OSError, subprocess.SubprocessError) as problem:
            self.close()
            said = (getattr(problem, "stderr", None) or b"").decode(errors="replace").strip()
            raise unittest.SkipTest(f"no {fs} can be mounted here: {problem} {said}") from None
        except BaseException:
            self.close()
            raise

    @staticmethod
    def call(name, *arguments):
        result = subprocess.run([tool(name), *map(os.fspath, arguments)], stdin=subprocess.DEVNULL,
                                capture_output=True, check=True, timeout=PATIENCE)
        return result.stdout.decode().strip()

    # Mounting -----------------------------------------------------------------------------------------

    def mount(self, path=None):
        """Mounts it, at its former place unless another one is given; a pulled drive is plugged in again."""
        self.unmount()
        self.path = Path(path or self.path or self.folder / "mounted")
        self.path.mkdir(parents=True, exist_ok=True)
        self.device = self.call("losetup", "--find", "--show", self.image)
        try:
            self.start()
        finally:
            # Takes effect when nobody uses it any more, however the test ends.
            self.call("losetup", "--detach", self.device)

    def start(self):
        driver = ([sys.executable, "-I", DRIVER, self.device, self.store, self.path] if self.fs == "fat32"
                  # With -d it stays a child of the test.
                  else [tool("mount.exfat-fuse"), "-d", self.device, self.path])
        errors = self.folder / "errors"
        with open(errors, "wb") as file:
            self.process = subprocess.Popen(
                list(map(os.fspath, driver)), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL if self.fs == "exfat" else file, start_new_session=True)
        self.wait(lambda: self.process.poll() is not None or os.path.ismount(self.path), "mounted")
        if self.process.poll() is not None:
            raise OSError(f"the driver ended with {self.process.returncode}: {errors.read_text()[-500:]}")
        self.mounted = True

    def unmount(self):
        """Unmounts it; everything is in the image then."""
        if not self.mounted:
            return
        if self.is_pulled():
            self.call("umount", "--lazy", self.path)
        else:
            self.call("umount", self.path)
        self.mounted = False
        self.end_driver()

    def vanish(self):
        """Pulls the drive: its folder stays, and calls fail with EIO on FAT32, with ENOTCONN on exFAT."""
        self.process.send_signal(signal.SIGUSR1 if self.fs == "fat32" else signal.SIGKILL)
        self.wait(self.is_pulled, "pulled")

    def is_pulled(self):
        """Whether calls fail; this one always reaches the driver."""
        try:
            os.statvfs(self.path)
        except OSError:
            return True
        return False

    def close(self):
        """Removes it, whoever still uses it."""
        if self.mounted:
            subprocess.run([tool("umount"), "--lazy", self.path], stderr=subprocess.DEVNULL)
            self.mounted = False
        self.end_driver(within=2)
        shutil.rmtree(self.folder, ignore_errors=True)

    def end_driver(self, within=PATIENCE):
        if self.process is None:
            return
        try:
            self.process.wait(within)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process = None

    @staticmethod
    def wait(condition, what):
        wait_until(condition, f"a drive that is {what}")

    # What is there --------------------------------------------------------------------------------------

    @property
    def free(self):
        room = os.statvfs(self.path)
        return room.f_bavail * room.f_frsize

    def fill(self, leaving):
        """Writes a file that leaves so many bytes free, more or less a cluster; its path."""
        path = self.path / "fill"
        with open(path, "wb") as file:
            file.write(bytes(self.free - leaving))
        return path

    def identity(self, name):
        """What its superblock says, such as UUID, LABEL and TYPE."""
        return self.call("blkid", "-p", "-s", name, "-o", "value", self.image)
