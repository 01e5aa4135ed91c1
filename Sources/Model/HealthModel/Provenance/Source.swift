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

/// A filter for sources.
public struct SourceFilter: Sendable, Hashable {
    private enum Rule: Sendable, Hashable {
        case any
        case named(String)
        case readsLike(NameAsTyped)
        case nameBegins(String)
        case nameEnds(String)
        case bundle(String)
        case bundleBegins(String)
    }

    private let rule: Rule

    /// All sources.
    public static let any = SourceFilter(rule: .any)
    /// The source with this name, case-sensitive.
    public static func named(_ name: String) -> Self { Self(rule: .named(name)) }
    /// The source with this name as a person types it: in upper or lower case, with any kind of space, apostrophe, quotation mark
    /// and hyphen.
    public static func name(readsLike text: String) -> Self { Self(rule: .readsLike(NameAsTyped(text))) }
    /// Sources whose names begin with a text, case-sensitive.
    public static func name(beginsWith text: String) -> Self { Self(rule: .nameBegins(text)) }
    /// Sources whose names end with a text, case-sensitive.
    public static func name(endsWith text: String) -> Self { Self(rule: .nameEnds(text)) }
    /// The app with this bundle identifier, ignoring case.
    public static func bundleIdentifier(_ identifier: String) -> Self { Self(rule: .bundle(identifier)) }
    /// Apps whose bundle identifiers begin with a text, ignoring case.
    public static func bundleIdentifier(beginsWith text: String) -> Self { Self(rule: .bundleBegins(text)) }
    /// The Health app on the phone; a watch has the same identifier followed by a UUID.
    public static let healthApp = bundleIdentifier("com.apple.health")

    /// Whether it needs bundle identifiers, which sources in an export do not have.
    public var needsBundleIdentifier: Bool {
        switch rule {
        case .bundle, .bundleBegins: true
        case .any, .named, .readsLike, .nameBegins, .nameEnds: false
        }
    }

    /// Returns whether a source matches the filter.
    ///
    /// - Throws: ``HealthStoreError`` if the filter needs an identifier that the source does not have.
    public func matches(_ source: Source) throws(HealthStoreError) -> Bool {
        switch rule {
        case .any: return true
        case .named(let name): return source.name.utf8.elementsEqual(name.utf8)
        case .readsLike(let name): return name.matches(source.name)
        case .nameBegins(let text): return source.name.utf8.starts(with: text.utf8)
        case .nameEnds(let text): return source.name.utf8.reversed().starts(with: text.utf8.reversed())
        case .bundle(let identifier):
            return try Self.identifier(source) == identifier.lowercased()
        case .bundleBegins(let text):
            return try Self.identifier(source).hasPrefix(text.lowercased())
        }
    }

    private static func identifier(_ source: Source) throws(HealthStoreError) -> String {
        guard let identifier = source.bundleIdentifier else {
            throw HealthStoreError(.missingBundleIdentifier)
        }
        return identifier.lowercased()
    }
}

extension SourceFilter: CustomStringConvertible {
    /// The filter in words: `source begins with "Apple"`.
    public var description: String {
        switch rule {
        case .any: "any source"
        case .named(let name): "source is \(name.debugDescription)"
        case .readsLike(let name): "source reads like \(name.text.debugDescription)"
        case .nameBegins(let text): "source begins with \(text.debugDescription)"
        case .nameEnds(let text): "source ends with \(text.debugDescription)"
        case .bundle(let text): "bundle identifier is \(text.debugDescription)"
        case .bundleBegins(let text): "bundle identifier begins with \(text.debugDescription)"
        }
    }
}
