import SystemIO

/// The names of bundles, which are entries of the payload that contain small entries.
enum BundleName: Sendable {
    private static let folder: BytePath = "bundles/"
    private static let suffix: BytePath = ".tar.zst"
    private static let digits = 4

    /// Returns the name of the n-th bundle, from 0.
    static func name(_ number: Int) -> BytePath {
        let text = String(number)
        return "\(folder)\(String(repeating: "0", count: max(0, digits - text.utf8.count)))\(text)\(suffix)"
    }

    /// Whether the name has the form of a bundle's name.
    static func matches(_ name: BytePath) -> Bool {
        guard let number = name.dropping(prefix: folder)?.dropping(suffix: suffix) else { return false }
        return number.count >= digits && number.bytes.allSatisfy { $0 &- 0x30 < 10 }
    }
}
