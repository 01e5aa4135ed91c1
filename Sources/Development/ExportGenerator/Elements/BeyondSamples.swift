import ByteText

/// A record from a clinic: an element that refers to a file with a FHIR resource.
///
/// Clinics send resources in different versions of FHIR; real exports mix them, too.
struct ClinicalRecord {
    private static let resources = [
        "Observation", "DiagnosticReport", "MedicationOrder", "Patient", "Procedure",
    ]

    let resource: String
    let identifier: String
    let received: Int

    init(_ index: Int, _ context: ExportContext) {
        var chance = context.chance(.clinicalRecord, index)
        resource = Self.resources[index % Self.resources.count]
        identifier = chance.identifier()
        received = context.instant(index, of: context.clinicalFiles, from: &chance)
    }

    /// Whether the resource is one of an old version of FHIR.
    var isOld: Bool { resource == "MedicationOrder" }

    /// The file's name relative to the export.
    var fileName: String { "clinical-records/\(resource)-\(identifier).json" }
}

extension XMLStream {
    /// Writes the three rings of one day, counted back from the day before the export.
    mutating func activitySummary(_ index: Int) {
        var chance = context.chance(.activitySummary, index)
        let days = context.activitySummaries - index
        let day = context.time(at: context.span.upperBound - days * secondsPerDay).day
        let attributes: Attributes = [
            "dateComponents": "\(day)",
            "activeEnergyBurned": chance.decimal(120_000...980_000, digits: 3),
            "activeEnergyBurnedGoal": 450, "activeEnergyBurnedUnit": "kcal",
            // Documents of version 11 use names that only later versions declare.
            "appleMoveTime": context.since(.v11, chance.below(120)),
            "appleMoveTimeGoal": context.since(.v11, 0),
            "appleExerciseTime": chance.below(95), "appleExerciseTimeGoal": 30,
            "appleStandHours": chance.below(17), "appleStandHoursGoal": 12,
        ]
        element("ActivitySummary", attributes)
    }

    /// Writes a hearing test: a threshold for each ear at each of seven frequencies.
    mutating func audiogram(_ index: Int) {
        var chance = context.chance(.audiogram, index)
        let instant = context.instant(index, of: context.audiograms, from: &chance)
        let time = context.time(at: instant)
        let attributes: Attributes = [
            "type": "HKDataTypeIdentifierAudiogram",
            "origin": context.provenance(of: .health, at: instant, from: &chance),
            "creationDate": time, "startDate": time, "endDate": time,
        ]
        element("Audiogram", attributes) { audiogram in
            audiogram.metadata("HKWasUserEntered", "1")
            let hasMasks = audiogram.context.version >= .v14
            for frequency in [125, 250, 500, 1000, 2000, 4000, 8000] {
                func ear() -> (value: FixedPoint, masked: Int?, lower: Int?, upper: Int?) {
                    let value = FixedPoint(units: chance.pick(from: -20...90) * 5, digits: 1)
                    let masked = hasMasks ? chance.below(2) : nil
                    return hasMasks && chance.oneIn(7) ? (value, masked, -10, 85) : (value, masked, nil, nil)
                }
                let (left, right) = (ear(), ear())
                let attributes: Attributes = [
                    "frequencyValue": frequency, "frequencyUnit": "Hz",
                    "leftEarValue": left.value, "leftEarUnit": "dBHL", "leftEarMasked": left.masked,
                    "leftEarClampingRangeLowerBound": left.lower,
                    "leftEarClampingRangeUpperBound": left.upper,
                    "rightEarValue": right.value, "rightEarUnit": "dBHL", "rightEarMasked": right.masked,
                    "rightEarClampingRangeLowerBound": right.lower,
                    "rightEarClampingRangeUpperBound": right.upper,
                ]
                audiogram.element("SensitivityPoint", attributes)
            }
        }
    }

    /// Writes the element of a clinical record, which refers to a file.
    mutating func clinicalRecord(_ index: Int) {
        let record = ClinicalRecord(index, context)
        let path = record.isOld ? "dstu2" : "r4"
        let attributes: Attributes = [
            "type": record.resource, "identifier": record.identifier, "sourceName": "Synthetic Clinic",
            "sourceURL": "https://fhir.example.org/\(path)/\(record.resource)/\(record.identifier)",
            "fhirVersion": record.isOld ? "1.0.2" : "4.0.1",
            "receivedDate": context.time(at: record.received), "resourceFilePath": "/\(record.fileName)",
        ]
        element("ClinicalRecord", attributes)
    }

    /// Writes a prescription for glasses or contact lenses, with a scan of the paper from version 13 on.
    mutating func visionPrescription(_ index: Int) {
        var chance = context.chance(.visionPrescription, index)
        let attachment = chance.identifier()
        let issued = context.instant(index, of: context.visionPrescriptions, from: &chance)
        let isForContacts = index % 2 == 1
        let attributes: Attributes = [
            "type": "HKVisionPrescriptionTypeIdentifier", "dateIssued": context.time(at: issued),
            "expirationDate": context.time(at: issued + 730 * secondsPerDay),
            "brand": isForContacts ? "Example & Daughters" : nil,
        ]
        element("VisionPrescription", attributes) { prescription in
            for eye in ["RightEye", "LeftEye"] {
                func measure(_ thousandths: ClosedRange<Int>) -> FixedPoint {
                    chance.decimal(thousandths, digits: 1)
                }
                let sphere: Attributes = [
                    "sphere": measure(-6_000...2_000), "sphereUnit": "D", "cylinder": measure(-2_000...0),
                    "cylinderUnit": "D", "axis": measure(0...180_000), "axisUnit": "deg",
                ]
                let fit: Attributes =
                    isForContacts
                    ? [
                        "baseCurve": measure(8_300...9_000), "baseCurveUnit": "mm",
                        "diameter": measure(13_800...14_500), "diameterUnit": "mm",
                    ]
                    : [
                        "add": measure(0...2_500), "addUnit": "D", "vertex": measure(12_000...14_000),
                        "vertexUnit": "mm", "farPD": measure(29_000...34_000), "farPDUnit": "mm",
                    ]
                prescription.element(eye, sphere, fit)
            }
            if prescription.context.version >= .v13 {
                prescription.element("Attachment", ["identifier": attachment])
            }
            prescription.metadata("HKGlassesPrescriptionDescription", "Synthetic <reading> glasses")
        }
    }
}
