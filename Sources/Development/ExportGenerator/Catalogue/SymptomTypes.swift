extension Catalogue {
    static let symptomTypes: [RecordProfile] = [
        symptom("Headache"),
        symptom("Fatigue"),
        symptom("Fever"),
        symptom("Coughing"),
        symptom("SoreThroat"),
        symptom("Nausea"),
        symptom("LowerBackPain"),
        symptom("MoodChanges", .members(of: "Presence", "Present", "NotPresent")),
        symptom(
            "AppetiteChanges",
            .members(of: "AppetiteChanges", "Unspecified", "NoChange", "Decreased", "Increased")),
    ]

    private static func symptom(_ name: String, _ value: ValueShape = .severity) -> RecordProfile {
        .category(
            name, value, weight: 2, since: 2020, from: [.health, .diary], every: 43_200,
            lasting: 0...43_200, .userEntered)
    }
}
