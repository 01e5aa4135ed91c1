package import SystemIO

/// The version of the programs.
package enum ToolVersion: Sendable {
    package static let number = "0.1.0"
    /// The day of the version, the date of its packages.
    package static let day = "November 24, 2026"
    /// Name and version of the command.
    package static let text = "healthvault \(number)"
    /// What to do about something that a newer version has written.
    package static let newerNeeded: TerminalText = "install a newer version of healthvault; this is \(number)"
}
