import ByteText
import HealthModel
import HealthVault
import SystemIO
import Tables

/// Answers about what the archive contains.
extension ExposedArchive {
    /// Answers `overview`.
    func overview() -> ToolAnswer {
        var facts: [TableObject.Member] = []
        let extents = contents.types.compactMap { $0.days(by: days) }
        if let start = extents.map(\.lowerBound).min(), let end = extents.map(\.upperBound).max() {
            let isKnown = contents.types.allSatisfy { isWholeExtent($0) }
            let first = lone.map { days.day(of: $0.rest) } ?? start
            facts = [("firstDay", isKnown ? first : nil), ("lastDay", end)]
            if let lone {
                let note = lone.note("sample") { String(days.day(of: $0).description.prefix(7)) }
                facts.append(("farBefore", "\(note); firstDay is the first day of the rest"))
            }
            if !isKnown {
                facts.append(("note", "firstDay is null because there are samples before exposedSince"))
            }
        }
        if let exported = contents.exportDate {
            facts.append(("exportAgeDays", max(0, (SystemClock.now() - exported.seconds) / 86400)))
        }
        facts.append(("types", contents.types.count))
        if !isCut { facts.append(("samples", contents.types.total(\.count))) }
        if !isCut, !isSelection { facts.append(("sources", ForeignText.shown(contents.sources))) }
        facts += [
            ("singleSamples", allowed.singleSamples ? "exposed" : "not exposed: aggregates only"),
            ("places", allowed.places && allowed.singleSamples ? "on request" : "never exposed"),
        ]
        let groups = SampleTypeGroup.allCases.map { group in
            let members = Set(group.types)
            return (name: group.rawValue, types: contents.types.filter { members.contains($0.type) })
        }
        let columns: [TableColumn<(name: String, types: [TypeExtent])>] = [
            TableColumn("group") { $0.name }, TableColumn("types") { $0.types.count },
            TableColumn("samples") { isCut ? nil : $0.types.total(\.count) },
        ]
        return answer(Table("rows", groups.filter { !$0.types.isEmpty }, columns, facts: facts))
    }

    /// Answers `list_types`.
    func listTypes(_ arguments: ToolArguments) throws(ToolProblem) -> ToolAnswer {
        let place = try place(arguments)
        let members = arguments.text("group").flatMap { SampleTypeGroup(rawValue: $0) }.map { Set($0.types) }
        let word = arguments.text("search")?.lowercased()
        let found = contents.types.filter { extent in
            let names = [ForeignText.shown(extent.type.shortName), extent.type.title]
            return members?.contains(extent.type) ?? true
                && word.map { word in
                    names.contains { Substring($0.lowercased()).contains(text: word) }
                } ?? true
        }
        var table = Table(
            "rows", found.dropFirst(place),
            [
                TableColumn("type") { ForeignText.shown($0.type.shortName) },
                TableColumn("title") { ForeignText.shown($0.type.title) },
                TableColumn("kind") { $0.type.kind.rawValue },
                TableColumn("unit") { $0.type.preferredUnit(in: .metric)?.description },
                TableColumn("n") { isCut ? nil : $0.count },
                TableColumn("first") { isWholeExtent($0) ? $0.days(by: days)?.lowerBound : nil },
                TableColumn("last") { $0.days(by: days)?.upperBound },
            ])
        if isCut {
            let note =
                "n is null because only a part of the time is exposed, and first where there are samples before exposedSince"
            table.facts = [("note", note)]
        }
        return answer(table, total: found.count, place: place)
    }

    /// Whether all samples of a type are exposed: the first of those that are is known only by reading them otherwise.
    private func isWholeExtent(_ extent: TypeExtent) -> Bool {
        (extent.starts(by: days)?.lowerBound ?? .max) >= first
    }
}
