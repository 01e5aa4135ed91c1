import SystemIO

extension TerminalText {
    /// Names, each filtered, with commas between them.
    static func list(_ names: some Sequence<some CustomStringConvertible>) -> Self {
        joined(names.map { name in "\(name)" }, separator: ", ")
    }
}
