"""Of an encrypted export nothing that could be read reaches a file: every byte that is written is looked at."""
import functools
import io
import itertools
import math
import random
import re
import subprocess
import tarfile
import unittest
from collections import Counter

from secrecy.frames import frames
from vault import OPEN, PASSPHRASE, SECRET, SHIPPED, SHIPPED_ENCRYPT, SHIPPED_ITERATIONS, TracedTest, dense, generated

HEADER = 4096
# All calls by which bytes get into a file; those behind the first line should not occur.
WRITES = ("write", "pwrite64", "writev")
OTHERS = ("pwritev", "pwritev2", "sendfile", "copy_file_range", "splice", "tee", "vmsplice", "io_uring_setup", "io_submit",
          "memfd_create", "sendto", "sendmsg", "process_vm_writev")
WRITE = re.compile(r'(write|pwrite64|writev)\(([0-9]+)<([^>]*)>(?:\(deleted\))?, (.*)')
QUOTED = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')
# The record of an export while it is unfinished: paths and times.
RECORD = re.compile(r"(.*/healthvault/sessions/)?export-[0-9a-f]{8}\.export\Z")
OPENING = re.compile(r'(openat|open|creat)\((?:(?:AT_FDCWD|[0-9]+)[^,]*, )?"([^"]*)", ([A-Z_|]+)')


@functools.cache
def texts(export):
    """What a reader of the source sees: values of attributes, and lines of the side files."""
    found = set(re.findall(rb'="([^"]{8,60})"', export.xml.read_bytes()))
    for path in export.folder.rglob("*"):
        if path.is_file() and path.name != "export.xml":
            found |= {line.strip()[:60] for line in path.read_bytes().split(b"\n") if len(line.strip()) > 10}
            found.add(path.name.encode())
    return sorted(found)


class WritingTest(TracedTest):
    """A test that looks at every byte that an export writes."""

    program = SHIPPED

    @classmethod
    def setUpClass(cls):
        cls.export = generated("uniqueMetadata", "14", "1MB")

    def written(self, *options, target=("-o", "a.hvault", *SHIPPED_ENCRYPT), source=None):
        """What was written to which path, as a list of (path, bytes, offset)."""
        result, lines = self.trace(
            ["-y", "-xx", "-s", "100000000", "-e", "trace=" + ",".join(WRITES + OTHERS), "-e", "signal=none"],
            "export", source or self.export.source, *target, *options)
        self.assertEqual(result.status, 0, result.stderr)
        pieces = []
        for line in lines:
            self.assertNotRegex(line, rf'\A({"|".join(OTHERS)})\(', "bytes leave by another way")
            call = WRITE.match(line)
            if call:
                data = b"".join(bytes.fromhex(text.replace("\\x", "")) for text in QUOTED.findall(call[4]))
                offset = re.search(r", ([0-9]+)\) += [0-9]+", call[4])
                path = bytes.fromhex(call[3].replace("\\x", "")).decode() if "\\x" in call[3] else call[3]
                pieces.append((path, data, int(offset[1]) if offset and call[1] == "pwrite64" else None))
        return pieces


