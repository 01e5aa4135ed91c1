"""Where the secrets are in the memory of a running process: read out of /proc/PID/mem, as someone would who may."""
import os
import re
import subprocess
import unittest

from vault import (PASSPHRASE, SECRET, SHIPPED, SHIPPED_ITERATIONS, CommandTest, environment, generated, skip_loudly,
                   slow, wait_until, wait_until_idle)
import write_container  # found by the line above
from cryptography.hazmat.primitives.ciphers.aead import AESGCM


def keys(header):
    """By their names, the secrets that a header leads to."""
    preamble, slot = header[:64], header[128:256]
    secret = write_container.pbkdf2(PASSPHRASE.encode(), slot[4:36], int.from_bytes(slot[:4]))
    file_key = AESGCM(secret[:32]).decrypt(slot[68:80], slot[80:], preamble + slot[:68])
    return {"key-encryption key": secret[:32], "file key": file_key,
            "header key": write_container.expand(file_key, b"healthvault/v1 header", 64),
            "segment input key": write_container.expand(file_key, b"healthvault/v1 segment", 32)}


class Memory:
    """All that a process can read and write of its memory, and which of it is locked and kept out of dumps."""

    def __init__(self, pid):
        self.regions, region = [], None
        with open(f"/proc/{pid}/smaps") as smaps, open(f"/proc/{pid}/mem", "rb", 0) as memory:
            for line in smaps:
                bounds = re.match(r"([0-9a-f]+)-([0-9a-f]+) (\S+)", line)
                if bounds:
                    start, end = int(bounds[1], 16), int(bounds[2], 16)
                    region = (start, end, "r" in bounds[3] and "[v" not in line)
                elif line.startswith("VmFlags:") and region and region[2]:
                    flags = line.split()[1:]
                    try:
                        memory.seek(region[0])
                        self.regions.append((memory.read(region[1] - region[0]), "lo" in flags and "dd" in flags))
                    except OSError:
                        pass

    def count(self, secret):
        """How often a secret occurs in memory that is locked, and how often elsewhere."""
        found = {True: 0, False: 0}
        for data, locked in self.regions:
            found[locked] += data.count(secret)
        return found[True], found[False]


class Secrets(CommandTest):
    def setUp(self):
        super().setUp()
        if os.geteuid():
            skip_loudly(self, "only root may read the memory of a process that forbids it")

    def start(self, *arguments):
        process = subprocess.Popen([SHIPPED, *map(str, arguments)], cwd=self.folder, env=environment(),
                                   stdin=subprocess.PIPE, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def await_header(self, process, text):
        """Feeds a document until the header is on the disk, and so the key derived; the process then waits for more.

        It derives the key while it waits for its input.
        """
        part = self.folder / "a.hvault.part"
        for start in range(0, len(text) * 9 // 10, 1 << 20):
            process.stdin.write(text[start:start + (1 << 20)])
            process.stdin.flush()
            wait_until_idle(process)
            header = part.read_bytes()[:4096] if part.exists() else b""
            if any(header[128:132]):
                return header
        self.fail("no header came")

    # SECURITY.md: "The passphrase of an export is wiped as soon as the key is derived"
    # SECURITY.md: "Passphrase and keys are kept in dedicated pages: locked against swapping, excluded from core dumps"
    def test_while_an_archive_is_written(self):
        text = slow().xml.read_bytes()
        process = self.start("export", "-", "-e", "-o", "a.hvault", *SHIPPED_ITERATIONS, "--passphrase-file", SECRET)
        header = self.await_header(process, text)
        memory = Memory(process.pid)
        self.assertGreater(sum(len(data) for data, _ in memory.regions), 10 << 20)
        self.assertGreater(memory.count(b"HKQuantityTypeIdentifier")[1], 0, "the look finds what is there")
        self.assertEqual(memory.count(PASSPHRASE.encode()), (0, 0), "the passphrase is gone")
        self.check_keys(memory, keys(header))

    def check_keys(self, memory, secrets):
        """The key out of the passphrase is gone; each of the others is there once, locked."""
        for name, secret in secrets.items():
            self.assertEqual(memory.count(secret), (0 if name == "key-encryption key" else 1, 0), name)

    # SECURITY.md: "Passphrase and keys are kept in dedicated pages: locked against swapping, excluded from core dumps"
    def test_while_a_new_passphrase_is_waited_for(self):
        """The archive is open then; the passphrase that opened it is gone."""
        (self.folder / "a.hvault").write_bytes(generated().archive.read_bytes())
        process = self.start("passphrase", "add", "a.hvault", "--passphrase-file", SECRET, "--new-passphrase-file", "-")
        secrets = keys((self.folder / "a.hvault").read_bytes()[:4096])
        wait_until(lambda: Memory(process.pid).count(secrets["header key"])[0])
        wait_until_idle(process)
        memory = Memory(process.pid)
        self.assertEqual(memory.count(PASSPHRASE.encode()), (0, 0))
        self.check_keys(memory, secrets)

    def test_the_look_finds_secrets_where_there_are_some(self):
        """A process that keeps them in ordinary memory is caught."""
        child = subprocess.Popen(["sh", "-c", f"secret='{PASSPHRASE}'; echo; read line"], stdin=subprocess.PIPE,
                                 stdout=subprocess.PIPE)
        child.stdout.readline()
        self.assertGreater(Memory(child.pid).count(PASSPHRASE.encode())[1], 0)
        child.communicate(b"\n")

    # SECURITY.md: "Core dumps are switched off, and other processes of the same user cannot attach"
    # SECURITY.md: "Passphrase and keys are kept in dedicated pages: locked against swapping, excluded from core dumps"
    def test_what_is_locked_and_what_is_allowed(self):
        process = self.start("export", "-", "-e", "-o", "a.hvault", *SHIPPED_ITERATIONS, "--passphrase-file", SECRET)
        self.await_header(process, slow().xml.read_bytes())
        with open(f"/proc/{process.pid}/status") as status, open(f"/proc/{process.pid}/limits") as limits:
            self.assertRegex(status.read(), r"VmLck:\s+[1-9]")
            self.assertRegex(limits.read(), r"Max core file size\s+0\s+0")
        # An ordinary user who owns the process may not look either: the files in /proc belong to root.
        self.assertEqual(os.stat(f"/proc/{process.pid}/mem").st_uid, 0)


if __name__ == "__main__":
    unittest.main()
