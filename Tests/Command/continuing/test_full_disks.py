"""Exports to a disk that fills up, and gets room again."""
import json
import os
import unittest

from named_exports import Sessions
from vault import ENCRYPT, OPEN, dense, run, skip_loudly


class FullDisks(Sessions):
    def test_a_folder_on_a_disk_that_fills_up_and_gets_room_again(self):
        self.fill_up(encrypt=False)

    def test_an_archive_on_a_disk_that_fills_up_and_gets_room_again(self):
        self.fill_up(encrypt=True)

    def fill_up(self, encrypt):
        if os.geteuid() != 0:
            skip_loudly(self, "only root can mount a small disk")
        disk = self.folder / "disk"
        disk.mkdir()
        if run("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", disk).status != 0:
            skip_loudly(self, "a small disk cannot be mounted here")
        self.addCleanup(run, "umount", "--lazy", disk)
        target = disk / ("x.hvault" if encrypt else "plain")
        options = list(map(str, ENCRYPT)) if encrypt else []
        self.export = dense()
        arguments = ["export", self.export.xml, "-o", target, *self.state, *options]
        result = self.vault(*arguments, status=15)
        self.assertIn("no space", result.stderr)
        self.assertIn("resume with the same command", result.stderr)
        self.assertFalse(target.exists())
        self.assertEqual(run("mount", "-o", "remount,size=900m", disk).status, 0)
        report = json.loads(self.vault(*arguments, "--json").stdout)
        self.assertGreater(report["resumedBytes"], 1 << 20)
        self.vault("verify", target, "--source", self.export.xml, *(OPEN if encrypt else ()))


if __name__ == "__main__":
    unittest.main()
