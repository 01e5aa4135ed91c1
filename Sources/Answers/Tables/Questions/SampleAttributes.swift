package import HealthModel

/// An attribute of a sample that no column of `query` is for.
package struct SampleAttribute: TableCell {
    /// The name, as in the source.
    package let name: String
    /// The text; an instant in the zone of the days.
    package let text: String

    package var cellText: String { "\(name)=\(text)" }
}

extension AnySample {
    /// Returns the attributes that no column of `query` is for, in the order written; times in the zone of `time`.
    ///
    /// Apple adds elements, such as doses of medications, before anyone knows them: their attributes say all there is.
    package func otherAttributes(_ time: LocalTime) -> [SampleAttribute] {
        var seen = Self.inColumns[sampleType, default: []].union(Self.inAllColumns)
        // iOS 8 writes metadata as attributes.
        seen.formUnion(row.context.metadataNames ?? [])
        return row.attributeNames.filter { seen.insert($0).inserted }.map { name in
            SampleAttribute(name: name, text: row.time(name).map { time.iso($0) } ?? self[name] ?? "")
        }
    }

    /// Returns these attributes for people, if Apple's format does not define the element.
    package func shownAttributes(_ time: LocalTime) -> [String] {
        guard sampleType.kind == .other, !sampleType.isKnown, element != "ClinicalRecord" else { return [] }
        return otherAttributes(time).filter { !$0.text.isEmpty }.map { attribute in
            "\(attribute.name) \(row.time(attribute.name).map { time.text($0) } ?? attribute.text)"
        }
    }

    private static let inAllColumns: Set<String> = [
        "type", "value", "unit", "startDate", "endDate", "creationDate", "sourceName", "sourceVersion",
        "device",
    ]

    /// The attributes that types of their own columns have there.
    private static let inColumns: [AnySampleType: Set<String>] = [
        .workout: [
            "workoutActivityType", "duration", "durationUnit", "totalDistance", "totalDistanceUnit",
            "totalEnergyBurned", "totalEnergyBurnedUnit",
        ],
        .activitySummary: Set(QueryTable.rings + ["dateComponents"]),
    ]
}
