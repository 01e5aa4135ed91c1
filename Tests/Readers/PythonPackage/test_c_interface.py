"""The C interface: a C program under the sanitizers, and what the library exports."""
import os
import re
import shutil
import subprocess
import unittest
from pathlib import Path

from package import FOLDER, ROOT, instant, library, package, run, samples, study

HERE = Path(__file__).resolve().parent


class Client(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sanitized = cls.compile("sanitized", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
        cls.plain = cls.compile("plain")
        cls.facts = FOLDER / "facts"
        lines = []
        for type in package().open(study().path, passphrase_file=study().secret).types().to_pydict()["type"]:
            found = samples(type)
            total = sum(sample["value"] for sample in found if isinstance(sample.get("value"), (int, float)))
            first = min([int(instant(sample["startDate"]).timestamp()) for sample in found if "T" in sample["startDate"]], default=0)
            lines.append(f"{type} {len(found)} {total!r} {first * 1_000_000}\n")
        cls.facts.write_text("".join(lines))

    @staticmethod
    def compile(name, *options):
        program = FOLDER / name
        run("gcc", "-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-g", "-O1", "-fno-omit-frame-pointer", *options,
            "-I", library(), HERE / "client.c", "-o", program, library() / "libhealthvault.so", f"-Wl,-rpath,{library()}",
            "-lm", "-lpthread")
        return program

    def check(self, name, program=None):
        made = study()
        # Swift keeps bits of its own in some pointers, which the leak sanitizer takes for none: the client counts bytes instead.
        environment = dict(os.environ, ASAN_OPTIONS="detect_leaks=0", SWIFT_BACKTRACE="enable=no")
        done = subprocess.run([program or self.sanitized, name, made.path, made.secret, made.ring, made.key, self.facts],
                              capture_output=True, text=True, env=environment)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_every_stream_has_the_values_of_the_command(self):
        self.check("walk")

    def test_hundreds_of_abandoned_streams_leak_nothing(self):
        self.check("abandon")

    def test_errors_have_the_statuses_and_messages_of_the_command(self):
        self.check("errors")

    def test_a_child_opens_anew(self):
        # The sanitizer's own malloc may be locked in a child of a process with threads, and stays so: glibc's is not.
        self.check("children", self.plain)

    def test_threads_share_an_archive(self):
        self.check("together")


class Library(unittest.TestCase):
    def test_exports_only_its_functions(self):
        lines = run("nm", "-D", "--defined-only", library() / "libhealthvault.so").splitlines()
        names = {line.split()[-1] for line in lines}
        declared = {f"hv_{name}" for name in (
            "abi_version", "open", "close", "types", "batches", "samples", "statistics", "sleep", "workouts", "rings",
            "routes", "electrocardiograms", "destroy_capsule")}
        self.assertEqual(names, declared)

    def test_the_example_of_the_page(self):
        page = (ROOT / "Sources/Interface/HealthVault/HealthVault.docc/CInterface.md").read_text()
        source, program, folder = FOLDER / "example.c", FOLDER / "example", FOLDER / "work"
        source.write_text(re.search(r"^```c\n(.*?)^```", page, re.DOTALL | re.MULTILINE)[1])
        run("gcc", "-Wall", "-Werror", "-I", library(), source, "-o", program, library() / "libhealthvault.so",
            f"-Wl,-rpath,{library()}")
        folder.mkdir()
        shutil.copy(study().path, folder / "health.hvault")
        shutil.copy(study().secret, folder / "passphrase.txt")
        self.assertEqual(run(program, cwd=folder), f"{len(samples('heartRate'))} heart rates\n")

    def test_the_header_is_one_for_c_and_for_cpp(self):
        for options in ["-x", "c", "-std=c99"], ["-x", "c++", "-std=c++11"]:
            run("gcc", *options, "-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only", library() / "healthvault.h")


if __name__ == "__main__":
    unittest.main()
