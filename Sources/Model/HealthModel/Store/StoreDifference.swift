import ByteText
public import SampleBatches

/// The difference between two sides, told from the sums of their spans: samples are read only where these differ.
///
/// A side is a store, or what is remembered of one. The sides may divide time by different rules: a part is the shortest
/// time that no span of either side crosses.
public struct StoreDifference: Sendable {
    /// The samples of a type in a time that both sides divide from the rest.
    public struct Part: Sendable {
        /// The type.
        public let type: AnySampleType
        /// The count and sum of the older side.
        public fileprivate(set) var older = IdentitySum()
        /// The count and sum of the newer side.
        public fileprivate(set) var newer = IdentitySum()
        /// Whether both sides state exactly what they have.
        fileprivate(set) var isKnown = true
        fileprivate var place: ClosedRange<Int>

        /// Whether both sides have the same samples.
        public var isSame: Bool { isKnown && older == newer }
        /// Whether one side has no samples, so that all of the other one are changes.
        public var isOneSided: Bool { isKnown && (older.count == 0 || newer.count == 0) }

        /// The names of its spans, as `BatchOptions.automatic` divides time.
        public var spans: [String] {
            let rule = BatchOptions.automatic.rule(forType: type.identifier)
            return place.map { rule.name(of: $0 == SpanPlaces.undated ? .undated : .numbered($0)) }
        }
    }

    /// All parts: by type, then by time.
    public let parts: [Part]

    /// Compares the sums of two sides.
    public init(from older: [SpanSum], to newer: [SpanSum]) {
        let sides = older.map { (span: $0, isNewer: false) } + newer.map { (span: $0, isNewer: true) }
        let spans = sides.map { side in
            (side.span, side.isNewer, SpanPlaces.place(of: side.span.type, side.span.first, side.span.last))
        }.sorted { ($0.0.type.identifier, $0.2.lowerBound) < ($1.0.type.identifier, $1.2.lowerBound) }
        var parts: [Part] = []
        for (span, isNewer, place) in spans {
            if let last = parts.last, last.type == span.type, place.lowerBound <= last.place.upperBound {
                let upper = max(last.place.upperBound, place.upperBound)
                parts[parts.count - 1].place = last.place.lowerBound...upper
            } else {
                parts.append(Part(type: span.type, place: place))
            }
            let sum = span.identity
            parts[parts.count - 1][keyPath: isNewer ? \Part.newer : \Part.older].add(sum ?? IdentitySum())
            if sum == nil { parts[parts.count - 1].isKnown = false }
        }
        self.parts = parts
    }

    /// Returns the spans in which two sides differ that divide time by the same rule, sorted.
    public static func spans(
        from older: [SampleBatch.Key: IdentitySum], to newer: [SampleBatch.Key: IdentitySum]
    ) -> [SampleBatch.Key] {
        Set(older.keys).union(newer.keys).filter { older[$0] != newer[$0] }.sorted()
    }

    /// Returns the places of some parts, by default of those that differ.
    public func places(where isWanted: (Part) -> Bool = { !$0.isSame }) -> SpanPlaces {
        var places = SpanPlaces()
        for part in parts where isWanted(part) { places.places[part.type, default: []].append(part.place) }
        return places
    }
}

/// Some spans of some types, as `BatchOptions.automatic` divides time.
public struct SpanPlaces: Sendable, Equatable {
    /// The numbers of spans, by type.
    fileprivate var places: [AnySampleType: [ClosedRange<Int>]] = [:]

    fileprivate static let undated = Int.max

    /// Creates an empty set.
    public init() {}

    /// Whether there are none.
    public var isEmpty: Bool { places.isEmpty }
    /// The types, sorted.
    public var types: [AnySampleType] { places.keys.sorted { $0.identifier < $1.identifier } }

    /// Adds the spans of another set.
    public mutating func formUnion(_ other: Self) { places.merge(other.places) { $0 + $1 } }

    /// Whether samples of a type that start between two instants, in seconds since 1970, may be in one of the spans.
    public func overlap(_ type: AnySampleType, from first: Int?, to last: Int?) -> Bool {
        guard let ranges = places[type] else { return false }
        let place = Self.place(of: type, first, last)
        return ranges.contains { $0.overlaps(place) }
    }

    /// Whether a span, with the name that `BatchOptions.automatic` gives it, is one of them.
    public func contains(_ span: SampleBatch.Key) -> Bool {
        let (first, last) = span.automaticStarts
        return overlap(span.sampleType, from: first, to: last)
    }

    fileprivate static func place(of type: AnySampleType, _ first: Int?, _ last: Int?) -> ClosedRange<Int> {
        guard let first else { return undated...undated }
        let rule = BatchOptions.automatic.rule(forType: type.identifier)
        func number(_ seconds: Int) -> Int {
            let all = Timestamp.writableSeconds
            guard
                case .numbered(let number) = rule.span(of: min(max(seconds, all.lowerBound), all.upperBound))
            else { return undated }
            return number
        }
        return ClosedRange(between: number(first), and: number(last ?? first))
    }
}

extension SpanSum {
    /// Creates the sum of a span with the name that `BatchOptions.automatic` gives it.
    public init(_ span: SampleBatch.Key, _ sum: IdentitySum) {
        let (first, last) = span.automaticStarts
        self.init(span, sum, first: first, last: last)
    }

    /// Creates the sum of a span.
    public init(_ span: SampleBatch.Key, _ sum: IdentitySum?, first: Int?, last: Int?) {
        self.init(type: span.sampleType, sum, first: first, last: last)
    }
}

extension SampleBatch.Key {
    /// When samples of a span may start that `BatchOptions.automatic` named, in seconds since 1970; nil without a date.
    fileprivate var automaticStarts: (first: Int?, last: Int?) {
        if span == SpanRule.all.name(of: .undated) { return (nil, nil) }
        // 2024-05, or 2024-H1.
        let month =
            switch span.suffix(3) {
            case "-H1": span.dropLast(2) + "01"
            case "-H2": span.dropLast(2) + "07"
            default: span[...]
            }
        if let day = CivilDate(Array("\(month)-01".utf8).span).map({ $0.daysSince1970 * 86400 }) {
            return (day, day)
        }
        // Any other name may be of any time.
        return (Timestamp.writableSeconds.lowerBound, Timestamp.writableSeconds.upperBound)
    }
}

extension HealthStore {
    /// Returns the sums of spans: those that the store knows, or those of the samples, which are then read.
    ///
    /// - Parameter types: The types; nil for all.
    public func sums(of types: [AnySampleType]?) async throws -> [SpanSum] {
        if let known = try await spanSums(of: types) { return known }
        keepSamples()
        var sums: [SpanSum] = []
        for try await batch in batches(BatchQuery(types: types)) {
            sums.append(
                SpanSum(
                    batch.key, batch.identitySum(), first: batch.first?.seconds, last: batch.last?.seconds))
        }
        return sums
    }
}
