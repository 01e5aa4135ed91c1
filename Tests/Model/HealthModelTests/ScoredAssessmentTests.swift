import HealthModel
import Testing

@Suite("Questionnaires")
struct ScoredAssessmentTests {
    private typealias Questionnaire = ScoredAssessment.Questionnaire

    @Test("have a level for every score, which rises at the limits")
    func scores() throws {
        let known: [(Questionnaire, [Int])] = [(.gad7, [5, 10, 15]), (.phq9, [5, 10, 15, 20])]
        for (questionnaire, limits) in known {
            let count = questionnaire.questionCount
            for score in 0...(3 * count) {
                // As many threes as fit, then the rest.
                let answers = (0..<count).map { min(3, max(0, score - 3 * $0)) }
                let assessment = try #require(ScoredAssessment(questionnaire, answers: answers))
                #expect(assessment.score == score)
                #expect(assessment.risk == 1 + limits.filter { $0 <= score }.count)
            }
        }
    }

    @Test("with a wrong number of answers, or an answer that is none, do not exist")
    func refusals() {
        for questionnaire in Questionnaire.allCases {
            let count = questionnaire.questionCount
            for other in 0...20 where other != count {
                let answers = [Int](repeating: 1, count: other)
                #expect(ScoredAssessment(questionnaire, answers: answers) == nil)
            }
            for place in 0..<count {
                for answer in [-1, 4, .min, .max] {
                    var answers = [Int](repeating: 3, count: count)
                    answers[place] = answer
                    #expect(ScoredAssessment(questionnaire, answers: answers) == nil)
                }
            }
        }
    }
}
