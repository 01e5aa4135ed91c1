/// The names of columns in databases.
package enum ColumnName: Sendable {
    /// Returns the name of an attribute, a column or a member in snake case: `leftEarUnit` becomes `left_ear_unit`.
    package static func snakeCase(_ name: String) -> String {
        let letters = Array(name.utf8)
        let isUpper = letters.map { (0x41...0x5a).contains($0) }
        var words: [UInt8] = []
        for (index, letter) in letters.enumerated() {
            // "farPDUnit" consists of the words far, PD and Unit.
            let startsWord =
                isUpper[index] && index > 0
                && (!isUpper[index - 1] || index + 1 < letters.count && !isUpper[index + 1])
            if startsWord { words.append(UInt8(ascii: "_")) }
            words.append(isUpper[index] ? letter + 0x20 : letter)
        }
        return String(decoding: words, as: UTF8.self)
    }
}
