/// Name and version of the program.
package enum ToolVersion: Sendable {
    package static let text = "healthvault 0.1.0"
}
