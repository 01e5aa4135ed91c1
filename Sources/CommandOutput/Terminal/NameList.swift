package import SystemIO

extension TerminalText {
    /// Returns names, each filtered, separated by commas.
    package static func list(_ names: some Sequence<some CustomStringConvertible>) -> Self {
        joined(names.map { name in "\(name)" }, separator: ", ")
    }
}
