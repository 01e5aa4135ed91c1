public import HealthModel

/// How samples become resources for a FHIR server.
public protocol FHIRRendering: Sendable {
    /// Returns the resources of a sample: those that it refers to, and its own last; none if it has no mapping.
    func resources(of sample: AnySample) throws -> [RenderedResource]

    /// Returns the type of the resources of samples of a type, by which they are found again.
    func resourceType(of type: AnySampleType) -> String
}

/// A resource as it is sent to a server.
public struct RenderedResource: Sendable {
    /// The type: `Observation`.
    public let type: String
    /// The system and the value of the identifier by which the server finds it again.
    public let identifier: ResourceIdentifier
    /// The resource as JSON.
    public let json: [UInt8]

    /// Creates a resource.
    public init(type: String, identifier: ResourceIdentifier, json: [UInt8]) {
        self.type = type
        self.identifier = identifier
        self.json = json
    }
}

/// The business identifier of a resource.
public struct ResourceIdentifier: Sendable, Hashable {
    /// The system: `urn:healthvault:sample`.
    public let system: String
    /// The value in the system.
    public let value: String

    /// Creates an identifier.
    public init(system: String, value: String) {
        self.system = system
        self.value = value
    }

    /// The search parameter `identifier`, escaped for a URL.
    var query: String { "identifier=\(URLText.escaped("\(system)|\(value)"))" }
}

/// Texts in URLs.
enum URLText: Sendable {
    /// Escapes everything but RFC 3986's unreserved characters.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f, 0x7e:
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = Array("0123456789ABCDEF".unicodeScalars)
                escaped.unicodeScalars.append("%")
                escaped.unicodeScalars.append(digits[Int(byte >> 4)])
                escaped.unicodeScalars.append(digits[Int(byte & 15)])
            }
        }
        return escaped
    }
}
