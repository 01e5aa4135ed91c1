"""The page's functions against the test kit, the text of SECURITY.md, libzstd, and crafted batches."""
import hashlib
import json
import random
import struct

import zstandard

from browser import PASSPHRASE, PASSPHRASE_BYTES, ROOT, PageTest, describe_vector, write_container
import test_reference

# Most archives have one salt, for which the key is derived once.
READ_EVERYTHING = """
  const derive = pbkdf2;
  const known = new Map();
  pbkdf2 = async (passphrase, salt, iterations) => {
    const key = `${hex(passphrase)} ${hex(salt)} ${iterations}`;
    if (!known.has(key)) known.set(key, await derive(passphrase, salt, iterations));
    return known.get(key).slice();
  };

  async function readEverything(blob, passphrase) {
    try {
      const archive = await Archive.withPassphrase(new ArchiveFile('archive', [blob]), passphrase);
      for (const file of archive.files) for (const entry of file.entries) await archive.payload.read(entry);
      let failure = null;
      await archive.segments.checkRest((error) => { failure ??= error; });
      if (failure) throw failure;
      return archive.warnings.filter((name) => name !== 'weakKdf').length > 0 ? 'success with warnings' : 'success';
    } catch (error) {
      return error.code ?? String(error.stack);
    }
  }
"""


class Containers(PageTest):
    # SECURITY.md: "The page for browsers checks what `decrypt` checks, and has its errors"
    def test_every_file_of_the_test_kit_is_judged_as_it_says(self):
        """With the program's own errors, not the less precise ones of the reader in Python."""
        paths = sorted((ROOT / "Fixtures" / "containers").iterdir())
        expected, cuts = {}, {}
        for path in paths:
            head, _ = path.read_bytes().split(b"\n\n", 1)
            fields = dict(line.split(": ", 1) for line in reversed(head.decode().splitlines()))
            expected[path.name], cuts[path.name] = fields["expect"], (len(head) + 2, fields["passphrase"])
        self.page.give(*paths)
        found = self.page.run(f"""(async () => {{ {READ_EVERYTHING}
          const found = {{}};
          for (const file of document.getElementById('handed').files) {{
            const [cut, passphrase] = given[0][file.name];
            found[file.name] = await readEverything(file.slice(cut), passphrase);
          }}
          return found; }})()""", cuts)
        self.assertEqual(found, expected)
        self.assertEqual(len(found), 216)

    # SECURITY.md: "The page for browsers checks what `decrypt` checks, and has its errors"
    def test_cases_of_the_text(self):
        refused = list(describe_vector.cases())
        allowed = list(describe_vector.allowed())
        paths = [self.write(f"{number:03}", data) for number, data in enumerate(
            [data for _, data, _, _ in refused] + [data for _, data, _ in allowed])]
        passphrases = [passphrase.decode() for _, _, passphrase, _ in refused] + [PASSPHRASE] * len(allowed)
        self.page.give(*paths)
        found = self.page.run(f"""(async () => {{ {READ_EVERYTHING}
          const found = [];
          for (const [i, file] of [...document.getElementById('handed').files].entries()) {{
            found.push(await readEverything(file, given[0][i]));
          }}
          return found; }})()""", passphrases)
        self.assertEqual(found, [says for _, _, _, says in refused] + ["success with warnings"] * len(allowed))

    # SECURITY.md: "Showing and saving a type reads the segments of its batches only"
    def test_opening_reads_slices(self):
        """Headers, the last segment and the index; then only the segments of what is wanted."""
        payload = [(f"records/T{number}/all.json.zst", write_container.frame(hashlib.shake_256(b"%d" % number).digest(900_000)))
                   for number in range(30)]
        path = self.write("large.hvault", write_container.build(
            [*payload, ("manifest.json.zst", write_container.frame(b'{"manifest":1}\n'))], PASSPHRASE_BYTES, 100_000))
        self.page.give(path)
        opened, one, size = self.page.run("""(async () => {
          const [blob] = document.getElementById('handed').files;
          const file = new ArchiveFile(blob.name, [blob]);
          const archive = await Archive.withPassphrase(file, given[0]);
          const opened = file.reads.bytes;
          await archive.content(archive.files[10].entries[0]);
          return [opened, file.reads.bytes - opened, file.size]; })()""", PASSPHRASE)
        self.assertGreater(size, 25_000_000)
        self.assertLess(opened, 200_000)
        self.assertLess(one, 1_000_000)

    def test_volumes_of_more_than_four_gigabytes(self):
        """Sparse ones: what lies behind the first 4 GB, and across the end of a volume, is read where it is."""
        marks = {5_000_000_000: b"behind five", 6_000_000_000 - 4: b"across the end"}
        first, second = self.folder / "a.hvault.001", self.folder / "a.hvault.002"
        with open(first, "wb") as one, open(second, "wb") as two:
            one.truncate(6_000_000_000)
            two.truncate(1_000_000)
            one.seek(5_000_000_000)
            one.write(b"behind five")
            one.seek(6_000_000_000 - 4)
            one.write(b"acro")
            two.write(b"ss the end")
        self.page.give(first, second)
        for at, text in marks.items():
            found = self.page.run("""(async () => {
              const { archives: [file] } = joinVolumes([...document.getElementById('handed').files].reverse());
              return [file.name, file.size, new TextDecoder().decode(await file.read(given[0], given[1]))]; })()""", at, len(text))
            self.assertEqual(found, ["a.hvault", 6_001_000_000, text.decode()])

    def test_passphrases_are_prepared(self):
        found = self.page.run("""given[0].map((text) => {
          try { return [...passphraseBytes(text)]; } catch (error) { return error.constructor.name; } })""",
                              ["e\u0301\u00a0\u3000x", "", "a\n", "a\x7f", "\ufeffx"])
        self.assertEqual(found, [list("\u00e9  x".encode()), *["PassphraseError"] * 3, list("\ufeffx".encode())])
        self.assertEqual(self.page.run("(() => { try { passphraseBytes('a\\ud800'); } catch (error) { return error.message; } })()"),
                         "the passphrase has half a character")


