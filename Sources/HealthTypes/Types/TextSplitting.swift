// The standard library does this with its regular expressions, a megabyte that nothing else here needs.
extension Substring {
    /// Returns what precedes and follows the first occurrence of `marker`; both are ASCII.
    package func split(at marker: String) -> (before: Substring, after: Substring)? {
        for index in utf8.indices where utf8[index...].starts(with: marker.utf8) {
            return (self[..<index], self[utf8.index(index, offsetBy: marker.utf8.count)...])
        }
        return nil
    }

    /// Whether the text contains another one; that is ASCII.
    package func contains(text part: String) -> Bool { split(at: part) != nil }
}
