"""How the peak of memory grows with the export: it should not."""
import shutil
import sys

from commands import Vault
from exports import Export
from report import table
from rounds import Failure, remove

MIB = 1 << 20
SIZES = 100, 1000, 10_000


def measure_memory(stopwatch, tools, folder, sizes=SIZES):
    """The peaks in bytes, by command and megabytes of XML. Everything happens on disk, one size after the other."""
    # The zip, an archive, and a plain folder somewhat larger than the XML.
    needed = max(sizes) * 1_300_000
    if shutil.disk_usage(folder).free < needed:
        raise Failure(f"{folder} has no room for {needed / 1e9:.1f} GB")
    peaks = {}
    for size in sizes:
        export = Export("document", size, folder / f"memory{size}", tools)
        vault = Vault(export, tools, export.folder)
        encrypt = vault.encrypt("encryptZip", export.zip)
        for command in encrypt, vault.verify("verify", encrypt.output), vault.decrypt("decrypt", encrypt.output):
            peaks.setdefault(command.name, {})[str(size)] = stopwatch.run(command).peak
        remove(export.folder)
        print(f"memory: {size} MB done", file=sys.stderr, flush=True)
    return peaks


def memory_lines(peaks):
    sizes = list(next(iter(peaks.values())))
    rows = [[f"{size} MB" for size in sizes] + ["peak of memory in MiB with two jobs, by size of the XML"]]
    rows += [[f"{peak / MIB:.1f}" for peak in by_size.values()] + [name] for name, by_size in peaks.items()]
    yield from table(rows, right=range(len(sizes)))
