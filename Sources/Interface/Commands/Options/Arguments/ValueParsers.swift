package import CommandLineKit
import HealthVault
package import SystemIO

extension ValueParser<BytePath> {
    /// The path of a file or folder; `-` is accepted, and may mean a stream.
    package static var file: ValueParser<BytePath> {
        Self(expected: "a path", completion: .files) { $0.isEmpty ? nil : BytePath($0) }
    }

    /// The path of a folder.
    package static var folder: ValueParser<BytePath> {
        Self(expected: "a folder", completion: .folders) { $0.isEmpty ? nil : BytePath($0) }
    }
}

extension ValueParser where Value == String {
    /// The name of a destination.
    package static var destination: Self {
        Self(expected: "the name of a destination", completion: .names(destinations)) { $0 }
    }

    /// The name of a session.
    package static var session: Self {
        Self(expected: "the name of a session", completion: .names(sessions)) { $0 }
    }

    private static func destinations() -> [String] {
        (try? ConfigurationOption().destinations.all().map(\.name)) ?? []
    }

    private static func sessions() -> [String] {
        (try? StateFolderOption().records().all().map(\.record.identifier.text)) ?? []
    }
}

extension ValueParser where Value == Int {
    /// A length of time in seconds: `6h`, `90m`, `6h30m`.
    package static var duration: Self {
        Self(expected: "a length of time such as 6h, 90m or 6h30m") { text in
            var (seconds, digits) = (0, "")
            var units: [Character: Int] = ["h": 3600, "m": 60]
            for character in text {
                if character.isASCII, character.isNumber, digits.count < 6 {
                    digits.append(character)
                } else {
                    guard let length = units.removeValue(forKey: character), let count = Int(digits) else {
                        return nil
                    }
                    // Hours come first.
                    units["h"] = nil
                    seconds += count * length
                    digits = ""
                }
            }
            return digits.isEmpty && seconds > 0 ? seconds : nil
        }
    }
}

extension ValueParser<VolumeRule> {
    /// The size of the files into which an archive is split: `4GiB`, `650MB` or a number of bytes.
    package static var volumes: ValueParser<VolumeRule> {
        ValueParser<Int>.byteCount(
            atLeast: VolumeRule.smallest, expected: "a size of at least 64 KiB such as 650MB or 4GiB"
        ).map { VolumeRule(size: $0) }
    }
}
