import CivilTime

extension XMLStream {
    /// Writes the three rings of one day, counted back from the day before the export.
    mutating func activitySummary(_ index: Int) {
        var chance = context.chance(.activitySummary, index)
        let days = context.amounts.activitySummaries - index
        let day = context.time(at: context.span.upperBound - days * secondsPerDay).day
        element(
            "ActivitySummary",
            [
                "dateComponents": "\(day)",
                "activeEnergyBurned": chance.decimal(120_000...980_000, digits: 3),
                "activeEnergyBurnedGoal": 450, "activeEnergyBurnedUnit": "kcal",
                // Documents of version 11 use names that only later versions declare.
                "appleMoveTime": context.since(.v11, chance.below(120)),
                "appleMoveTimeGoal": context.since(.v11, 0),
                "appleExerciseTime": chance.below(95), "appleExerciseTimeGoal": 30,
                "appleStandHours": chance.below(17), "appleStandHoursGoal": 12,
            ])
    }

    /// Writes a hearing test: a threshold for each ear at each of seven frequencies.
    mutating func audiogram(_ index: Int) {
        var chance = context.chance(.audiogram, index)
        let instant = context.instant(index, of: context.amounts.audiograms, from: &chance)
        let time = context.time(at: instant)
        let attributes: XMLStream.Attributes = [
            "type": "HKDataTypeIdentifierAudiogram",
            "origin": context.provenance(of: .health, at: instant, from: &chance),
            "creationDate": time, "startDate": time, "endDate": time,
        ]
        element("Audiogram", attributes) { audiogram in
            audiogram.metadata("HKWasUserEntered", "1")
            let hasMasks = audiogram.context.version >= .v14
            for frequency in [125, 250, 500, 1000, 2000, 4000, 8000] {
                let ears = ["left", "right"].map { _ in
                    let value = FixedPoint(units: chance.pick(from: -20...90) * 5, digits: 1)
                    let isMasked = hasMasks ? chance.below(2) : nil
                    return (value: value, isMasked: isMasked, isClamped: hasMasks && chance.oneIn(7))
                }
                audiogram.element(
                    "SensitivityPoint",
                    [
                        "frequencyValue": frequency, "frequencyUnit": "Hz",
                        "leftEarValue": ears[0].value, "leftEarUnit": "dBHL",
                        "leftEarMasked": ears[0].isMasked,
                        "leftEarClampingRangeLowerBound": ears[0].isClamped ? -10 : nil,
                        "leftEarClampingRangeUpperBound": ears[0].isClamped ? 85 : nil,
                        "rightEarValue": ears[1].value, "rightEarUnit": "dBHL",
                        "rightEarMasked": ears[1].isMasked,
                        "rightEarClampingRangeLowerBound": ears[1].isClamped ? -10 : nil,
                        "rightEarClampingRangeUpperBound": ears[1].isClamped ? 85 : nil,
                    ])
            }
        }
    }

    /// Writes the element of a clinical record, which refers to a file.
    mutating func clinicalRecord(_ index: Int) {
        let record = ClinicalRecord(index, context)
        element(
            "ClinicalRecord",
            [
                "type": record.resource, "identifier": record.identifier, "sourceName": "Synthetic Clinic",
                "sourceURL": "https://fhir.example.org/\(record.isOld ? "dstu2" : "r4")/\(record.resource)/"
                    + record.identifier,
                "fhirVersion": record.isOld ? "1.0.2" : "4.0.1",
                "receivedDate": context.time(at: record.received),
                "resourceFilePath": "/\(record.fileName)",
            ])
    }

    /// Writes a prescription for glasses or contact lenses, with a scan of the paper from version 13 on.
    mutating func visionPrescription(_ index: Int) {
        var chance = context.chance(.visionPrescription, index)
        let attachment = chance.identifier()
        let issued = context.instant(index, of: context.amounts.visionPrescriptions, from: &chance)
        let isForContacts = index % 2 == 1
        let attributes: XMLStream.Attributes = [
            "type": "HKVisionPrescriptionTypeIdentifier", "dateIssued": context.time(at: issued),
            "expirationDate": context.time(at: issued + 730 * secondsPerDay),
            "brand": isForContacts ? "Example & Daughters" : nil,
        ]
        element("VisionPrescription", attributes) { prescription in
            for eye in ["RightEye", "LeftEye"] {
                func measure(_ thousandths: ClosedRange<Int>, _ isPresent: Bool = true) -> FixedPoint? {
                    isPresent ? chance.decimal(thousandths, digits: 1) : nil
                }
                let isForGlasses = !isForContacts
                prescription.element(
                    eye,
                    [
                        "sphere": measure(-6_000...2_000), "sphereUnit": "D",
                        "cylinder": measure(-2_000...0), "cylinderUnit": "D",
                        "axis": measure(0...180_000), "axisUnit": "deg",
                        "baseCurve": measure(8_300...9_000, isForContacts),
                        "baseCurveUnit": isForContacts ? "mm" : nil,
                        "diameter": measure(13_800...14_500, isForContacts),
                        "diameterUnit": isForContacts ? "mm" : nil,
                        "add": measure(0...2_500, isForGlasses), "addUnit": isForGlasses ? "D" : nil,
                        "vertex": measure(12_000...14_000, isForGlasses),
                        "vertexUnit": isForGlasses ? "mm" : nil,
                        "farPD": measure(29_000...34_000, isForGlasses),
                        "farPDUnit": isForGlasses ? "mm" : nil,
                    ])
            }
            if prescription.context.version >= .v13 {
                prescription.element("Attachment", ["identifier": attachment])
            }
            prescription.metadata("HKGlassesPrescriptionDescription", "Synthetic <reading> glasses")
        }
    }
}
