/// Everything before the records: the declarations, the root element, the date and the person.
struct DocumentHead {
    /// The person's birthday, which the electrocardiograms repeat.
    private static let birthday = CivilDate(year: 1987, month: 3, day: 27)

    let context: ExportContext

    func append(to stream: inout XMLStream) {
        stream.text.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        if let version = context.options.dtdVersion { DocumentType(version).append(to: &stream.text) }
        stream.text.append("<HealthData locale=\"")
        stream.text.append(escaped: context.options.locale)
        stream.text.append("\">\n")
        stream.element("ExportDate") { date in
            date.attribute("value", context.span.upperBound, context.clock)
        }
        stream.element("Me", appendPerson)
    }

    /// Appends the person's attributes.
    ///
    /// Documents of version 12 have the medications attribute, although their declaration lacks it.
    private func appendPerson(to person: inout XMLStream) {
        var chance = context.chance(.person)
        person.attribute("HKCharacteristicTypeIdentifierDateOfBirth") { text in
            WallTime(Self.birthday.daysSince1970 * secondsPerDay).appendDate(to: &text)
        }
        person.attribute("HKCharacteristicTypeIdentifierBiologicalSex", "HKBiologicalSexFemale")
        person.attribute(
            "HKCharacteristicTypeIdentifierBloodType",
            chance.pick(from: ["HKBloodTypeNotSet", "HKBloodTypeAPositive", "HKBloodTypeONegative"]))
        person.attribute(
            "HKCharacteristicTypeIdentifierFitzpatrickSkinType",
            chance.pick(from: ["HKFitzpatrickSkinTypeNotSet", "HKFitzpatrickSkinTypeIII"]))
        guard context.version >= .v12 else { return }
        person.attribute("HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse", "None")
    }
}
