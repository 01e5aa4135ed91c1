"""Zips by hand: members that no library would write."""
import struct
import zlib

TOP = "apple_health_export/"


def local(name, data, checksum, length, method):
    return struct.pack("<4s5H3L2H", b"PK\3\4", 20, 0, method, 0, 0x5800, checksum, len(data), length, len(name), 0) + name + data


def central(name, data, checksum, length, method, offset):
    return struct.pack("<4s6H3L5H2L", b"PK\1\2", 20, 20, 0, method, 0, 0x5800, checksum, len(data), length, len(name), 0, 0,
                       0, 0, 0, offset) + name


def closed(out, entries):
    directory = b"".join(entries)
    return out + directory + struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, len(entries), len(entries), len(directory), len(out), 0)


def write_stored(path, members):
    out, entries = bytearray(), []
    for name, data in members:
        entries.append(central(name, data, zlib.crc32(data), len(data), 0, len(out)))
        out += local(name, data, zlib.crc32(data), len(data), 0)
    path.write_bytes(closed(bytes(out), entries))
