"""What the Python package says when something is wrong, and how its objects behave."""
import importlib.util
import os
import pickle
import shutil
import subprocess
import sys
import threading
import unittest

from package import FOLDER, PASSPHRASE, package, study
from streams import decoded


class Errors(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.healthvault = package()

    def test_an_unknown_type_suggests_one(self):
        archive = study().open()
        for call in (lambda: archive.samples("hartRate"), lambda: archive.statistics("hartRate"),
                     lambda: archive.batches("hartRate")):
            with self.assertRaises(KeyError) as raised:
                call()
            self.assertIsInstance(raised.exception, self.healthvault.UnknownNameError)
            self.assertEqual(str(raised.exception),
                             "unknown sample type 'hartRate'\ndid you mean 'heartRate'?")
        with self.assertRaises(KeyError) as raised:
            archive.samples("heartRate", columns=["valeu"])
        self.assertIn("did you mean 'value'?", str(raised.exception))

    def test_wrong_arguments(self):
        archive = study().open()
        for call in (lambda: archive.samples(since="soon"), lambda: archive.statistics(by="decade"),
                     lambda: archive.samples(part=2, parts=2), lambda: archive.statistics("sleepAnalysis"),
                     lambda: self.healthvault.open("x"), lambda: self.healthvault.open("x", "a", passphrase_file="b"),
                     lambda: self.healthvault.open("x", keyring="y"), lambda: self.healthvault.open("x\0y", "a"),
                     lambda: archive.samples("heartRate\0"), lambda: archive.samples(since="2024\0")):
            self.assertRaises(ValueError, call)

    def test_values_of_another_kind_say_what_to_give(self):
        archive = study().open()
        for call, said in (
                (lambda: archive.samples(["heartRate"]), "give names one by one, samples('heartRate', 'stepCount')"),
                (lambda: archive.samples(None), "None is no name of a type"),
                (lambda: archive.statistics(("stepCount",)), "is no name of a type"),
                (lambda: archive.samples(since=2025), "2025 is no time: give a text such as '2025'"),
                (lambda: archive.sleep(until=20250101), "20250101 is no time"),
                (lambda: archive.samples(columns="value"), "columns='value': give a list of names, ['value']")):
            with self.assertRaises(TypeError) as raised:
                call()
            self.assertIn(said, str(raised.exception))

    def test_previews(self):
        archive = study().open()
        types = archive.types()
        rows = types.to_pydict()
        lines = repr(types).splitlines()
        self.assertEqual(lines[0], "<healthvault types>")
        self.assertEqual(lines[1].split(), ["type", "name", "count", "first", "last"])
        self.assertEqual(lines[2].split()[:3], [rows["type"][0], rows["name"][0], str(rows["count"][0])])
        self.assertEqual((len(lines), lines[-1]), (8, "..."))
        self.assertIn(f"<td>{rows['type'][9]}</td>", types._repr_html_())
        self.assertNotIn(rows["type"][10], types._repr_html_())
        self.assertEqual(len(types), len(rows["type"]))
        nothing = archive.samples("heartRate", since="2099")
        self.assertEqual((len(nothing), bool(nothing)), (0, True))
        self.assertEqual(repr(nothing).splitlines()[1:], ["type  startDate  endDate  value  valueText  unit  sourceName", "no rows"])
        recordings = archive.ecg()
        self.assertRegex(repr(recordings), r"\[[0-9]+,[0-9]{3} values\]")
        samples = archive.samples("heartRate")
        self.assertEqual(len(samples), len(samples.to_pydict()["startDate"]))
        archive.close()
        self.assertEqual(repr(types), "<healthvault types>")

    def test_data_frames_need_two_packages(self):
        archive = study().open()
        if importlib.util.find_spec("pyarrow") and importlib.util.find_spec("pandas"):
            self.assertEqual(list(archive.types().to_pandas()["count"]), archive.types().to_pydict()["count"])
        else:
            with self.assertRaises(ImportError) as raised:
                archive.types().to_pandas()
            self.assertIn("to_pandas needs pandas and pyarrow", str(raised.exception))

    def test_errors_of_opening_have_no_passphrase(self):
        made = study()
        cases = [
            (self.healthvault.WrongPassphraseError, 12, made.path, dict(passphrase="not the passphrase 7")),
            (self.healthvault.NotFoundError, 10, made.folder / "missing", dict(passphrase="not the passphrase 7")),
            (self.healthvault.NotFoundError, 10, made.path, dict(passphrase_file=made.folder / "missing")),
            (self.healthvault.KeyRingError, None, made.path, dict(keyring=made.ring, key_file=made.secret)),
            (self.healthvault.Error, None, made.secret, dict(passphrase="not the passphrase 7")),
        ]
        for kind, status, path, options in cases:
            with self.assertRaises(kind) as raised:
                self.healthvault.open(path, **options)
            if status:
                self.assertEqual(raised.exception.status, status)
            for secret in "not the passphrase 7", PASSPHRASE:
                self.assertNotIn(secret, str(raised.exception) + repr(raised.exception))
            copy = pickle.loads(pickle.dumps(raised.exception))
            self.assertEqual((type(copy), str(copy)), (type(raised.exception), str(raised.exception)))

    def test_paths_are_bytes(self):
        """With another character in the place of each byte that is not UTF-8, two files would have one name."""
        made = study()
        folder = os.path.join(os.fsencode(made.folder), b"\xff\xfe")
        os.mkdir(folder)
        path, secret, ring, key = (
            shutil.copy(os.fsencode(file), os.path.join(folder, name))
            for file, name in ((made.path, b"\xe4.hvault"), (made.secret, b"\xf6"), (made.ring, b"\xfc.keyring"),
                               (made.key, b"\xdf.key")))
        count = len(made.open().types().to_pydict()["type"])
        for options in (dict(passphrase=PASSPHRASE), dict(passphrase_file=secret), dict(keyring=ring, key_file=key)):
            for name in path, os.fsdecode(path):
                self.assertEqual(len(self.healthvault.open(name, **options).types().to_pydict()["type"]), count)
        # A command is text for the shell.
        with self.assertRaises(ValueError):
            self.healthvault.open(path, passphrase_command=b"cat " + secret)

    def test_a_damaged_batch_is_an_error_in_the_stream(self):
        made = study()
        content = bytearray(made.path.read_bytes())
        # The header is at the beginning, the index at the end.
        for place in range(8192, len(content) - 65536, 4096):
            content[place] ^= 1
        path = FOLDER / "damaged.hvault"
        path.write_bytes(content)
        archive = self.healthvault.open(path, keyring=made.ring, key_file=made.key)
        for threads in 0, 1, 3:
            table = archive.samples(threads=threads)
            with self.assertRaises(OSError) as raised:
                decoded(table)
            self.assertIn("damaged.hvault", str(raised.exception))
            self.assertRaises(OSError, table.to_pydict)

    def test_a_replaced_file_is_read_as_it_was_opened(self):
        made = study()
        path = FOLDER / "replaced.hvault"
        shutil.copy(made.path, path)
        archive = self.healthvault.open(path, keyring=made.ring, key_file=made.key)
        before = decoded(archive.samples("heartRate"))
        other = FOLDER / "other"
        other.write_bytes(os.urandom(100_000))
        os.replace(other, path)
        self.assertEqual(decoded(archive.samples("heartRate")), before)
        path.unlink()
        self.assertEqual(decoded(archive.samples("heartRate")), before)

    def test_a_truncated_file_is_an_error(self):
        made = study()
        path = FOLDER / "truncated.hvault"
        shutil.copy(made.path, path)
        archive = self.healthvault.open(path, keyring=made.ring, key_file=made.key)
        os.truncate(path, 8192)
        self.assertRaises(OSError, lambda: decoded(archive.samples()))


class Objects(unittest.TestCase):
    def test_a_capsule_that_nobody_reads_is_destroyed(self):
        table = study().open().samples("heartRate")
        before = len(os.listdir("/proc/self/fd"))
        for _ in range(200):
            table.__arrow_c_stream__()
        self.assertEqual(len(os.listdir("/proc/self/fd")), before)

    def test_a_closed_archive(self):
        with study().open() as archive:
            table = archive.samples("heartRate")
            capsule = table.__arrow_c_stream__()
        self.assertIn("closed", repr(archive))
        self.assertRaises(ValueError, table.to_pydict)
        # What has been opened is read to its end.
        self.assertTrue(decoded(capsule)["value"])

    def test_tables_on_many_threads(self):
        archive = study().open()
        expected = decoded(archive.samples("heartRate"))
        found = []
        threads = [threading.Thread(target=lambda: found.append(decoded(archive.samples("heartRate")))) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, [expected] * 8)

    def test_a_forked_child_opens_anew(self):
        archive = study().open()
        decoded(archive.samples())
        child = os.fork()
        if not child:
            status = 1
            try:
                try:
                    archive.samples("heartRate")
                except package().Error as error:
                    assert "again" in str(error), error
                    assert decoded(study().open().samples("heartRate"))["value"]
                    status = 0
            finally:
                os._exit(status)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertTrue(decoded(archive.samples("heartRate"))["value"])

    def test_an_interrupt_ends_reading(self):
        """The library's threads handle no signals: Python's main thread sees Ctrl-C, between two arrays."""
        made = study()
        program = f"""
import os, signal, sys
sys.path[:0] = {[str(FOLDER / 'package'), os.path.dirname(os.path.abspath(__file__))]!r}
import healthvault, streams
# A program that is started in the background ignores Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)
archive = healthvault.open({str(made.path)!r}, keyring={str(made.ring)!r}, key_file={str(made.key)!r})
try:
    for count, _ in enumerate(streams.arrays(archive.samples(threads=3))):
        if count == 3:
            os.kill(os.getpid(), signal.SIGINT)
except KeyboardInterrupt:
    print(count, flush=True)
    print(len(os.listdir("/proc/self/task")) if streams.decoded(archive.sleep()) else "")
"""
        package()
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=600)
        self.assertEqual((done.returncode, done.stdout.split()[:1]), (0, ["3"]), done.stderr)

    def test_names_are_told(self):
        archive = study().open()
        self.assertEqual(repr(archive.samples("heartRate", since="2024")).splitlines()[0],
                         "<healthvault samples types=('heartRate',) since='2024'>")


if __name__ == "__main__":
    unittest.main()