class EncryptedExport(WritingTest):
    def archive_bytes(self, pieces):
        return [(data, offset) for path, data, offset in pieces if path.endswith("a.hvault.part")]

    def test_the_trace_holds_every_byte_of_the_archive(self):
        image = bytearray((self.folder / "a.hvault").stat().st_size if self.written_once() else 0)
        for data, offset in self.archive_bytes(self.pieces):
            image[offset:offset + len(data)] = data
        self.assertTrue(bytes(image) == (self.folder / "a.hvault").read_bytes())

    def written_once(self):
        self.pieces = self.written()
        return self.pieces

    # SECURITY.md: "With `--encrypt` none of the data is written to disk unencrypted"
    # SECURITY.md: "learn anything about the content: no type, date, count, name of a file or person"
    def test_nothing_of_the_source_is_written(self):
        for options in (), ("--json", "--progress", "json"), ("--quiet",):
            paths = {}
            for path, data, _ in self.written(*options):
                paths[path] = paths.get(path, b"") + data
            (self.folder / "a.hvault").unlink()
            files = {path: data for path, data in paths.items() if not path.startswith("pipe:")}
            records = [files.pop(path) for path in list(files) if RECORD.match(path)]
            for text in (PASSPHRASE.encode(), *texts(self.export)):
                self.assertNotIn(text, b"".join(records))
            data = b"".join(files.values())
            # With an event descriptor threads wake each other: eight bytes, which stay in the kernel.
            self.assertEqual({path.rpartition("/")[2] for path in files} - {"anon_inode:[eventfd]"}, {"a.hvault.part"})
            self.assertGreater(len(data), 100_000)
            self.assertEqual(frames(data), [])
            for text in (b"ustar", b"SQLite format", b"healthvault", b"session.json", b"HealthKit",
                         PASSPHRASE.encode(), *texts(self.export)):
                self.assertNotIn(text, data)

    # SECURITY.md: "learn anything about the content: no type, date, count, name of a file or person"
    def test_nothing_of_a_large_source_is_written(self):
        self.export = dense()
        paths = {path for path, _, _ in self.written() if not RECORD.match(path)} - {"anon_inode:[eventfd]"}
        self.assertEqual({path.rpartition("/")[2] for path in paths if not path.startswith("pipe:")}, {"a.hvault.part"})
        data = (self.folder / "a.hvault").read_bytes()
        self.assertGreater(len(data), 4_000_000)
        self.assertEqual(frames(data), [])
        for text in b"ustar\x0000", b"SQLite format", b"session.json", b"HealthKit", b"HKQuantityType":
            self.assertNotIn(text, data)
        blocks = [data[at:at + 16] for at in range(4096, len(data) - 4096, 16)]
        self.assertEqual(len(blocks), len(set(blocks)), "a block occurs twice")

    def test_plaintext_would_be_seen(self):
        """The proof itself: of a plain export the same look finds most of it; times, say, are written differently."""
        _, lines = self.trace(["-xx", "-s", "100000000", "-e", "trace=pwrite64"], "export", self.export.zip, "-o", "plain")
        data = bytes.fromhex("".join("".join(QUOTED.findall(line)) for line in lines).replace("\\x", ""))
        sought = texts(self.export)
        self.assertGreater(sum(text in data for text in sought), 0.4 * len(sought))

    def test_frames_would_be_seen(self):
        """Those that an archive encrypts, and whatever `zstd` is told to make."""
        with tarfile.open(fileobj=io.BytesIO(self.export.tar)) as file:
            stored = [file.extractfile(entry).read() for entry in file if entry.name.endswith(".zst")]
        self.assertGreater(len(stored), 1)
        for level, length, more in itertools.product(("-1", "-9", "--fast"), (0, 1, 255, 256, 70_000), ("-C", "--no-check")):
            for source, options in (b"a" * length, ()), (random.Random(1).randbytes(length), ("--no-content-size",)):
                stored.append(subprocess.run(["zstd", "-qc", level, more, *options], input=source, check=True,
                                             stdout=subprocess.PIPE).stdout)
        for frame in stored:
            self.assertIn(100, frames(b"\x28" * 100 + frame))

    # SECURITY.md: "With `--encrypt` none of the data is written to disk unencrypted"
    def test_the_messages_tell_nothing_but_numbers_and_paths(self):
        """Standard output and error go to logs; they name types and counts, never a value."""
        result, _ = self.trace(["-e", "trace=none"], "export", self.export.zip, "-o", "a.hvault", "--progress", "plain",
                               *SHIPPED_ENCRYPT)
        for text in set(re.findall(r' (?:sourceName|device|key|value)="([^"]{7,})"', self.export.xml.read_text())):
            self.assertNotIn(text, result.stderr + result.stdout.decode())

    # SECURITY.md: "learn anything about the content: no type, date, count, name of a file or person"
    def test_what_is_written_looks_like_chance(self):
        pieces = self.archive_bytes(self.written())
        headers = [data for data, _ in pieces if len(data) == HEADER and data.startswith(b"\x89HVLT")]
        self.assertEqual((len(headers), len(set(headers))), (2, 1))
        payload = b"".join(data for data, _ in pieces if data not in headers)
        counts = Counter(payload)
        entropy = -sum(count / len(payload) * math.log2(count / len(payload)) for count in counts.values())
        self.assertGreater(entropy, 7.99)
        blocks = [payload[at:at + 16] for at in range(0, len(payload) - 15, 16)]
        self.assertEqual(len(blocks), len(set(blocks)), "a block occurs twice")

    # SECURITY.md: "With `--encrypt` none of the data is written to disk unencrypted"
    def test_no_other_file_is_opened_for_writing(self):
        for command in (("export", self.export.zip, "-o", "a.hvault", *SHIPPED_ENCRYPT),
                        ("export", self.export.folder, "-o", "a.hvault", "--overwrite", *SHIPPED_ENCRYPT),
                        ("verify", "a.hvault", "--source", self.export.zip, *OPEN), ("inspect", "a.hvault", *OPEN),
                        ("decrypt", "a.hvault", "--tar", *OPEN)):
            result, lines = self.trace(["-e", "trace=openat,open,creat,openat2,mkdir,mkdirat,mknod,mknodat,link,linkat,"
                                        "symlink,symlinkat", "-e", "signal=none"], *command)
            self.assertEqual(result.status, 0, result.stderr)
            opened = set()
            for line in lines:
                call = OPENING.match(line)
                if not call:
                    self.assertRegex(line, r'\A(\+\+\+|strace|mkdirat\((AT_FDCWD|[0-9]+), "(.*/)?(state|healthvault|sessions)")',
                                     "another way to make a file")
                elif re.search("O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND|O_TMPFILE", call[3]) or call[1] == "creat":
                    opened.add(call[2])
            opened = {path for path in opened
                      if not path.startswith(("/dev/tty", "/dev/null", "/proc/")) and not RECORD.match(path)}
            self.assertEqual(opened, {"a.hvault.part"} if command[0] == "export" else set(), command)

    # SECURITY.md: "With `--encrypt` none of the data is written to disk unencrypted"
    def test_no_file_is_mapped_for_writing(self):
        result, lines = self.trace(["-e", "trace=mmap,mprotect", "-e", "signal=none"], "export", self.export.zip, "-o",
                                   "a.hvault", *SHIPPED_ENCRYPT)
        self.assertEqual(result.status, 0, result.stderr)
        for line in lines:
            self.assertNotRegex(line, r"PROT_WRITE.*MAP_SHARED")

    # SECURITY.md: "never from an argument or the environment"
    def test_the_passphrase_is_in_no_argument_and_no_environment(self):
        """Of the command itself and of every process that it starts."""
        result, lines = self.trace(["-v", "-s", "100000", "-e", "trace=execve,execveat"], "export", self.export.zip, "-o",
                                   "a.hvault", "-e", *SHIPPED_ITERATIONS, "--passphrase-command",
                                   f"cat '{SECRET}'")
        self.assertEqual(result.status, 0, result.stderr)
        self.assertGreater(len([line for line in lines if line.startswith("execve(")]), 2)
        self.assertNotIn(PASSPHRASE, "\n".join(lines))

    def test_the_passphrase_does_not_reach_the_command_s_child(self):
        """What a child inherits: no descriptor but the three standard ones."""
        self.vault("export", self.export.zip, "-o", "a.hvault", "-e", *SHIPPED_ITERATIONS, "--passphrase-command",
                   f"ls /proc/self/fd > fds; cat '{SECRET}'")
        self.assertLessEqual(set((self.folder / "fds").read_text().split()), {"0", "1", "2", "3"})

    # SECURITY.md: "Core dumps are switched off, and other processes of the same user cannot attach"
    def test_no_core_dump(self):
        result, lines = self.trace(["-e", "trace=prctl,prlimit64,setrlimit", "-e", "signal=none"], "export",
                                   self.export.zip, "-o", "a.hvault", *SHIPPED_ENCRYPT)
        self.assertEqual(result.status, 0, result.stderr)
        text = "\n".join(lines)
        self.assertRegex(text, r"PR_SET_DUMPABLE, (0|SUID_DUMP_DISABLE)")
        self.assertRegex(text, r"RLIMIT_CORE, (NULL, )?\{rlim_cur=0, rlim_max=0\}")


if __name__ == "__main__":
    unittest.main()
