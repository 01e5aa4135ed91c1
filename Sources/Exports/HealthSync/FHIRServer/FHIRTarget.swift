public import ArchiveManifest
import ByteSpans
public import HealthFHIR
public import HealthModel
public import HealthQueries
import JSONText
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
/// type `Basic`. The identifiers of each person who has a name are in a namespace of their own. The server must support transactions, conditional interactions, and the search by identifier.
public actor FHIRTarget: TransactionalStore {
    /// The objects of the store.
    public typealias Object = FHIRRecord

    private static let sampleSystem = "urn:healthvault:sample"
    private static let anchorSystem = "urn:healthvault:anchor"
    private static let personSystem = "urn:healthvault:person"

    private let client: FHIRClient
    private var rendering: FHIRRendering
    /// Whose transaction has begun.
    private var person = ""
    private let isReadOnly: Bool
    private var entries: [[UInt8]] = []
    /// The creations of resources that samples refer to.
    private var referred: [[UInt8]] = []
    /// Resources that samples refer to and that the server has.
    private var present: Set<FHIRIdentifier> = []
    private var pending: Set<FHIRIdentifier> = []
    /// The pages of the type that was asked for last.
    private var loaded: [AnchorPage] = []
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
    private static func system(_ system: String, of person: String) -> String {
        person.isEmpty || !Subject(person).isNamed ? system : "\(system):\(PercentEncoding.name(person))"
    }

    /// The number of identifiers in one search.
    private static let searchSize = 200

    /// Calls a closure with the entries of all pages of a search, so that no more than one page is in memory.
    private func search(
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

    private static func entry(_ method: String, _ type: String, _ query: String, _ resource: [UInt8]? = nil)
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
        // A server finds what is referred to by identifier only once it is there.
        try await send(referred)
        present.formUnion(pending)
        try await send(entries)
        unmapped += unmappedHere
        clear()
    }

    private func send(_ entries: [[UInt8]]) async throws {
        guard !entries.isEmpty else { return }
        let start = Array("{\"resourceType\":\"Bundle\",\"type\":\"transaction\",\"entry\":[".utf8)
        let body = start + entries.joined(separator: [UInt8(ascii: ",")]) + Array("]}".utf8)
        do {
            _ = try await client.send("POST", "", "application/fhir+json", body) { bundle in
                bundle.type == "transaction-response" && bundle.entries.count == entries.count
                    && bundle.entries.allSatisfy { $0.status.hasPrefix("2") }
            }
        } catch let error as SyncError {
            guard case .targetFailed(let reason) = error.code, Self.reasons.contains(reason) else {
                throw error
            }
            refusals += 1
            throw refusals < Self.mostRefusals ? SyncError(.unsuitable(reason)) : error
        }
        refusals = 0
    }

    /// How a server says that it does not take a resource.
    private static let reasons = ["HTTP status 400", "HTTP status 422"]
    /// A server that refuses as many transactions one after the other refuses more than odd samples.
    private static let mostRefusals = 32

    /// Forgets the transaction.
    public func rollBack() { clear() }
}

/// The anchors, as resources of type `Basic`.
extension FHIRTarget {
    private static func name(of span: SampleBatch.Key, _ number: Int) -> String {
        // A comma would separate alternatives in a search.
        [span.element, span.type, span.span, String(number)].map(PercentEncoding.name).joined(separator: ".")
    }

    private static func entry(for page: AnchorPage, of person: String) -> [UInt8] {
        let system = system(anchorSystem, of: person)
        let identifier = FHIRIdentifier(system: system, value: name(of: page.span, page.number))
        guard !page.identities.isEmpty else { return entry("DELETE", "Basic", identifier.escapedQuery) }
        return entry(
            identifier, code: PercentEncoding.name(page.span.sampleType.identifier),
            "what healthvault has synchronised", data: page.bytes)
    }

