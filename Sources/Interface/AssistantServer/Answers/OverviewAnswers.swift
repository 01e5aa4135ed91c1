import ByteText
import HealthModel
import HealthVault
import SystemIO

/// Answers about what the archive contains.
extension ExposedArchive {
    /// Answers `overview`.
    func overview() -> ToolAnswer {
        var answer = answer()
        let extents = contents.types.compactMap { $0.days(by: days) }
        if let start = extents.map(\.lowerBound).min(), let end = extents.map(\.upperBound).max() {
            let isKnown = contents.types.allSatisfy { isWholeExtent($0) }
            answer.fact("firstDay") { $0.optional(isKnown ? start.description : nil) }
            answer.fact("lastDay", end.description)
            if !isKnown {
                answer.fact("note", "firstDay is null because there are samples before exposedSince")
            }
        }
        if let exported = contents.exportDate {
            answer.fact("exportAgeDays", max(0, (SystemClock.now() - exported.seconds) / 86400))
        }
        answer.fact("types", contents.types.count)
        if !isCut { answer.fact("samples", contents.types.total(\.count)) }
        if !isCut, !isSelection {
            let sources = ForeignText.shown(contents.sources)
            answer.fact("sources") { $0.array { writer in for name in sources { writer.string(name) } } }
        }
        answer.fact("singleSamples", allowed.singleSamples ? "exposed" : "not exposed: aggregates only")
        answer.fact("places", allowed.places && allowed.singleSamples ? "on request" : "never exposed")
        answer.columns = ["group", "types", "samples"]
        for group in SampleTypeGroup.allCases {
            let members = Set(group.types)
            let types = contents.types.filter { members.contains($0.type) }
            guard !types.isEmpty else { continue }
            answer.row { writer in
                writer.string(group.rawValue)
                writer.integer(types.count)
                if isCut { writer.null() } else { writer.integer(types.total(\.count)) }
            }
        }
        return answer
    }

    /// Answers `list_types`.
    func listTypes(_ arguments: ToolArguments) -> ToolAnswer {
        let members = arguments.text("group").flatMap { SampleTypeGroup(rawValue: $0) }.map { Set($0.types) }
        let word = arguments.text("search")?.lowercased()
        var answer = answer()
        if isCut {
            answer.fact(
                "note",
                "n is null because only a part of the time is exposed, and first where there are samples before exposedSince"
            )
        }
        answer.columns = ["type", "title", "kind", "unit", "n", "first", "last"]
        for extent in contents.types {
            let type = extent.type
            if let members, !members.contains(type) { continue }
            let name = ForeignText.shown(type.shortName)
            if let word,
                ![name, type.title].contains(where: { Substring($0.lowercased()).contains(text: word) })
            {
                continue
            }
            let own = extent.days(by: days)
            answer.row { writer in
                writer.string(name)
                writer.string(ForeignText.shown(type.title))
                writer.string(type.kind.rawValue)
                writer.optional(type.preferredUnit(in: .metric)?.description)
                if isCut { writer.null() } else { writer.integer(extent.count) }
                writer.optional(isWholeExtent(extent) ? own?.lowerBound.description : nil)
                writer.optional(own?.upperBound.description)
            }
        }
        return answer
    }

    /// Whether all samples of a type are exposed: the first of those that are is known only by reading them otherwise.
    private func isWholeExtent(_ extent: TypeExtent) -> Bool {
        (extent.starts(by: days)?.lowerBound ?? .max) >= first
    }
}
