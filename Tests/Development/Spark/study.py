"""Makes a study of generated archives, with a key ring of them and its key.

    study.py FOLDER --programs .build/tests/release --archives 1000 --size 40MB --sources 40

A few exports are generated and each is encrypted several times: archives of one source have other keys and identifiers, and the
same samples. The programs are those of the tests, whose archives take fewer iterations.
"""
import argparse
import datetime
import json
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PASSPHRASE = "correct horse battery staples"
#: As few as there may be.
ITERATIONS = "100000"


def instant(text):
    """A time of the command as Spark's, whose session has UTC."""
    return datetime.datetime.fromisoformat(text).astimezone(datetime.timezone.utc).replace(tzinfo=None)


def printed(number):
    """A number with the twelve digits of the command's reports."""
    return float(f"{number:.12g}")


class Study:
    """A folder `archives`, and beside it the passphrase, the ring and, in a folder of its own, the key."""

    def __init__(self, folder, programs):
        self.folder, self.programs = Path(folder).resolve(), Path(programs).resolve()
        self.archives = self.folder / "archives"
        self.secret, self.ring = self.folder / "passphrase", self.folder / "study.keyring"
        self.key = self.folder / "secrets" / "study.key"

    def run(self, program, *arguments, status=0):
        done = subprocess.run([str(self.programs / program), *map(str, arguments)], capture_output=True, text=True)
        assert done.returncode == status, f"{arguments}\n{done.stderr}"
        return done.stdout

    def ask(self, *arguments):
        """What the command answers, with the ring, so that a hundred questions take no derivation."""
        return self.run("healthvault-test-main", *arguments, "--keyring", self.ring, "--key-file", self.key)

    def path(self, number):
        return self.archives / f"{number:06}.hvault"

    def make(self, archives, size="1MB", sources=None, shape="watchAndPhone", options=()):
        """Makes archives that are not there yet; the censuses of their sources, by number."""
        self.archives.mkdir(parents=True, exist_ok=True)
        self.key.parent.mkdir(exist_ok=True)
        self.secret.write_text(PASSPHRASE)
        self.secret.chmod(0o600)
        sources = min(archives, sources or archives)
        with ThreadPoolExecutor(2) as pool:
            for seed in range(1, sources + 1):
                numbers = [number for number in range(seed, archives + 1, sources) if not self.path(number).exists()]
                if not numbers:
                    continue
                export = self.generate(seed, size, shape, options)
                list(pool.map(lambda number: self.encrypt(export, self.path(number)), numbers))
                shutil.rmtree(export)

    def generate(self, seed, size, shape, options):
        export = self.folder / f"export-{seed}"
        shutil.rmtree(export, ignore_errors=True)
        census = self.run("healthvault-generate", "--output", export, "--size", size, "--seed", seed, "--shape", shape,
                          "--side-files", "none", "--years", 1, "--census", *options)
        (self.folder / f"census-{seed}.json").write_text(census)
        return export

    def census(self, seed):
        return json.loads((self.folder / f"census-{seed}.json").read_text())

    def encrypt(self, export, archive):
        self.run("healthvault-test-main", "export", export, "--encrypt", "-o", archive, "--iterations", ITERATIONS,
                 "--passphrase-file", self.secret, "--jobs", 1, "--quiet")

    def make_ring(self, *options):
        return json.loads(self.run(
            "healthvault-test-main", "keyring", "make", self.archives, "-o", self.ring, "--key-file", self.key,
            "--passphrase-file", self.secret, "--overwrite", "--json", *options))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--programs", required=True)
    parser.add_argument("--archives", type=int, required=True)
    parser.add_argument("--size", default="1MB")
    parser.add_argument("--sources", type=int)
    given = parser.parse_args()
    made = Study(given.folder, given.programs)
    made.make(given.archives, given.size, given.sources)
    print(made.make_ring())
