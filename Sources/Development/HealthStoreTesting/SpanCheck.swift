import ByteText
import HealthModel
import SampleBatches

/// Checks the order and the completeness of what a store returns for typed queries.
struct SpanCheck {
    let store: any HealthStore

    /// Returns the problems found.
    func problems() async throws -> [String] {
        var problems: [String] = []
        let contents = try await store.contents()
        let types = contents.types.map(\.type)
        for isNewestFirst in [false, true] {
            let request = SpanRequest(types: types, isNewestFirst: isNewestFirst)
            var batches: [SampleBatch] = []
            for try await batch in store.spans(request) { batches.append(batch) }
            problems += Self.order(batches, isNewestFirst)
            for extent in contents.types {
                let count = batches.filter { $0.sampleType == extent.type }.reduce(0) { $0 + $1.count }
                if count != extent.count { problems.append("the spans of \(extent.type) are not complete") }
            }
            problems += try await again(batches)
        }
        if let leading = types.last {
            var found: [AnySampleType] = []
            for try await batch in store.spans(SpanRequest(types: types, leadingType: leading))
            where batch.sampleType != found.last { found.append(batch.sampleType) }
            if found != [leading] + types.dropLast() {
                problems.append("the leading type does not come before the others")
            }
        }
        let unknown = types.filter { !$0.isKnown && $0.kind == .quantity }
        var found: Set<AnySampleType> = []
        for try await batch in store.spans(SpanRequest(types: [], unknownKinds: [.quantity])) {
            found.insert(batch.sampleType)
        }
        if found != Set(unknown) { problems.append("unknown quantities are not those that are there") }
        for extent in contents.types { problems += try await range(extent) }
        return problems
    }

    /// Checks that batches are sorted by type, then by span, then by part.
    static func order(_ batches: [SampleBatch], _ isNewestFirst: Bool) -> [String] {
        var problems: [String] = []
        let identifiers = batches.map { ExactName($0.sampleType.identifier) }
        if identifiers != identifiers.sorted() { problems.append("spans are not in the order of the types") }
        for (first, second) in zip(batches, batches.dropFirst())
        where first.key.element == second.key.element && first.key.type == second.key.type {
            if first.key.span == second.key.span {
                if first.key.part >= second.key.part { problems.append("\(second.key): is out of order") }
                continue
            }
            guard let mine = first.first?.seconds, let theirs = second.first?.seconds else {
                if first.first == nil { problems.append("\(first.key): without a time is not the last") }
                continue
            }
            if isNewestFirst ? mine <= theirs : mine >= theirs {
                problems.append("\(second.key): is out of order")
            }
        }
        return problems
    }

    /// Checks that the store, if it can, returns the same parts of each span again.
    private func again(_ batches: [SampleBatch]) async throws -> [String] {
        var problems: [String] = []
        for (span, parts) in Dictionary(grouping: batches, by: \.key.ofSpan) {
            guard let again = store.spanAgain(parts[0].key, starts: nil) else { continue }
            var found: [SampleBatch] = []
            for try await batch in again { found.append(batch) }
            if found.map(\.key) != parts.map(\.key)
                || found.flatMap(\.samples).map(\.row) != parts.flatMap(\.samples).map(\.row)
            {
                problems.append("\(span): has other samples when it is read again")
            }
            problems += try await partsOfTime(of: span, parts)
        }
        return problems
    }

    /// Checks that the samples that start in a part of a span's time are there when it is read again.
    private func partsOfTime(
        of span: SampleBatch.Key, _ parts: [SampleBatch]
    ) async throws -> [String] {
        func places(_ batch: SampleBatch) -> [(start: Int, position: Int)] {
            var places: [(start: Int, position: Int)] = []
            batch.forEachBatchRow { places.append(($0.start?.seconds ?? .min, $0.head.position)) }
            return places
        }
        let all = parts.flatMap(places)
        let starts = all.map(\.start).sorted()
        guard let first = starts.first else { return [] }
        var problems: [String] = []
        for range in [first...first, starts[starts.count / 3]...starts[starts.count / 2]] {
            guard let again = store.spanAgain(parts[0].key, starts: range) else { continue }
            var found: [Int] = []
            for try await batch in again {
                found += places(batch).filter { range.contains($0.start) }.map(\.position)
            }
            if found != all.filter({ range.contains($0.start) }).map(\.position) {
                problems.append("\(span): has other samples when a part of its time is read again")
            }
        }
        return problems
    }

    /// Checks that a typed query returns the samples that start in its range, in chronological order.
    private func range(_ extent: TypeExtent) async throws -> [String] {
        guard let first = extent.first, let last = extent.last, first.seconds < last.seconds else {
            return []
        }
        let type = SampleType<AnySample>(extent.type)
        let all = try await store.samples(type).all()
        let starts = all.compactMap { $0.startDate?.seconds }
        var problems: [String] = []
        if starts != starts.sorted() { problems.append("\(extent.type): is not in the order of time") }
        let middle = first.seconds + (last.seconds - first.seconds) / 2
        for cut in [first.seconds, middle, last.seconds, last.seconds + 1] {
            let limit = Timestamp(seconds: cut, offsetMinutes: 0)
            let found = try await store.samples(type, in: .since(.instant(limit))).all()
            let expected = all.filter { $0.startDate.map { $0.seconds >= cut } ?? false }
            if extent.type != .activitySummary, found.map(\.position) != expected.map(\.position) {
                problems.append("\(extent.type): has others since \(limit) than those that start then")
            }
        }
        let newest = try await store.samples(type, sortedBy: .newestFirst, limit: 3).all().map(\.position)
        let dated = all.filter { $0.startDate != nil }
        if dated.count >= 3, newest != dated.suffix(3).reversed().map(\.position) {
            problems.append("\(extent.type): the newest samples are not the last ones")
        }
        return problems
    }
}
