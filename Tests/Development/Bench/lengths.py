"""How large archives are of exports of growing length: what is the same in all of them weighs in short ones."""
import shutil

from commands import ENCRYPT
from exports import Export

# Megabytes of XML.
LENGTHS = 1, 12, 40, 100


def archive_sizes(tools, folder):
    """By megabytes of XML, the bytes of the archive and of its zip; the document alone, over ten years."""
    sizes = {}
    for length in LENGTHS:
        export = Export("document", length, folder / f"length-{length}", tools)
        archive = export.folder / "length.hvault"
        export.prepare(tools["healthvault"], "export", export.zip, *ENCRYPT, "--quiet", *export.passphrase,
                       "--output", archive)
        sizes[length] = {"archiveBytes": archive.stat().st_size, "zipBytes": export.zip.stat().st_size}
        shutil.rmtree(export.folder)
    return sizes
