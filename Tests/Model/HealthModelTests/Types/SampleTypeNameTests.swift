import HealthModel
import SampleBatches
import Testing

@Suite("How people name sample types")
struct SampleTypeNameTests {
    private func identifiers(_ text: String, held: Set<ExactName> = []) throws -> [String]? {
        try #require(SampleTypeName(parsing: text)).identifiers(among: held)
    }

    @Test("by the identifier, or in short and in any case")
    func types() throws {
        for text in [
            "HKQuantityTypeIdentifierHeartRate", "hkquantitytypeidentifierheartrate", "heartRate",
            "HEARTRATE",
        ] {
            #expect(try identifiers(text) == ["HKQuantityTypeIdentifierHeartRate"])
        }
        #expect(try identifiers("workout") == ["HKWorkoutTypeIdentifier"])
        #expect(try identifiers("GROUP:Heart") == identifiers("group:heart"))
    }

    @Test("every suggestion is understood")
    func suggestions() throws {
        #expect(
            SampleTypeName.suggestions.count == AnySampleType.known.count + SampleTypeGroup.allCases.count)
        for text in SampleTypeName.suggestions { #expect(try identifiers(text)?.isEmpty == false, "\(text)") }
    }

    @Test("as only the store knows them")
    func held() throws {
        let held: Set<ExactName> = ["HKDataTypeSleepDurationGoal", "ClinicalRecord/Observation"]
        #expect(try identifiers("sleepDurationGoal", held: held) == ["HKDataTypeSleepDurationGoal"])
        #expect(try identifiers("hkdatatypesleepdurationgoal", held: held) == ["HKDataTypeSleepDurationGoal"])
        #expect(try identifiers("ClinicalRecord/Observation", held: held) == ["ClinicalRecord/Observation"])
        #expect(try identifiers("sleepDurationGoal") == nil)
        #expect(try identifiers("heartRat", held: held) == nil)
    }

    @Test("not by nothing, nor by a group that does not exist", arguments: ["", "group:", "group:vital"])
    func none(text: String) { #expect(SampleTypeName(parsing: text) == nil) }

    @Test(
        "groups have the types that they list",
        arguments: [
            (SampleTypeGroup.activity, 39), (.body, 9), (.cycle, 17), (.hearing, 6), (.heart, 17),
            (.mobility, 10),
            (.nutrition, 42), (.respiratory, 8), (.sleep, 4), (.symptoms, 39), (.vitals, 8),
        ])
    func groups(group: SampleTypeGroup, count: Int) {
        #expect(group.types.count == count)
        #expect(Set(group.types).count == count)
    }
}
