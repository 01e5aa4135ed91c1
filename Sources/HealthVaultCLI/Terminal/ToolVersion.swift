/// Name and version of the program.
enum ToolVersion: Sendable {
    static let text = "healthvault 0.1.0"
}
