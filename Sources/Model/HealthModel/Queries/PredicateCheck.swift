import SampleBatches

/// Checks the rows of a batch against a predicate.
///
/// Source, device and unit are the same for all rows of a context, so they are checked once. Contents are also parsed
/// once, because many rows share them.
struct PredicateCheck {
    /// The result for a context, before its rows are read.
    private enum Verdict {
        case yes
        case no
        case open
    }

    private let part: SampleStorage.Part
    private let node: SamplePredicate.Node
    private let verdicts: [Verdict]
    /// The metadata of contents that were already parsed, by content number.
    private var metadata: [Int: Metadata] = [:]

    init(_ predicate: SamplePredicate, _ part: SampleStorage.Part) {
        self.part = part
        node = predicate.node
        verdicts = part.contexts.map { Self.verdict(predicate.node, $0) }
    }

    /// Returns whether a row matches.
    mutating func isWanted(_ row: RowPlace) -> Bool {
        let context = part.batch.context(at: row.cell)
        switch verdicts[context] {
        case .yes: return true
        case .no: return false
        case .open: return evaluate(node, row, part.contexts[context])
        }
    }

    private static func verdict(_ node: SamplePredicate.Node, _ context: SampleContext) -> Verdict {
        switch node {
        case .all: return .yes
        case .source(let filter):
            guard let source = context.source else { return .no }
            // Filters that need bundle identifiers were rejected before.
            return (try? filter.matches(source)) == true ? .yes : .no
        case .device(let property, let value):
            return context.device?.properties[property] == value ? .yes : .no
        case .activity(let type):
            guard let name = context.fields.text("workoutActivityType") else { return .open }
            return WorkoutActivityType(named: name) == type ? .yes : .no
        case .quantity(_, _, let unit):
            return context.unit?.isCompatible(with: unit) == true ? .open : .no
        case .number, .metadata, .category: return .open
        case .and(let left, let right):
            let both = (verdict(left, context), verdict(right, context))
            if both.0 == .no || both.1 == .no { return .no }
            return both == (.yes, .yes) ? .yes : .open
        case .or(let left, let right):
            let both = (verdict(left, context), verdict(right, context))
            if both.0 == .yes || both.1 == .yes { return .yes }
            return both == (.no, .no) ? .no : .open
        case .not(let node):
            switch verdict(node, context) {
            case .yes: return .no
            case .no: return .yes
            case .open: return .open
            }
        }
    }

    private mutating func evaluate(
        _ node: SamplePredicate.Node, _ row: RowPlace, _ context: SampleContext
    ) -> Bool {
        switch node {
        case .all, .source, .device: return Self.verdict(node, context) == .yes
        case .activity(let type):
            return text(context.fields["workoutActivityType"], row)
                .flatMap { WorkoutActivityType(named: $0) } == type
        case .metadata(let key, let value):
            // iOS 8 wrote it into attributes.
            if part.batch.key.element == "Record", context.metadataNames?.contains(key) == true,
                let text = text(context.fields[key], row), value == nil || value == text
            {
                return true
            }
            let metadata = metadata(of: row)
            return metadata.entries.contains { $0.key == key && (value == nil || $0.value == value) }
        case .category(let names): return text(context.value, row).map { names.contains($0) } ?? false
        case .quantity(let comparison, let limit, let unit):
            guard case .text(let cell)? = context.value, let number = part.batch.number(at: row.cell, cell),
                let value = context.unit?.conversion(to: unit).map({ $0(number) })
            else { return false }
            return comparison.holds(value, limit)
        case .number(let comparison, let limit):
            return part.number(context.value, at: row.cell).map { comparison.holds($0, limit) } ?? false
        case .and(let left, let right):
            return evaluate(left, row, context) && evaluate(right, row, context)
        case .or(let left, let right):
            return evaluate(left, row, context) || evaluate(right, row, context)
        case .not(let node): return !evaluate(node, row, context)
        }
    }

    private func text(_ field: ContextFields.Field?, _ row: RowPlace) -> String? {
        switch field {
        case .constant(let token)?: SampleText.text(ofToken: token)
        case .text(let cell)?: SampleText.text(ofToken: part.batch.token(at: row.cell, cell))
        default: nil
        }
    }

    private mutating func metadata(of row: RowPlace) -> Metadata {
        let number = part.batch.contentNumber(at: row.cell)
        if let known = metadata[number] { return known }
        let children = part.batch.content(at: row.cell).flatMap { try? ContentReader.children(of: $0) }
        let found = Metadata(content: children ?? [])
        metadata[number] = found
        return found
    }
}

extension SamplePredicate.Comparison {
    fileprivate func holds(_ value: Double, _ limit: Double) -> Bool {
        switch self {
        case .below: value < limit
        case .atMost: value <= limit
        case .equal: value == limit
        case .atLeast: value >= limit
        case .above: value > limit
        }
    }
}
