import HealthQueries
import SystemIO

/// Something that was asked for is not in a source.
struct Absence: Error {
    let path: BytePath
    /// What is not there.
    let what: TerminalText
    /// What to do next.
    let hint: TerminalText
}

/// An electrocardiogram that was asked for cannot be read.
struct UnreadableRecording: Error {
    /// The source.
    let path: BytePath
    /// The file in it.
    let file: ElectrocardiogramList.Unreadable
}
