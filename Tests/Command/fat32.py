"""A FAT32 driver for tests, by the rules of Linux's vfat: python3 fat32.py DEVICE STORE MOUNTPOINT

It speaks FUSE's protocol (include/uapi/linux/fuse.h) over /dev/fuse. DEVICE, which mkfs.fat has
formatted, gives the size, the clusters and the identity; what is written lies in the folder STORE.
The rules were observed on Linux 6.1: names without regard to case, no links, no permissions, times
in steps of two seconds, files below 4 GiB, and another inode number each time that a file comes back
to memory.

Debian's fusefat is no substitute: it loses what is in a renamed folder, removes folders that are not
empty, reads wrong bytes from a file that is still being written, and reports EPERM on a full disk.

SIGUSR1 pulls the drive: every call that reaches the driver fails with EIO from then on.
"""
import ctypes
import errno
import os
import signal
import stat
import struct
import sys
import time
from pathlib import Path

LARGEST_FILE = (1 << 32) - 1
LONGEST_NAME = 255
FORBIDDEN = set('"*/:<>?\\|') | {chr(code) for code in range(32)}
# Flags of renameat2 and of mount.
EXCLUSIVELY, EXCHANGING = 1, 2
MS_NOSUID, MS_NODEV = 2, 4
HEADER = struct.Struct("<IIQQIIIHH")
LARGEST_WRITE = 1 << 17
SECONDS_VALID = 1


