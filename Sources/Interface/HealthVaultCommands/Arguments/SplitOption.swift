import CommandLineKit
import HealthVault
import SystemIO

extension ValueParser where Value == VolumeRule {
    /// The size of the files into which an archive is split: `4GiB`, `650MB` or a number of bytes.
    static var volumes: Self {
        Self(expected: "a size of at least 64 KiB such as 650MB or 4GiB") { text in
            let digits = text.prefix { $0.isASCII && $0.isNumber }
            let unit = units[String(text.dropFirst(digits.count))]
            guard let number = Int(digits), let unit, number <= Int.max / unit,
                number * unit >= VolumeRule.smallest
            else { return nil }
            return VolumeRule(size: number * unit)
        }
    }

    private static var units: [String: Int] {
        [
            "": 1, "kB": 1000, "MB": 1_000_000, "GB": 1_000_000_000, "KiB": 1 << 10, "MiB": 1 << 20,
            "GiB": 1 << 30,
        ]
    }
}