class Batches(PageTest):
    def rows(self, *texts):
        """What the page makes of batches: their lines, or the name of an error."""
        paths = [self.write(f"{number:04}", text) for number, text in enumerate(texts)]
        self.page.give(*paths)
        return self.page.run("""(async () => {
          const found = [];
          for (const file of document.getElementById('handed').files) {
            try {
              found.push(new TextDecoder().decode(ndjson(new Batch(new Uint8Array(await file.arrayBuffer())))));
            } catch (error) {
              found.push(error.code ?? String(error.stack));
            }
          }
          return found; })()""")

    def test_rows_come_out_byte_for_byte(self):
        """The batches of the reader in Python, and every mutation of them that it refuses."""
        batch, element = test_reference.BATCH, '"element":"MetadataEntry"'
        entry = test_reference.ROWS.replace('"Record"', '"MetadataEntry"').replace(
            '"attributes":[["startDate","2023-05-13T10:36:12+02:00"],["value","8"]],', "")
        self.assertEqual(self.rows(batch.encode(), batch.replace('"element":"Record"', element).encode()),
                         [test_reference.ROWS, entry])
        same = [batch.replace(old, new, 1).encode() for old, new in test_reference.BATCH_EQUIVALENTS]
        self.assertEqual(self.rows(*same), [test_reference.ROWS] * len(same))
        mutations = test_reference.BATCH_MUTATIONS
        found = self.rows(*(batch.replace(old, new, 1).encode() for old, new in mutations))
        self.assertEqual(dict(zip(mutations, found)), dict.fromkeys(mutations, "badContent"))

    def test_cases_of_the_text(self):
        batch = describe_vector.batch().decode()
        changed = [batch.replace(old, new, 1).encode() for old, new, _ in describe_vector.BATCH_CASES]
        for old, _, _ in describe_vector.BATCH_CASES:
            self.assertIn(old, batch)
        self.assertEqual(self.rows(*changed), ["badContent"] * len(changed))
        rows = [describe_vector.row_batch(layout, columns) for layout, columns, _ in describe_vector.ROW_CASES]
        self.assertEqual(self.rows(*rows), [describe_vector.row_line(members) for *_, members in describe_vector.ROW_CASES])


