package import CommandLineKit

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
