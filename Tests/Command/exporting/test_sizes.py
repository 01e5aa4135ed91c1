"""A small archive is no larger than the zip that the phone packed, although it has headers, an index and tags."""
import unittest

from vault import ENCRYPT, CommandTest, each, generated

# Below this, headers and padding weigh more than what better compression saves.
LEAST, ALLOWANCE = 100_000, 32 * 1024


class Sizes(CommandTest):
    @each(*((shape, size, years) for shape in ("ordinary", "watchAndPhone") for years in ("2", "10")
            for size in ("30kB", "100kB", "200kB", "300kB", "500kB", "1MB", "2MB")), ("newDevices", "1MB", "10"))
    def test_with_routes_and_electrocardiograms(self, variant):
        shape, size, years = variant
        self.check(generated(shape, "14", size, "--years", years))

    @each("300kB", "1MB", "2MB")
    def test_without_other_files(self, size):
        self.check(generated("ordinary", "14", size, "--side-files", "none"))

    def check(self, export):
        self.vault("export", export.zip, "-o", "a.hvault", *ENCRYPT)
        packed, encrypted = (path.stat().st_size for path in (export.zip, self.folder / "a.hvault"))
        self.assertLessEqual(encrypted, packed + (ALLOWANCE if packed < LEAST else 0))


if __name__ == "__main__":
    unittest.main()
