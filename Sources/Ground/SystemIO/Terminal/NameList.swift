extension TerminalText {
    /// Returns names separated by commas, each filtered.
    package static func list(_ names: some Sequence<some CustomStringConvertible>) -> Self {
        joined(names.map { name in "\(name)" }, separator: ", ")
    }
}
