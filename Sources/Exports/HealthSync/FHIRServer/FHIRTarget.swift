import ByteText
import HealthArchive
public import HealthFHIR
public import HealthModel
public import HealthQueries
import SampleBatches

/// A sample as a resource on a FHIR server; exact copies of a sample are one resource.
public struct FHIRRecord: ExternalObject {
    /// The identifier.
    public let id: SampleID
    /// The sample; nil for one that was fetched or is to be deleted.
    private(set) var sample: AnySample?

    /// Creates a record; nil for a further copy.
    public init?(_ sample: IdentifiedSample, converter: (any SampleConverter)?) {
        guard sample.id.ordinal == 0 else { return nil }
        id = sample.id
        self.sample = sample.sample
    }

    /// Creates a record of which only the identifier is known; nil for a further copy.
    public init?(deleted id: SampleID, converter: (any SampleConverter)?) {
        guard id.ordinal == 0 else { return nil }
        self.id = id
    }

    /// Sets the sample.
    public mutating func update(with sample: IdentifiedSample, converter: (any SampleConverter)?) {
        self.sample = sample.sample
    }
}

/// The resources of samples on a FHIR server (R4).
///
/// A batch is one transaction: conditional creations, updates and deletions by identifier, and the anchors as resources of
/// type `Basic`. The identifiers of each person who has a name are in a namespace of their own. The server must support
/// transactions, conditional interactions, and the search by identifier.
public actor FHIRTarget: TransactionalStore {
    /// The objects of the store.
    public typealias Object = FHIRRecord

    private static let sampleSystem = "urn:healthvault:sample"
    static let anchorSystem = "urn:healthvault:anchor"
    static let personSystem = "urn:healthvault:person"

    private let client: FHIRClient
    private var rendering: FHIRRendering
    /// Whose transaction has begun.
    private var person = ""
    let isReadOnly: Bool
    private var entries: [[UInt8]] = []
    /// The creations of resources that samples refer to.
    private var referred: [[UInt8]] = []
    /// Resources that samples refer to and that the server has.
    private var present: Set<FHIRIdentifier> = []
    private var pending: Set<FHIRIdentifier> = []
    /// The pages of the type of each person that was asked for last.
    var loaded: [String: (type: AnySampleType, pages: [AnchorPage])] = [:]
    /// The number of samples without a mapping.
    public private(set) var unmapped = 0
    /// Those of the transaction.
    private var unmappedHere = 0
    /// The transactions that were refused since one was accepted.
    private var refusals = 0

    /// Prepares a connection.
    ///
    /// - Parameters:
    ///   - base: The base URL of the server, with `https`.
    ///   - token: The bearer token; empty for none.
    ///   - authorities: The path of a file with the certificates of authorities; nil for the system's.
    ///   - mapper: How samples become resources.
    ///   - retries: How often requests are repeated.
    ///   - isReadOnly: Whether to change nothing.
    /// - Throws: ``SyncError``.
    public init(
        base: String, token: [UInt8] = [], authorities: String? = nil,
        mapper: FHIRMapper = FHIRMapper(), retries: FHIRRetries = FHIRRetries(), isReadOnly: Bool = false
    ) throws(SyncError) {
        guard base.hasPrefix("https://"), token.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            throw SyncError(
                .invalidTarget("a FHIR server is reached over https, with a token of printable characters"))
        }
        let authority = base.dropFirst("https://".count).prefix { !"/?#".contains($0) }
        guard !authority.contains("@") else { throw SyncError(.passwordInTarget) }
        client = try FHIRClient(base: base, token: token, authorities: authorities, retries: retries)
        rendering = FHIRRendering(mapper)
        self.isReadOnly = isReadOnly
    }

    /// Returns those of the records that the server has.
    public func fetch(_ objects: [FHIRRecord]) async throws -> [FHIRRecord]? {
        let wanted = Set(objects.map(identifier(of:)))
        var found: Set<FHIRIdentifier> = []
        let system = rendering.mapper.sampleSystem
        for (type, records) in Dictionary(
            grouping: objects, by: { FHIRRendering.resourceType(of: $0.id.type) })
        {
            var rest = records[...]
            while !rest.isEmpty {
                let some = rest.prefix(Self.searchSize)
                rest = rest.dropFirst(some.count)
                let values = some.map { "\(system)|\(identifier(of: $0).value)" }.joined(separator: ",")
                let form =
                    "identifier=\(PercentEncoding.name(values))&_elements=identifier&_count=\(2 * some.count)"
                try await search(type, form) { found.formUnion($0.identifiers.filter(wanted.contains)) }
            }
        }
        return found.isEmpty ? nil : objects.filter { found.contains(identifier(of: $0)) }
    }

    private func identifier(of record: FHIRRecord) -> FHIRIdentifier {
        FHIRIdentifier(
            system: rendering.mapper.sampleSystem, value: Hexadecimal.text(record.id.identity))
    }

    /// Returns a namespace for a person: one of its own if the person has a name.
    static func system(_ system: String, of person: String) -> String {
        person.isEmpty || !Subject(person).isNamed ? system : "\(system):\(PercentEncoding.name(person))"
    }

    /// The number of identifiers in one search.
    private static let searchSize = 200

    /// Calls a closure with the entries of all pages of a search, so that no more than one page is in memory.
    func search(
        _ type: String, _ form: String, _ body: (FHIRBundle.Entry) throws -> Void
    ) async throws {
        var (entries, bytes) = (0, 0)
        var bundle = try await client.send(
            "POST", "\(type)/_search", "application/x-www-form-urlencoded", Array(form.utf8))
        for _ in 0..<Self.mostPages {
            entries += bundle.entries.count
            bytes += bundle.size
            guard entries <= FHIRBundle.mostEntries, bytes <= Self.mostBytes else {
                throw FHIRClient.tooLarge
            }
            for entry in bundle.entries { try body(entry) }
            guard let next = bundle.next else { return }
            guard client.owns(next) else {
                throw SyncError(.targetFailed("a link to another server"))
            }
            bundle = try await client.send("GET", next)
        }
        throw SyncError(.targetFailed("an answer without end"))
    }

    /// The most pages of a search, so that a server cannot answer without end.
    private static let mostPages = 100_000
    /// The most bytes of a search: what ten million samples of one type need.
    private static let mostBytes = 1 << 28

    /// Adds conditional creations to the transaction.
    public func add(_ objects: [FHIRRecord]) throws {
        for object in objects { try write(object, isUpdate: false) }
    }

    /// Adds conditional updates to the transaction.
    public func update(_ objects: [FHIRRecord]) throws {
        for object in objects { try write(object, isUpdate: true) }
    }

    private func write(_ object: FHIRRecord, isUpdate: Bool) throws {
        guard let sample = object.sample else { return }
        let resources = try rendering.resources(of: sample)
        if resources.isEmpty { unmappedHere += 1 }
        for resource in resources {
            guard let identifier = resource.identifier else { continue }
            let isOwn = identifier == self.identifier(of: object)
            guard isOwn || !present.contains(identifier), isOwn || pending.insert(identifier).inserted
            else { continue }
            let entry = Self.entry(
                isOwn && isUpdate ? "PUT" : "POST", resource.type, identifier.escapedQuery,
                FHIRRendering.jsonWithoutID(resource))
            if isOwn { entries.append(entry) } else { referred.append(entry) }
        }
    }

    /// Adds conditional deletions to the transaction.
    public func delete(_ objects: [FHIRRecord]) {
        for object in objects {
            let type = FHIRRendering.resourceType(of: object.id.type)
            entries.append(Self.entry("DELETE", type, identifier(of: object).escapedQuery))
        }
    }

    static func entry(_ method: String, _ type: String, _ query: String, _ resource: [UInt8]? = nil)
        -> [UInt8]
    {
        var writer = JSONWriter()
        writer.object { writer in
            if let resource {
                writer.key("resource")
                writer.raw(resource.span)
            }
            writer.key("request")
            writer.object { writer in
                writer.member("method", method)
                writer.member("url", method == "POST" ? type : "\(type)?\(query)")
                if method == "POST" { writer.member("ifNoneExist", query) }
            }
        }
        return writer.bytes
    }

    /// Begins a transaction.
    public func begin(of person: String) {
        self.person = person
        rendering.use(Self.system(Self.sampleSystem, of: person))
        clear()
    }

    private func clear() {
        entries = []
        referred = []
        pending = []
        unmappedHere = 0
    }

    /// Sends the transaction with the pages.
    public func commit(saving pages: [AnchorPage]) async throws {
        for page in pages { entries.append(Self.entry(for: page, of: person)) }
        guard !isReadOnly else { throw SyncError(.notSupported) }
        do {
            // A server finds what is referred to by identifier only once it is there.
            try await send(referred)
            present.formUnion(pending)
            try await send(entries)
        } catch let error as SyncError { throw refusal(error) }
        refusals = 0
        unmapped += unmappedHere
        clear()
    }

    /// Returns the error of a transaction, which says whether the server refuses its resources.
    private func refusal(_ error: SyncError) -> SyncError {
        guard case .targetFailed(let reason) = error.code,
            Self.reasons.contains(where: { reason.hasPrefix($0) })
        else { return error }
        refusals += 1
        guard refusals == Self.mostRefusals else { return SyncError(.unsuitable(reason)) }
        refusals = 0
        return SyncError(.unsuitableType(reason))
    }

    func send(_ entries: [[UInt8]]) async throws {
        guard !entries.isEmpty else { return }
        let start = Array("{\"resourceType\":\"Bundle\",\"type\":\"transaction\",\"entry\":[".utf8)
        let body = start + entries.joined(separator: [UInt8(ascii: ",")]) + Array("]}".utf8)
        _ = try await client.send("POST", "", "application/fhir+json", body) { bundle in
            bundle.type == "transaction-response" && bundle.entries.count == entries.count
                && bundle.entries.allSatisfy { $0.status.hasPrefix("2") }
        }
    }

    /// How a server says that it does not take a resource, or none of its type.
    private static let reasons = [400, 404, 409, 412, 422].map { "HTTP status \($0)" }
    /// A server that refuses as many transactions one after the other refuses more than odd samples: all of a type.
    private static let mostRefusals = 32

    /// Forgets the transaction.
    public func rollBack() { clear() }
}