    /// Returns the update of a resource of type `Basic` with some bytes.
    private static func entry(
        _ identifier: FHIRIdentifier, code: String, _ text: String, data: [UInt8]
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("resourceType", "Basic")
            writer.key("identifier")
            writer.array { writer in
                writer.object { writer in
                    writer.member("system", identifier.system)
                    writer.member("value", identifier.value)
                }
            }
            writer.key("code")
            writer.object { writer in
                writer.key("coding")
                writer.array { writer in
                    writer.object { writer in
                        writer.member("system", identifier.system)
                        writer.member("code", code)
                    }
                }
                writer.member("text", text)
            }
            writer.key("extension")
            writer.array { writer in
                writer.object { writer in
                    writer.member("url", "\(anchorSystem):data")
                    writer.member("valueBase64Binary", Base64.text(data))
                }
            }
        }
        return entry("PUT", "Basic", identifier.escapedQuery, writer.bytes)
    }

    /// Several, if they have names: only then each has a namespace.
    public nonisolated var capacity: SubjectCapacity { .named }

    /// Returns the people whose samples the server has, each from a resource of type `Basic`.
    public func subjects() async throws -> [Subject] {
        var people: [Subject] = []
        try await search("Basic", "code=\(PercentEncoding.name(Self.personSystem + "|"))&_count=100") {
            entry in
            guard let value = entry.identifiers.first(where: { $0.system == Self.personSystem })?.value,
                let person = PercentEncoding.text(ofName: value), let data = Base64.bytes(entry.data)
            else { throw SyncError(.unreadableAnchors) }
            let parts = String(decoding: data, as: UTF8.self).split(
                separator: " ", omittingEmptySubsequences: false)
            let content = parts.count > 1 ? String(parts[1]) : ""
            people.append(
                Subject(
                    person, exportDate: parts.first.flatMap { Int($0) },
                    content: content.isEmpty ? nil : content))
        }
        return people
    }

    /// Saves a person in a transaction of its own.
    public func save(_ subject: Subject) async throws {
        guard !isReadOnly else { throw SyncError(.notSupported) }
        let identifier = FHIRIdentifier(
            system: Self.personSystem, value: PercentEncoding.name(subject.person))
        let text = "\(subject.exportDate.map { String($0) } ?? "") \(subject.content ?? "")"
        try await send([
            Self.entry(
                identifier, code: "person", "whose samples healthvault has synchronised",
                data: Array(text.utf8))
        ])
    }

    /// Returns the types that have pages.
    public func anchoredTypes(of person: String) async throws -> [AnySampleType] {
        let system = Self.system(Self.anchorSystem, of: person)
        var types: Set<AnySampleType> = []
        try await search(
            "Basic", "code=\(PercentEncoding.name(system + "|"))&_elements=identifier&_count=1000"
        ) { types.formUnion($0.identifiers.compactMap { Self.key($0, system)?.span.sampleType }) }
        return types.sorted { $0.identifier < $1.identifier }
    }

    private static func key(
        _ identifier: FHIRIdentifier, _ system: String
    ) -> (span: SampleBatch.Key, number: Int)? {
        guard identifier.system == system else { return nil }
        let parts = identifier.value.split(separator: ".", omittingEmptySubsequences: false).compactMap {
            PercentEncoding.text(ofName: String($0))
        }
        guard parts.count == 4, let number = Int(parts[3]),
            (1...AnchorPage.Summary.lastNumber).contains(number)
        else { return nil }
        return (SampleBatch.Key(element: parts[0], type: parts[1], span: parts[2], part: 0), number)
    }

    /// Returns the summaries of the pages of a type.
    public func summaries(
        of type: AnySampleType, of person: String
    ) async throws -> [AnchorPage.Summary] {
        let system = Self.system(Self.anchorSystem, of: person)
        let code = "\(system)|\(PercentEncoding.name(type.identifier))"
        loaded = []
        try await search("Basic", "code=\(PercentEncoding.name(code))&_count=100") { entry in
            guard let key = entry.identifiers.lazy.compactMap({ Self.key($0, system) }).first,
                let bytes = Base64.bytes(entry.data), bytes.count.isMultiple(of: 16), !bytes.isEmpty
            else { throw SyncError(.unreadableAnchors, of: type) }
            let identities = stride(from: 0, to: bytes.count, by: 16).map { start in
                bytes[start..<(start + 16)].reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
            }
            loaded.append(AnchorPage(span: key.span, number: key.number, identities: identities))
        }
        return loaded.map(\.summary)
    }

    /// Returns pages, which came with the summaries.
    public func pages(_ summaries: [AnchorPage.Summary], of person: String) throws -> [AnchorPage] {
        try summaries.map { summary in
            guard let page = loaded.first(where: { $0.span == summary.span && $0.number == summary.number })
            else {
                throw SyncError(.unreadableAnchors, of: summary.span.sampleType)
            }
            return page
        }
    }

    /// Saves pages in a transaction of their own.
    public func save(_ pages: [AnchorPage], of person: String) async throws {
        begin(of: person)
        try await commit(saving: pages)
    }

    /// Removes all pages of some types.
    public func removeAnchors(of types: [AnySampleType], of person: String) async throws {
        for type in types {
            var pages = try await summaries(of: type, of: person).map {
                AnchorPage(span: $0.span, number: $0.number)
            }[...]
            while !pages.isEmpty {
                try await save(Array(pages.prefix(100)), of: person)
                pages = pages.dropFirst(100)
            }
        }
    }
}
