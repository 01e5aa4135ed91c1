import ByteText
public import HealthArchive
import HealthFHIR
public import HealthModel
import SampleBatches

/// The anchors, as resources of type `Basic`.
extension FHIRTarget {
    private static func name(of span: SampleBatch.Key, _ number: Int) -> String {
        // A comma would separate alternatives in a search.
        [span.element, span.type, span.span, String(number)].map(PercentEncoding.name).joined(separator: ".")
    }

    static func entry(for page: AnchorPage, of person: String) -> [UInt8] {
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
        loaded[person] = (type, [])
        try await search("Basic", "code=\(PercentEncoding.name(code))&_count=100") { entry in
            guard let key = entry.identifiers.lazy.compactMap({ Self.key($0, system) }).first,
                let bytes = Base64.bytes(entry.data), bytes.count.isMultiple(of: 16), !bytes.isEmpty
            else { throw SyncError(.unreadableAnchors, of: type) }
            let identities = stride(from: 0, to: bytes.count, by: 16).map { start in
                bytes[start..<(start + 16)].reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
            }
            loaded[person]?.pages.append(
                AnchorPage(span: key.span, number: key.number, identities: identities))
        }
        return loaded[person]?.pages.map(\.summary) ?? []
    }

    /// Returns pages, which come with the summaries of their type.
    public func pages(_ summaries: [AnchorPage.Summary], of person: String) async throws -> [AnchorPage] {
        if let type = summaries.first?.span.sampleType, loaded[person]?.type != type {
            _ = try await self.summaries(of: type, of: person)
        }
        return try summaries.map { summary in
            let page = loaded[person]?.pages.first {
                $0.span == summary.span && $0.number == summary.number
            }
            guard let page, page.summary == summary else {
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
