import SystemIO

/// Something that was asked for is not in a source.
struct Absence: Error {
    let path: BytePath
    /// What is not there.
    let what: TerminalText
    /// What to do next.
    let hint: TerminalText
}
