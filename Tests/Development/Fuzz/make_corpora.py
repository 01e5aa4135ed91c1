#!/usr/bin/env python3
"""Makes what the fuzzer starts from: small inputs of every kind, generated, in a folder for each target.

    make_corpora.py OUTDIR

OUTDIR/container.hvault is the container that those of the targets `container` and `recover` are changed from. The
programs are those of .build/release.
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "Tests" / "Readers" / "Python"))
import odd_zips  # noqa: E402  (found by the line above)
import write_container  # noqa: E402
import zstandard  # noqa: E402

RELEASE = ROOT / ".build" / "release"
PASSPHRASE = b"a passphrase for the fuzzer"
VERSIONS = ("3", "8", "11", "12", "13", "14", "none")
SHAPES = ("ordinary", "shuffled", "manyTypes", "uniqueMetadata", "newDevices", "watchAndPhone")


def put(folder, name, data):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data if isinstance(data, bytes) else data.encode())


def container(members, **more):
    return write_container.build(members, PASSPHRASE, 100_000, 1, write_container.seeded(7), **more)


def containers(out):
    frame = zstandard.ZstdCompressor(write_content_size=True).compress
    members = [("session.json", b"{}"), ("records/X/all.json.zst", frame(bytes(range(256)) * 40)),
               ("files/a.zst.0000", write_container.seeded(1)(20_000)), ("files/a.zst.0001", b"end"),
               ("bundles/0000.tar.zst", [("records/X/1.json", b"{}" * 300), ("files/b", write_container.seeded(2)(2000))]),
               ("manifest.json.zst", frame(b"{}" + write_container.seeded(3)(9000)))]
    base = container(members)
    (out / "container.hvault").write_bytes(base)
    full, body = 16400 + 72, base[4096:-4096]
    segments = [body[start:start + full] for start in range(0, len(body), full)]
    swapped = b"".join([segments[1], segments[0], *segments[2:]])
    for name, data in {"base": base, "swapped": base[:4096] + swapped + base[-4096:], "cut": base[:30_000],
                       "no-trailer": base[:-4096], "zeroed": base[:20_000] + bytes(4096) + base[24_096:]}.items():
        put(out / "container", name, data)
        put(out / "recover", name, data)
    put(out / "header", "base", base[:4096])
    stream, entries = write_container.tar(members, 0)
    put(out / "tar", "base", stream)
    long = [("n" * 150 + "/" + "ü" * 40, b"1"), ("b", b"2" * 600)]
    put(out / "tar", "pax", write_container.tar(long, 12345)[0])
    index = {"version": 1, "tool": "t", "created": "c", "salts": ["00" * 24], "entries": entries}
    put(out / "index", "base", json.dumps(index))
    put(out / "index", "batch", json.dumps(index | {"entries": [entries[0] | {"type": "X", "count": 1, "first": "2020"}]}))
    text = json.dumps(index).encode()
    put(out / "index", "frames", frame(text[:300]) + frame(text[300:]))


def batches(out):
    for shape in SHAPES:
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)

            def run(*command):
                subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

            run(RELEASE / "healthvault-generate", "-o", "e.zip", "--size", "1MB", "--shape", shape)
            (folder / "p").write_bytes(PASSPHRASE)
            run(RELEASE / "healthvault", "export", "e.zip", "-e", "-o", "e.hvault", "--passphrase-file", "p")
            run(RELEASE / "healthvault", "decrypt", "e.hvault", "--stored", "-o", "stored", "--passphrase-file", "p")
            run(RELEASE / "healthvault", "export", "e.zip", "-o", "plain")
            small = [path for path in sorted((folder / "stored" / "records").rglob("*.json*"))
                     if path.stat().st_size < (900 if path.suffix == ".zst" else 3000)]
            for number, path in enumerate(small[:60]):
                data = path.read_bytes()
                put(out / "batch", f"{shape}-{number}",
                    zstandard.ZstdDecompressor().stream_reader(data, read_across_frames=True).read()
                    if path.suffix == ".zst" else data)
            lines = [path for path in sorted((folder / "plain" / "records").rglob("*.ndjson")) if path.stat().st_size < 3000]
            for number, path in enumerate(lines[:60]):
                put(out / "ndjson", f"{shape}-{number}", path.read_bytes())
                put(out / "samples", f"{shape}-{number}", path.read_bytes())
            for number, path in enumerate(sorted((folder / "plain").rglob("electrocardiograms/*.csv"))[:5]):
                lines_of_file = path.read_bytes().split(b"\n")
                put(out / "electrocardiogram", f"{shape}-{number}", b"\n".join(lines_of_file[:25]))
            manifest = json.loads((folder / "plain" / "manifest.json").read_bytes())
            put(out / "manifest", shape, json.dumps(manifest | {"batches": manifest["batches"][:5]}))


def documents(out):
    for version in VERSIONS:
        for shape in SHAPES:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "e.xml"
                subprocess.run([RELEASE / "healthvault-generate", "-o", path, "--size", "1MB", "--shape", shape, "--dtd",
                                version, "--side-files", "none"], check=True, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
                lines = path.read_text().split("\n")
            head = next(number for number, line in enumerate(lines) if line.startswith("<HealthData")) + 1
            # A little of everything: the first rows, and some from all over the document.
            rows, depth = [[]], 0
            for line in lines[head:-2]:
                rows[-1].append(line)
                depth += line.count("<") - 2 * line.count("</") - line.count("/>")
                if depth == 0:
                    rows.append([])
            chosen = [line for row in rows[:: max(1, len(rows) // 25)] for line in row]
            put(out / "scanner", f"{version}-{shape}", "\n".join(lines[:head][-3:] + chosen + ["</HealthData>", ""]))
    for name, data, _, _ in odd_zips.cases():
        put(out / ("scanner" if name.endswith(".xml") else "zip"), name, data)


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: make_corpora.py OUTDIR")
    out = Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    containers(out)
    batches(out)
    documents(out)


if __name__ == "__main__":
    main()
