import ByteText
import SampleBatches

/// The batches of a request, followed by those of types that a store has only inside correlations.
///
/// Apple's exports repeat each member of a correlation as a separate sample. Other programs write the two values of a
/// blood pressure into the correlation alone: these are then the samples of their types. As soon as the store has one
/// sample of a type itself, its members are not read, so nothing counts twice.
///
/// A member counts if it starts with its correlation, which determines its span.
struct MemberSpans: Sendable {
    private let store: any HealthStore
    private let request: SpanRequest
    private var batches: BatchSequence.Iterator
    /// The requested types that are members of correlations, and of which no sample was read.
    private var unmet: Set<AnySampleType>
    /// The types whose members are still to be read, the next one last; nil until the other batches were read.
    private var types: [AnySampleType]?
    /// The type whose members are read.
    private var type: AnySampleType?
    /// Batches of members that were not returned yet.
    private var made: ArraySlice<SampleBatch> = []
    /// The last batch that was made.
    private var last: SampleBatch.Key?
    /// The types of the members of each correlation, once one of them was read.
    private var found: [AnySampleType: Set<AnySampleType>] = [:]

    /// Whether members are being read: a store cannot read their spans again.
    var isReadingMembers: Bool { type != nil }

    init(_ store: any HealthStore, _ request: SpanRequest) {
        self.store = store
        self.request = request
        batches = store.spans(request).makeAsyncIterator()
        unmet = Set(request.types.filter { Self.correlations[$0] != nil })
    }

    /// The correlations that each type is a member of.
    private static let correlations: [AnySampleType: [AnySampleType]] = {
        var correlations: [AnySampleType: [AnySampleType]] = [:]
        for correlation in AnySampleType.known {
            for member in correlation.members { correlations[member, default: []].append(correlation) }
        }
        return correlations
    }()

    /// Returns the types that may be there only inside correlations, if these types are there.
    static func types(insideOnly held: Set<AnySampleType>) -> Set<AnySampleType> {
        Set(correlations.filter { !held.contains($0.key) && $0.value.contains(where: held.contains) }.keys)
    }

    /// Returns the next batch, nil after the last.
    mutating func next() async throws -> SampleBatch? {
        while true {
            if let batch = made.popFirst() { return batch }
            guard let batch = try await batches.next() else {
                guard try await beginType() else { return nil }
                continue
            }
            guard let type else {
                if !unmet.isEmpty { unmet.remove(batch.sampleType) }
                return batch
            }
            made = members(of: batch, type)[...]
        }
    }

    /// Begins to read the members of the next type; returns false if there is none.
    private mutating func beginType() async throws -> Bool {
        if types == nil { types = try await missingTypes().reversed() }
        while let next = types?.popLast() {
            let correlations = Self.correlations[next, default: []].filter {
                found[$0]?.contains(next) ?? true
            }
            guard !correlations.isEmpty else { continue }
            var request = request
            (request.types, request.unknownKinds, request.leadingType) = (correlations, [], nil)
            batches = store.spans(request).makeAsyncIterator()
            (type, last) = (next, nil)
            return true
        }
        return false
    }

    /// Returns the requested types that the store has only inside correlations.
    private func missingTypes() async throws -> [AnySampleType] {
        guard !unmet.isEmpty else { return [] }
        let held = Set(try await store.contents().types.map(\.type))
        let inside = Self.types(insideOnly: held)
        return request.types.filter { unmet.contains($0) && inside.contains($0) }
    }

    /// Returns batches with the members of correlations that are of a type.
    private mutating func members(of batch: SampleBatch, _ type: AnySampleType) -> [SampleBatch] {
        var batches: [SampleBatch] = []
        var builder: SampleBatchBuilder?
        for correlation in batch.samples {
            for element in correlation.row.elements("Record") {
                let member = AttributeReader(element)
                let identifier = element.attributes.first { $0.name == "type" }?.text ?? []
                let own = AnySampleType(String(decoding: identifier, as: UTF8.self))
                found[correlation.sampleType, default: []].insert(own)
                guard own == type, member.start?.seconds == correlation.startDate?.seconds else { continue }
                if let full = builder, !full.takes(position: correlation.position) {
                    batches.append(full.batch)
                    builder = nil
                }
                if builder == nil { builder = SampleBatchBuilder(key: key(of: type, in: batch.key.span)) }
                builder?.append(element, member, position: correlation.position)
            }
        }
        if let builder { batches.append(builder.batch) }
        return batches
    }

    /// Returns the key of the next batch of a span.
    private mutating func key(of type: AnySampleType, in span: String) -> SampleBatch.Key {
        let part = last?.span == span ? (last?.part ?? 0) + 1 : 1
        let key = SampleBatch.Key(element: "Record", type: type.identifier, span: span, part: part)
        last = key
        return key
    }
}

extension AttributeReader {
    /// Reads the attributes of an element.
    init(_ element: ElementNode) {
        self.init(element: element.name, count: element.attributes.count)
        for attribute in element.attributes { add(name: attribute.name, text: attribute.text) }
    }
}

extension SampleBatchBuilder {
    /// Adds an element with its attributes as a row.
    mutating func append(_ element: ElementNode, _ attributes: AttributeReader, position: Int) {
        let content = ContentWriter.json(of: element.children).map { number(ofContent: $0.json) }
        append(attributes, content: content ?? 0, position: position)
    }
}

extension AnySampleType {
    /// Returns the types whose samples may be there only as members of correlations, if these types are there.
    package static func insideCorrelations(ofTypes held: Set<AnySampleType>) -> Set<AnySampleType> {
        MemberSpans.types(insideOnly: held)
    }
}
