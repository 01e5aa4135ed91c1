// The standard library does this with regular expressions, which would add a megabyte that nothing else needs.
extension Substring {
    /// Returns the text before and after the first occurrence of `marker`, which must be ASCII.
    package func split(at marker: String) -> (before: Substring, after: Substring)? {
        for index in utf8.indices where utf8[index...].starts(with: marker.utf8) {
            return (self[..<index], self[utf8.index(index, offsetBy: marker.utf8.count)...])
        }
        return nil
    }

    /// Returns whether the text contains `part`, which must be ASCII.
    package func contains(text part: String) -> Bool { split(at: part) != nil }
}
