/// The changes of each version in reverse: from a version to the one before it.
extension DocumentType {
    /// Removes masked and clamped audiogram points, which iOS 18.1 added without a new version number.
    mutating func rewindTo13() {
        edit("SensitivityPoint") { point in
            point.attributes.removeAll { $0.name.hasSuffix("Masked") || $0.name.hasSuffix("Bound") }
        }
    }

    mutating func rewindTo12() {
        edit("HealthData") { $0.removeChild("Audiogram") }
        edit("Me") { person in
            person.remove("HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse")
            person.width = 50
        }
        edit("Workout") { $0.removeChild("WorkoutStatistics") }
        edit("WorkoutEvent") { $0.content = "EMPTY" }
        edit("WorkoutStatistics") { $0.remove("unit") }
        edit("Audiogram") { $0.content = "EMPTY" }
        edit("VisionPrescription") { prescription in
            prescription.content = "EMPTY"
            prescription.attributes[2].isRequired = true
        }
        remove("Attachment")
    }

    /// Adds the mistakes that version 12 was released with, which make it not well-formed.
    ///
    /// The attribute list of `VisionPrescription` is not closed, an attribute after `LeftEye` is outside any list, and
    /// `MetadataEntry` is declared twice and closed twice the second time.
    mutating func breakAsReleased() {
        edit("VisionPrescription") { $0.closing = "" }
        edit("LeftEye") { $0.closing = ">\n  device           CDATA #IMPLIED\n" }
        var metadata = Declaration("MetadataEntry", "EMPTY", "key value", width: 17)
        metadata.closing = ">\n>\n"
        add(metadata)
    }

    mutating func rewindTo11() {
        edit("HealthData") { $0.removeChild("VisionPrescription") }
        remove("WorkoutActivity", "WorkoutStatistics", "VisionPrescription", "RightEye", "LeftEye")
        edit("WorkoutEvent") { $0.width = 13 }
        edit("ActivitySummary") { summary in
            summary.attributes = summary.attributes.map { attribute in
                let name = attribute.name.replacing("appleMoveTime", with: "appleMoveMinutes")
                return Declaration.Attribute(name: name, isRequired: attribute.isRequired)
            }
        }
    }

    mutating func rewindTo8() {
        edit("WorkoutRoute") { $0.content = "((MetadataEntry|Location)*)" }
        replace(
            "FileReference",
            with: Declaration(
                "Location", "EMPTY",
                "date! latitude! longitude! altitude! horizontalAccuracy! verticalAccuracy! course! speed!",
                width: 19))
        edit("ActivitySummary") { $0.remove("appleMoveMinutes", "appleMoveMinutesGoal") }
        remove("Audiogram", "SensitivityPoint")
    }

    mutating func rewindTo3() {
        edit("HealthData") { $0.removeChild("ClinicalRecord") }
        edit("Record") { $0.content = "(MetadataEntry*)" }
        edit("Workout") { $0.removeChild("WorkoutRoute") }
        edit("WorkoutEvent") { event in
            event.remove("duration", "durationUnit")
            event.width = 5
        }
        remove(
            "WorkoutRoute", "Location", "HeartRateVariabilityMetadataList", "InstantaneousBeatsPerMinute",
            "ClinicalRecord")
    }
}
