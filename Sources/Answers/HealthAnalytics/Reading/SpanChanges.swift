import CivilTime
import HealthModel

/// The spans in which the samples of a store differ from those that were processed before.
struct SpanChanges: Sendable {
    /// The instants at which samples that differ may start, by type, in seconds since 1970.
    private(set) var extents: [AnySampleType: [ClosedRange<Int>]] = [:]

    /// Compares the sums of spans.
    init(from old: [SpanSum], to new: [SpanSum]) {
        struct Key: Hashable {
            let type: AnySampleType
            let name: String
        }
        var before: [Key: SpanSum] = [:]
        for span in old { before[Key(type: span.type, name: span.name)] = span }
        for span in new {
            let known = before.removeValue(forKey: Key(type: span.type, name: span.name))
            if known?.sum == span.sum { continue }
            for span in [known, span].compactMap(\.self) { add(span) }
        }
        for span in before.values { add(span) }
    }

    private mutating func add(_ span: SpanSum) {
        // Samples without a start belong to no day.
        guard let first = span.first, let last = span.last, first <= last else { return }
        add(first...last, of: span.type)
    }

    /// Adds instants; what a database states may be any number.
    mutating func add(_ extent: ClosedRange<Int>, of type: AnySampleType) {
        extents[type, default: []].append(extent.clamped(to: Timestamp.writableSeconds))
    }

    /// Returns the days that samples of some extents may concern, as ranges that are far apart.
    ///
    /// - Parameters:
    ///   - extents: The instants at which the samples start.
    ///   - reach: The seconds to which a sample matters before its start and after it.
    ///   - rule: The rule for days.
    static func days(_ extents: [ClosedRange<Int>], reach: Int, _ rule: Days) -> [ClosedRange<Int>] {
        var found: [ClosedRange<Int>] = []
        for extent in extents.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            let reached = (extent.lowerBound - reach)...(extent.upperBound + reach)
            let instants = reached.clamped(to: Timestamp.writableSeconds)
            let days = rule.dayNumber(of: instants.lowerBound)...rule.dayNumber(of: instants.upperBound)
            if let last = found.last, days.lowerBound <= last.upperBound + 2 {
                found[found.count - 1] = last.lowerBound...max(last.upperBound, days.upperBound)
            } else {
                found.append(days)
            }
        }
        return found
    }
}