class Frames(PageTest):
    @staticmethod
    def contents():
        rng = random.Random(8)
        words = [rng.randbytes(rng.randrange(2, 9)) for _ in range(300)]
        yield from (b"", b"a", b"ab" * 70_000, bytes(400_000), rng.randbytes(200_000))
        for length in (10, 100, 1000, 20_000, 131_072, 131_073, 300_000):
            yield b" ".join(rng.choice(words) for _ in range(length // 6))
            yield bytes(min(255, int(rng.expovariate(0.05))) for _ in range(length))
        yield json.dumps([rng.randrange(200) for _ in range(60_000)]).encode()

    def judged(self, frames):
        """For each frame nothing, or SHA-256 and length of its content, and where it ends; and the slowest in seconds."""
        blob = b"".join(struct.pack("<I", len(frame)) + frame for frame in frames)
        self.page.give(self.write("frames", blob))
        return self.page.run("""(async () => {
          const [file] = document.getElementById('handed').files;
          const bytes = new Uint8Array(await file.arrayBuffer());
          const found = [];
          let slowest = 0;
          for (let at = 0; at < bytes.length;) {
            const length = new DataView(bytes.buffer).getUint32(at, true);
            const start = performance.now();
            try {
              const { content, end } = decompressFrame(bytes.slice(at + 4, at + 4 + length), 0, 2 ** 22);
              found.push([hex(await sha256(content)), end]);
            } catch (error) {
              found.push(error instanceof FrameError ? null : String(error.stack));
            }
            slowest = Math.max(slowest, performance.now() - start);
            at += 4 + length;
          }
          return [found, slowest / 1000]; })()""")

    @staticmethod
    def by_libzstd(frame):
        try:
            size = zstandard.frame_content_size(frame)
            if not 0 <= size <= 2**22:
                return None
            decompressor = zstandard.ZstdDecompressor().decompressobj()
            content = decompressor.decompress(frame)
            if not decompressor.eof or len(content) != size:
                return None
            return [hashlib.sha256(content).hexdigest(), len(frame) - len(decompressor.unused_data)]
        except zstandard.ZstdError:
            return None

    def test_frames_of_all_levels(self):
        frames = [zstandard.ZstdCompressor(level=level, write_checksum=bool(level % 2)).compress(content)
                  for content in self.contents() for level in (-5, 1, 2, 3, 5, 7, 9, 13, 16, 19, 22)]
        found, _ = self.judged(frames)
        self.assertEqual(found, [self.by_libzstd(frame) for frame in frames])
        self.assertNotIn(None, found)

    def test_mutated_frames(self):
        """Nothing is accepted that libzstd refuses, and nothing differs; some that libzstd lets pass are refused."""
        rng = random.Random(9)
        whole = [zstandard.ZstdCompressor(level=level).compress(content[:30_000])
                 for content in self.contents() if content for level in (1, 6, 19)]
        frames = []
        for _ in range(4000):
            frame = bytearray(rng.choice(whole))
            for _ in range(rng.choice((1, 1, 2, 5))):
                frame[rng.randrange(len(frame))] ^= 1 << rng.randrange(8)
            if rng.random() < 0.1:
                del frame[rng.randrange(4, len(frame)):]
            frames.append(bytes(frame))
        found, slowest = self.judged(frames)
        stricter = 0
        for frame, got in zip(frames, found):
            expected = self.by_libzstd(frame)
            if got is None:
                stricter += expected is not None
            else:
                self.assertEqual(got, expected)
        self.assertLess(stricter, 400)
        self.assertLess(slowest, 10)

    def test_frames_that_the_format_refuses(self):
        frame = zstandard.ZstdCompressor().compress(b"abc" * 999)
        unknown = zstandard.ZstdCompressor(write_content_size=False).compress(b"abc")
        skippable = b"\x50\x2a\x4d\x18\1\0\0\0x"
        found, _ = self.judged([b"", frame[:3], frame[:-1], unknown, skippable, skippable + frame, b"x" + frame, frame])
        self.assertEqual(found[:-1], [None] * 7)
        self.assertEqual(found[-1][1], len(frame))

    def test_several_frames(self):
        """As a batch has them: joined, each and all within their limits, and nothing else between or behind them."""
        frame = zstandard.ZstdCompressor().compress
        text, skippable = b"abc" * 999, b"\x50\x2a\x4d\x18\1\0\0\0x"
        sound = [frame(text), frame(text[:9]) + frame(text[9:]), frame(b"") + frame(text), frame(text) + frame(b"") * 1000,
                 b"".join(frame(text[at:at + 1]) for at in range(len(text)))]
        wrong = [b"", text, frame(text)[:-1], frame(text) + b"x", frame(text[:9]) + skippable + frame(text[9:]),
                 frame(text) + skippable, frame(text) + frame(b"x"), frame(text[:9]) + frame(text[9:])[:-1]]
        found = self.page.run("""given[0].map((digits) => {
          try {
            return hex(decompressFrames(fromHex(digits, digits.length), 2 ** 20, given[1]));
          } catch (error) {
            return error instanceof FrameError ? null : String(error.stack);
          } })""", [data.hex() for data in sound + wrong], len(text))
        self.assertEqual(found, [text.hex()] * len(sound) + [None] * len(wrong))
