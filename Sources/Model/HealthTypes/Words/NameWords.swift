/// The words in names such as `HeartRate`.
enum NameWords: Sendable {
    /// Returns the words of a name in camel case; consecutive capitals are one word: `UV Exposure`, `VO2 Max`.
    static func words(of name: Substring) -> [Substring] {
        var words: [Substring] = []
        var start = name.startIndex
        for index in name.indices.dropFirst() where name[index].isUppercase {
            let next = name.index(after: index)
            let startsWord = next < name.endIndex && name[next].isLowercase
            if startsWord || !name[name.index(before: index)].isUppercase {
                words.append(name[start..<index])
                start = index
            }
        }
        words.append(name[start...])
        return words
    }
}
