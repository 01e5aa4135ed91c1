/// The app or device that recorded a sample.
///
/// Sources in an export have the names that the phone's owner sees, but no bundle identifiers.
public struct Source: Sendable, Hashable {
    /// The name: `Alice’s Apple Watch`.
    public let name: String
    /// The version of the app or of the device's operating system.
    public let version: String?

    /// The bundle identifier of the app: `com.apple.health`; nil for sources in an export.
    public let bundleIdentifier: String?

    /// Creates a source.
    public init(name: String, version: String? = nil, bundleIdentifier: String? = nil) {
        self.name = name
        self.version = version
        self.bundleIdentifier = bundleIdentifier
    }
}

extension Source: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}
