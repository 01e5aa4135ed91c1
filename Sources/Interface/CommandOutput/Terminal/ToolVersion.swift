/// The version of the programs.
package enum ToolVersion: Sendable {
    package static let number = "0.1.0"
    /// Name and version of the command.
    package static let text = "healthvault \(number)"
}
