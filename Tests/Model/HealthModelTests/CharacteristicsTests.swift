import ByteText
import HealthModel
import Testing

@Suite("Characteristics")
struct CharacteristicsTests {
    private func birth(_ text: String) -> CivilDate? {
        Characteristics([AnySampleType.dateOfBirth.identifier: text]).dateOfBirth
    }

    @Test(
        "have the same day of birth in every time zone",
        arguments: [-1439, -720, -570, -60, -1, 0, 1, 60, 120, 345, 840, 1439])
    func dayOfBirth(offset: Int) throws {
        let days = Days(offsetMinutes: offset)
        for text in ["1899-12-31", "1969-12-31", "1970-01-01", "1987-03-27", "2000-02-29"] {
            let day = try #require(birth(text))
            #expect(day.description == text)
            #expect(days.day(of: days.start(of: day)) == day)
            #expect(days.day(of: days.start(of: day) + 86399) == day)
        }
    }

    @Test(
        "have no day of birth where it is not one",
        arguments: ["", "1987-02-29", "1987-3-27", "27.03.1987", "1987-03-27T00:00:00+00:00", "0000-01-01"])
    func noDay(text: String) { #expect(birth(text) == nil) }

    @Test("are read by their names")
    func names() {
        let characteristics = Characteristics([
            "HKCharacteristicTypeIdentifierBiologicalSex": "HKBiologicalSexFemale",
            "HKCharacteristicTypeIdentifierBloodType": "HKBloodTypeABPositive",
            "HKCharacteristicTypeIdentifierFitzpatrickSkinType": "HKFitzpatrickSkinTypeIV",
            "HKCharacteristicTypeIdentifierWheelchairUse": "HKWheelchairUseNo",
            "HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse": "None",
        ])
        #expect(characteristics.biologicalSex == .female && characteristics.bloodType == .abPositive)
        #expect(characteristics.fitzpatrickSkinType == .four && characteristics.wheelchairUse == .no)
        #expect(characteristics[.bloodType] == "HKBloodTypeABPositive")
        let unknown = AnySampleType("HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse")
        #expect(characteristics[unknown] == "None" && unknown.kind == .characteristic)
    }

    @Test("that are not stated, or in a way that is not known, are none")
    func missing() {
        let names = ["BiologicalSex", "BloodType", "DateOfBirth", "FitzpatrickSkinType", "WheelchairUse"]
        for text in [nil, "", "HKBloodTypeCPositive", "hkbloodtypeapositive", "1"] {
            let values = names.map { ("HKCharacteristicTypeIdentifier" + $0, text) }
            let characteristics = Characteristics(
                Dictionary(uniqueKeysWithValues: values).compactMapValues { $0 })
            #expect(characteristics.dateOfBirth == nil && characteristics.biologicalSex == nil)
            #expect(characteristics.bloodType == nil && characteristics.fitzpatrickSkinType == nil)
            #expect(characteristics.wheelchairUse == nil)
        }
    }
}