class Volume:
    """The size and the clusters of a formatted device."""

    def __init__(self, device):
        with open(device, "rb") as file:
            boot = file.read(512)
        sector, per_cluster, reserved, tables = struct.unpack_from("<HBHB", boot, 11)
        sectors, per_table = struct.unpack_from("<II", boot, 32)
        self.cluster = sector * per_cluster
        # One holds the root.
        self.clusters = (sectors - reserved - tables * per_table) // per_cluster - 1

    def needed(self, size):
        return -(-size // self.cluster)


class Entry:
    """A file or folder; its content is in the store, under the same path."""

    def __init__(self, name, parent, is_folder):
        self.name, self.parent = name, parent
        self.entries = {} if is_folder else None
        self.size, self.modified, self.is_removed = 0, even_seconds(), False
        # The inode number, as long as the kernel knows the entry, and how often it has asked for it.
        self.node, self.lookups = 0, 0

    def path(self):
        return self.parent.path() / self.name if self.parent else STORE

    def holds(self, other):
        while other is not None and other is not self:
            other = other.parent
        return other is self


class Refused(Exception):
    """A call fails with an error number."""


def even_seconds(seconds=None):
    return int(time.time() if seconds is None else seconds) & ~1


def plain_name(raw):
    """The name as it is stored."""
    try:
        name = raw.decode()
    except UnicodeDecodeError:
        raise Refused(errno.EINVAL) from None
    if len(name.encode("utf-16-le")) > 2 * LONGEST_NAME:
        raise Refused(errno.ENAMETOOLONG)
    return name.rstrip(".")


def new_name(raw):
    name = plain_name(raw)
    if not name or name.endswith(" ") or FORBIDDEN & set(name):
        raise Refused(errno.EINVAL)
    return name


class Driver:
    def __init__(self, volume):
        self.volume = volume
        self.root = Entry("", None, is_folder=True)
        self.root.node = self.last_node = 1
        self.nodes = {1: self.root}
        self.used = 0
        self.handles = {}
        self.last_handle = 0
        self.is_pulled = False
        self.load(self.root)

    def load(self, folder):
        for found in os.scandir(folder.path()):
            entry = Entry(found.name, folder, found.is_dir())
            folder.entries[found.name.lower()] = entry
            info = found.stat()
            entry.modified = even_seconds(info.st_mtime)
            if entry.entries is None:
                entry.size = info.st_size
                self.used += self.volume.needed(entry.size)
            else:
                self.used += 1
                self.load(entry)

    # Names ------------------------------------------------------------------------------------------------

    def find(self, folder, raw):
        entry = folder.entries.get(plain_name(raw).lower())
        if entry is None:
            raise Refused(errno.ENOENT)
        return entry

    def known(self, entry):
        """The reply that makes an entry known to the kernel."""
        if not entry.node:
            self.last_node += 1
            entry.node = self.last_node
            self.nodes[entry.node] = entry
        entry.lookups += 1
        return (struct.pack("<QQQQII", entry.node, 0, SECONDS_VALID, SECONDS_VALID, 0, 0)
                + self.attributes(entry))

    def attributes(self, entry):
        is_folder = entry.entries is not None
        size = self.volume.cluster if is_folder else entry.size
        blocks = self.volume.needed(size) * self.volume.cluster // 512
        links = 0 if entry.is_removed else 2 if is_folder else 1
        return struct.pack("<6Q10I", entry.node, size, blocks, *(entry.modified,) * 3, 0, 0, 0,
                           (stat.S_IFDIR if is_folder else stat.S_IFREG) | 0o755, links,
                           0, 0, 0, self.volume.cluster, 0)

    def take_clusters(self, count):
        if self.used + count > self.volume.clusters:
            raise Refused(errno.ENOSPC)
        self.used += count

    def make(self, folder, raw, is_folder):
        name = new_name(raw)
        if name.lower() in folder.entries:
            raise Refused(errno.EEXIST)
        if is_folder:
            self.take_clusters(1)
        entry = Entry(name, folder, is_folder)
        if is_folder:
            entry.path().mkdir()
        else:
            entry.path().touch()
        folder.entries[name.lower()] = entry
        return entry

    def remove(self, entry):
        """Removes an entry; its clusters are free once nobody has it open."""
        if entry.entries:
            raise Refused(errno.ENOTEMPTY)
        if entry.entries is None:
            entry.path().unlink()
        else:
            entry.path().rmdir()
        del entry.parent.entries[entry.name.lower()]
        entry.is_removed = True
        self.free_if_gone(entry)

    def free_if_gone(self, entry):
        if entry.is_removed and all(held is not entry for held, _ in self.handles.values()):
            self.used -= 1 if entry.entries is not None else self.volume.needed(entry.size)
            entry.size = 0

    def move(self, entry, folder, name):
        """Puts an entry into a folder, under a name that is free."""
        source = entry.path()
        del entry.parent.entries[entry.name.lower()]
        entry.name, entry.parent = name, folder
        os.rename(source, entry.path())
        folder.entries[name.lower()] = entry

    # Calls ------------------------------------------------------------------------------------------------

    def lookup(self, folder, body):
        return self.known(self.find(folder, body[:-1]))

    def getattr(self, entry, body):
        return struct.pack("<QII", SECONDS_VALID, 0, 0) + self.attributes(entry)

    def setattr(self, entry, body):
        valid, = struct.unpack_from("<I", body)
        size, = struct.unpack_from("<Q", body, 16)
        seconds, = struct.unpack_from("<Q", body, 40)
        if valid & 1 << 3:
            self.resize(entry, size)
        if valid & (1 << 5 | 1 << 8):
            entry.modified = even_seconds(None if valid & 1 << 8 else seconds)
        return self.getattr(entry, body)

    def resize(self, entry, size):
        if size > LARGEST_FILE:
            raise Refused(errno.EFBIG)
        self.take_clusters(self.volume.needed(size) - self.volume.needed(entry.size))
        # One that was removed is reached through whoever has it open.
        held = next((number for owner, number in self.handles.values() if owner is entry), None)
        os.truncate(held if held is not None else entry.path(), size)
        entry.size = size

    def mkdir(self, folder, body):
        return self.known(self.make(folder, body[8:-1], is_folder=True))

    def mknod(self, folder, body):
        if not stat.S_ISREG(struct.unpack_from("<I", body)[0]):
            raise Refused(errno.EPERM)
        return self.known(self.make(folder, body[16:-1], is_folder=False))

    def create(self, folder, body):
        entry = self.make(folder, body[16:-1], is_folder=False)
        return self.known(entry) + self.open(entry, body)

    def link(self, folder, body):
        raise Refused(errno.EPERM)

    def unlink(self, folder, body):
        self.remove(self.find(folder, body[:-1]))

    def rename(self, folder, body, flags=0, names=8):
        target = self.nodes[struct.unpack_from("<Q", body)[0]]
        old, new = body[names:-1].split(b"\0")
        entry, name = self.find(folder, old), new_name(new)
        other = target.entries.get(name.lower())
        if entry.holds(target):
            raise Refused(errno.EINVAL)
        if flags == EXCHANGING:
            if other is None:
                raise Refused(errno.ENOENT)
            place, own = (entry.parent, entry.name), other.name
            # No entry can have the name that one of them has for a moment.
            self.move(other, place[0], ":")
            self.move(entry, target, own)
            self.move(other, *place)
        elif flags & ~EXCLUSIVELY:
            raise Refused(errno.EINVAL)
        else:
            if other is not None and other is not entry:
                if flags & EXCLUSIVELY:
                    raise Refused(errno.EEXIST)
                if (other.entries is None) != (entry.entries is None):
                    raise Refused(errno.EISDIR if entry.entries is None else errno.ENOTDIR)
                self.remove(other)
            self.move(entry, target, name)

    def rename2(self, folder, body):
        self.rename(folder, body, struct.unpack_from("<I", body, 8)[0], names=16)

    def open(self, entry, body):
        self.last_handle += 1
        number = os.open(entry.path(), os.O_RDONLY if entry.entries is not None else os.O_RDWR)
        self.handles[self.last_handle] = entry, number
        return struct.pack("<QII", self.last_handle, 0, 0)

    def release(self, entry, body):
        entry, number = self.handles.pop(struct.unpack_from("<Q", body)[0])
        os.close(number)
        self.free_if_gone(entry)

    def read(self, entry, body):
        handle, offset, size = struct.unpack_from("<QQI", body)
        return os.pread(self.handles[handle][1], size, offset)

    def write(self, entry, body):
        handle, offset, size = struct.unpack_from("<QQI", body)
        data = body[40:40 + size]
        free = self.volume.clusters - self.used + self.volume.needed(entry.size)
        fitting = min(size, LARGEST_FILE - offset, free * self.volume.cluster - offset)
        if fitting <= 0:
            raise Refused(errno.EFBIG if offset >= LARGEST_FILE else errno.ENOSPC)
        end = max(entry.size, offset + fitting)
        self.take_clusters(self.volume.needed(end) - self.volume.needed(entry.size))
        os.pwrite(self.handles[handle][1], data[:fitting], offset)
        entry.size, entry.modified = end, even_seconds()
        return struct.pack("<II", fitting, 0)

    def readdir(self, folder, body):
        _, offset, size = struct.unpack_from("<QQI", body)
        reply = b""
        for number, entry in list(enumerate(folder.entries.values(), start=1))[offset:]:
            name = entry.name.encode()
            kind = (stat.S_IFREG if entry.entries is None else stat.S_IFDIR) >> 12
            # The kernel does not know most entries; the number must not be 0, which means a free place.
            item = struct.pack("<QQII", entry.node or 1 << 31, number, len(name), kind) + name
            item += bytes(-len(item) % 8)
            if len(reply) + len(item) > size:
                break
            reply += item
        return reply

    def statfs(self, entry, body):
        free = self.volume.clusters - self.used
        return struct.pack("<5Q4I24x", self.volume.clusters, free, free, 0, 0, self.volume.cluster,
                           6 * LONGEST_NAME, self.volume.cluster, 0)

    def start(self, entry, body):
        major, minor, ahead, flags = struct.unpack_from("<4I", body)
        large_writes, several_pages = 1 << 5, 1 << 22
        flags &= large_writes | several_pages
        return struct.pack("<4IHHIIHH32x", 7, min(minor, 31), ahead, flags, 12, 9, LARGEST_WRITE, 1,
                           LARGEST_WRITE // 4096, 0)

    def succeed(self, entry, body):
        """Everything is in the store already."""

    def forget(self, node, count):
        entry = self.nodes[node]
        entry.lookups -= count
        if not entry.lookups and entry is not self.root:
            del self.nodes[node]
            entry.node = 0

    CALLS = {1: lookup, 3: getattr, 4: setattr, 8: mknod, 9: mkdir, 10: unlink, 11: unlink, 12: rename,
             13: link, 14: open, 15: read, 16: write, 17: statfs, 18: release, 20: succeed, 25: succeed,
             26: start, 27: open, 28: readdir, 29: release, 30: succeed, 38: succeed, 45: rename2,
             50: succeed}
    SYMLINK, FORGET, START, FORGET_SEVERAL = 6, 2, 26, 42

    def answer(self, message):
        """The reply to a message; None if it takes none."""
        _, call, unique, node, *_ = HEADER.unpack_from(message)
        body = message[HEADER.size:]
        if call == self.FORGET:
            return self.forget(node, struct.unpack_from("<Q", body)[0])
        if call == self.FORGET_SEVERAL:
            for at in range(8, len(body), 16):
                self.forget(*struct.unpack_from("<QQ", body, at))
            return None
        number, reply = 0, b""
        try:
            if self.is_pulled:
                raise Refused(errno.EIO)
            if call not in self.CALLS:
                raise Refused(errno.EPERM if call == self.SYMLINK else errno.ENOSYS)
            reply = self.CALLS[call](self, self.nodes.get(node), body) or b""
        except Refused as refused:
            number = refused.args[0]
        except OSError as problem:
            number = problem.errno
        return struct.pack("<IiQ", 16 + len(reply), -number, unique) + reply

    def serve(self, channel):
        """Answers until the volume is unmounted."""
        while True:
            try:
                message = os.read(channel, LARGEST_WRITE + 8192)
            except OSError as problem:
                if problem.errno == errno.ENODEV:
                    return
                # A call was interrupted before it was read.
                if problem.errno in (errno.ENOENT, errno.EINTR, errno.EAGAIN):
                    continue
                raise
            reply = self.answer(message)
            if reply is not None:
                try:
                    os.write(channel, reply)
                except OSError as problem:
                    # Whoever called is gone, or the volume is.
                    if problem.errno not in (errno.ENOENT, errno.ENODEV):
                        raise


def mount(device, point, channel):
    options = (f"fd={channel},rootmode=40000,user_id={os.getuid()},group_id={os.getgid()},"
               "default_permissions,allow_other,blksize=512")
    library = ctypes.CDLL(None, use_errno=True)
    flags = MS_NOSUID | MS_NODEV
    if library.mount(os.fsencode(device), os.fsencode(point), b"fuseblk", flags, options.encode()):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), point)


if __name__ == "__main__":
    DEVICE, STORE, POINT = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    driver = Driver(Volume(DEVICE))
    signal.signal(signal.SIGUSR1, lambda *_: setattr(driver, "is_pulled", True))
    CHANNEL = os.open("/dev/fuse", os.O_RDWR)
    mount(DEVICE, POINT, CHANNEL)
    driver.serve(CHANNEL)
