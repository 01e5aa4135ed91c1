import ByteText
import HealthModel

/// A state of mind or the score of a questionnaire, as a record of which Apple's format says nothing.
enum SurveyObservation: Sendable {
    /// Returns whether samples of a type are surveys.
    static func isSurvey(_ type: AnySampleType) -> Bool {
        type == .stateOfMind || type == .gad7 || type == .phq9
    }

    static func write(_ sample: AnySample, _ observation: inout SampleObservation) {
        let record = UntypedRecord(row: sample.row)
        if sample.sampleType == .stateOfMind {
            writeStateOfMind(record, &observation)
        } else {
            writeScore(record, sample.sampleType == .gad7 ? .gad7 : .phq9, &observation)
        }
        observation.omit(.nestedElements, sample.row.children.count - sample.metadata.entries.count)
    }

    /// The parts of a state of mind, by the last word of the metadata key or the attribute.
    private static let parts: [(word: String, code: String, title: String)] = [
        ("Kind", "HKStateOfMindKind", "State of Mind Kind"),
        (
            "ValenceClassification", "HKStateOfMindValenceClassification",
            "State of Mind Valence Classification"
        ),
        ("Valence", "HKStateOfMindValence", "State of Mind Valence"),
        ("Label", "HKStateOfMindLabel", "State of Mind Label"),
        ("Association", "HKStateOfMindAssociation", "State of Mind Association"),
    ]

    private static func writeStateOfMind(_ record: UntypedRecord, _ observation: inout SampleObservation) {
        let valence = parts[2]
        if let text = record.valueText, record.value != nil {
            addNumber(text, [.apple(valence.code, valence.title)], &observation)
        }
        for entry in record.metadata.entries where entry.key.hasPrefix("HKStateOfMind") {
            guard let part = parts.first(where: { entry.key.hasSuffix($0.word) }) else { continue }
            let codings = [FHIRCoding.apple(part.code, part.title)]
            if part.word == valence.word {
                addNumber(entry.value, codings, &observation)
            } else if let code = FHIRText.code(entry.value) {
                observation.add(codings) { writer in
                    let system = systems + part.code.lowercased()
                    writer.concept("valueCodeableConcept", [FHIRCoding(system: system, code: code)])
                }
            }
        }
        if !observation.hasComponents {
            guard let text = record.valueText.flatMap({ FHIRText.string($0) }) else {
                observation.giveUp(.unreadableValues)
                return
            }
            observation.setValue { $0.member("valueString", text) }
        }
    }

    private static let systems = "https://developer.apple.com/documentation/healthkit/"

    private static func addNumber(
        _ text: String, _ codings: [FHIRCoding], _ observation: inout SampleObservation
    ) {
        guard let quantity = ObservedQuantity(text, FHIRUnit(.null, name: "1")) else { return }
        observation.add(codings) { $0.quantity("valueQuantity", quantity) }
    }

    /// Writes a score, or the answers as a list such as `2;3;0;1;1;0;2`, from which it is computed.
    private static func writeScore(
        _ record: UntypedRecord, _ questionnaire: ScoredAssessment.Questionnaire,
        _ observation: inout SampleObservation
    ) {
        let text = record.valueText ?? ""
        let answers = text.split { ";, ".contains($0) }.compactMap { Int($0) }
        if answers.count > 1, let assessment = ScoredAssessment(questionnaire, answers: answers) {
            setScore("\(assessment.score)", &observation)
            for (item, answer) in zip(QuestionnaireCodes(questionnaire).items, assessment.answers) {
                observation.add([item]) { writer in
                    writer.concept("valueCodeableConcept", [QuestionnaireCodes.answers[answer]])
                }
            }
            observation.add([.apple("HKScoredAssessment.risk", "Risk")]) { writer in
                writer.member("valueInteger", assessment.risk)
            }
        } else if record.value != nil {
            setScore(text, &observation)
        } else {
            observation.giveUp(.unreadableValues)
        }
    }

    private static func setScore(_ text: String, _ observation: inout SampleObservation) {
        guard let quantity = ObservedQuantity(text, FHIRUnit(.appleEffortScore)) else { return }
        observation.setValue { $0.quantity("valueQuantity", quantity) }
    }
}

/// The LOINC codes of a questionnaire.
struct QuestionnaireCodes: Sendable {
    /// Its questions, in their order.
    let items: [FHIRCoding]

    init(_ questionnaire: ScoredAssessment.Questionnaire) {
        switch questionnaire {
        case .gad7:
            items = [
                .loinc("69725-0", "Feeling nervous, anxious or on edge"),
                .loinc("68509-9", "Not being able to stop or control worrying"),
                .loinc("69733-4", "Worrying too much about different things"),
                .loinc("69734-2", "Trouble relaxing"),
                .loinc("69735-9", "Being so restless that it is hard to sit still"),
                .loinc("69689-8", "Becoming easily annoyed or irritable"),
                .loinc("69736-7", "Feeling afraid as if something awful might happen"),
            ]
        case .phq9:
            items = [
                .loinc("44250-9", "Little interest or pleasure in doing things"),
                .loinc("44255-8", "Feeling down, depressed, or hopeless"),
                .loinc("44259-0", "Trouble falling or staying asleep, or sleeping too much"),
                .loinc("44254-1", "Feeling tired or having little energy"),
                .loinc("44251-7", "Poor appetite or overeating"),
                .loinc("44258-2", "Feeling bad about yourself"),
                .loinc("44252-5", "Trouble concentrating on things"),
                .loinc("44253-3", "Moving or speaking slowly, or being fidgety or restless"),
                .loinc("44260-8", "Thoughts that you would be better off dead"),
            ]
        }
    }

    /// The possible answers, by their number.
    static let answers: [FHIRCoding] = [
        .loinc("LA6568-5", "Not at all"), .loinc("LA6569-3", "Several days"),
        .loinc("LA6570-1", "More than half the days"), .loinc("LA6571-9", "Nearly every day"),
    ]
}
