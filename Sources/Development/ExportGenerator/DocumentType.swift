/// The document type declaration at the head of an export.
struct DocumentType {
    private let version: Int

    init(_ version: GeneratorOptions.DTDVersion) { self.version = version.rawValue }

    private static let sample = "sourceName! sourceVersion device creationDate startDate! endDate!"
    private static let person = "HKCharacteristicTypeIdentifier"

    /// The attributes of a lens, each measure with its unit.
    private static let lens = [
        "sphere", "cylinder", "axis", "add", "vertex", "prismAmount", "prismAngle", "farPD", "nearPD",
        "baseCurve", "diameter",
    ].map { "\($0) \($0)Unit" }.joined(separator: " ")

    /// Elements with their contents, the columns in which the types of attributes begin, and the attributes.
    ///
    /// Required attributes end in `!`. What follows an `@` are the first and the last version that has it: `@8` is since
    /// 8, `@8-11` from 8 to 11, and `@-11` up to 11. The masked and clamped points came without a new number in iOS 18.1.
    private static let table = """
        HealthData (ExportDate,Me,(Record|Correlation|Workout|ActivitySummary|ClinicalRecord@8|Audiogram@13\
        |VisionPrescription@12)*) locale!
        ExportDate EMPTY value!
        Me EMPTY 50@-12 60@13 \(person)DateOfBirth! \(person)BiologicalSex! \(person)BloodType! \
        \(person)FitzpatrickSkinType! \(person)CardioFitnessMedicationsUse!@13
        Record@-3 (MetadataEntry*) 14 type! unit value \(sample)
        Record@8 ((MetadataEntry|HeartRateVariabilityMetadataList)*) 14 type! unit value \(sample)
        Correlation ((MetadataEntry|Record)*) 14 type! \(sample)
        Workout ((MetadataEntry|WorkoutEvent|WorkoutRoute@8|WorkoutStatistics@13)*) 22 workoutActivityType! duration \
        durationUnit totalDistance totalDistanceUnit totalEnergyBurned totalEnergyBurnedUnit \(sample)
        WorkoutActivity@12 ((MetadataEntry)*) 21 uuid! startDate! endDate duration durationUnit
        WorkoutEvent EMPTY@-12 ((MetadataEntry)*)@13 5@-3 13@8-11 21@12 type! date! duration@8 durationUnit@8
        WorkoutStatistics@12 EMPTY 21 type! startDate! endDate! average minimum maximum sum unit@13
        WorkoutRoute@8 ((MetadataEntry|Location@-8|FileReference@11)*) 14 \(sample)
        Location@8-8 EMPTY 19 date! latitude! longitude! altitude! horizontalAccuracy! verticalAccuracy! course! speed!
        FileReference@11 EMPTY path!
        ActivitySummary EMPTY 25 dateComponents activeEnergyBurned activeEnergyBurnedGoal activeEnergyBurnedUnit \
        appleMoveMinutes@11-11 appleMoveMinutesGoal@11-11 appleMoveTime@12 appleMoveTimeGoal@12 \
        appleExerciseTime appleExerciseTimeGoal appleStandHours appleStandHoursGoal
        MetadataEntry EMPTY 6 key! value!
        HeartRateVariabilityMetadataList@8 (InstantaneousBeatsPerMinute*)
        InstantaneousBeatsPerMinute@8 EMPTY 5 bpm! time!
        ClinicalRecord@8 EMPTY 18 type! identifier! sourceName! sourceURL! fhirVersion! receivedDate! resourceFilePath!
        Audiogram@11-12 EMPTY 14 type! \(sample)
        Audiogram@13 ((MetadataEntry|SensitivityPoint)*) 14 type! \(sample)
        SensitivityPoint@11 EMPTY 17 frequencyValue! frequencyUnit! leftEarValue leftEarUnit leftEarMasked@14 \
        leftEarClampingRangeLowerBound@14 leftEarClampingRangeUpperBound@14 rightEarValue rightEarUnit \
        rightEarMasked@14 rightEarClampingRangeLowerBound@14 rightEarClampingRangeUpperBound@14
        VisionPrescription@12-12 EMPTY 17 type! dateIssued! expirationDate! brand
        VisionPrescription@13 ((RightEye|LeftEye|Attachment|MetadataEntry)*) 17 type! dateIssued! expirationDate brand
        RightEye@12 EMPTY 17 \(lens)
        LeftEye@12 EMPTY 17 \(lens)
        Attachment@13 EMPTY 17 identifier
        MetadataEntry@12-12 EMPTY 17 key value
        """

    private static let notes = [
        "Correlation": "Records inside a correlation are listed at the top level as well.",
        "HeartRateVariabilityMetadataList":
            "A watch may list the single heartbeats behind a record of heart rate variability.",
    ]

    var text: String {
        let rows = Self.table.split(separator: "\n").enumerated().map { row, line in
            let words = line.split(separator: " ").map { kept(String($0)) }
            // A row of other versions.
            guard let element = words.first, !element.isEmpty else { return "" }
            return declaration(of: element, words.dropFirst().filter { !$0.isEmpty })
        }
        return "<!DOCTYPE HealthData [\n<!-- HealthKit Export Version: \(version) -->\n\(rows.joined())]>\n"
    }

    private func declaration(of element: String, _ words: [String]) -> String {
        let width = words.lazy.compactMap { Int($0) }.first ?? 0
        let attributes = words.dropFirst().filter { Int($0) == nil }
        let note = Self.notes[element].map { "<!-- Note: \($0) -->\n" } ?? ""
        let head = "\(note)<!ELEMENT \(element) \(words[0])>\n"
        guard !attributes.isEmpty else { return head }
        let lines = attributes.map { word in
            let name = word.filter { $0 != "!" }
            let gap = String(repeating: " ", count: max(1, width - name.utf8.count))
            return "  \(name)\(gap)CDATA \(word == name ? "#IMPLIED" : "#REQUIRED")\n"
        }
        return "\(head)<!ATTLIST \(element)\n\(lines.joined())\(ending(element, width))"
    }

    /// Returns the end of an attribute list, with the mistakes that make version 12, as it was released, not well-formed.
    ///
    /// The list of `VisionPrescription` is not closed, an attribute after `LeftEye` is outside any list, and `MetadataEntry`
    /// is declared twice and closed twice the second time.
    private func ending(_ element: String, _ width: Int) -> String {
        switch (version, element, width) {
        case (12, "VisionPrescription", _): ""
        case (12, "LeftEye", _): ">\n  device           CDATA #IMPLIED\n"
        case (12, "MetadataEntry", 17): ">\n>\n"
        default: ">\n"
        }
    }

    /// Returns a word of the table without the parts of other versions, and without what marks the versions.
    private func kept(_ word: String) -> String {
        let parts = word.split(separator: "|").map { part in
            let pieces = part.split(separator: "@", maxSplits: 1)
            guard pieces.count == 2 else { return "|\(part)" }
            let versions = pieces[1].prefix { $0.isNumber || $0 == "-" }
            let bounds = versions.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
            let isKept = (bounds[0] ?? 0)...((bounds.count > 1 ? bounds[1] : nil) ?? .max) ~= version
            return (isKept ? "|\(pieces[0])" : "") + pieces[1].dropFirst(versions.count)
        }
        return String(parts.joined().drop { $0 == "|" })
    }
}
