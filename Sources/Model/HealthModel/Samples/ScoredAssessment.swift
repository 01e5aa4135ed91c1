/// The answers to a questionnaire about anxiety (GAD-7) or depression (PHQ-9).
public struct ScoredAssessment: Sendable, Equatable {
    /// Which questionnaire it is.
    public enum Questionnaire: Sendable, CaseIterable {
        /// Seven questions about anxiety.
        case gad7
        /// Nine questions about depression.
        case phq9

        /// Number of questions.
        public var questionCount: Int { self == .gad7 ? 7 : 9 }

        /// The minimum scores of the risk levels, from the second on.
        fileprivate var thresholds: [Int] { self == .gad7 ? [5, 10, 15] : [5, 10, 15, 20] }
    }

    /// The questionnaire.
    public let questionnaire: Questionnaire
    /// The answers, from 0 (not at all) to 3 (nearly every day).
    public let answers: [Int]

    /// Creates an assessment; nil if the number of answers or any answer is invalid.
    public init?(_ questionnaire: Questionnaire, answers: [Int]) {
        guard answers.count == questionnaire.questionCount, answers.allSatisfy((0...3).contains) else {
            return nil
        }
        self.questionnaire = questionnaire
        self.answers = answers
    }

    /// The sum of the answers.
    public var score: Int { answers.reduce(0, +) }

    /// The risk level, in HealthKit's numbers: from 1 (none or minimal) to 4 (GAD-7) or 5 (PHQ-9) for severe.
    ///
    /// The thresholds are 5, 10 and 15 for GAD-7 (Spitzer and others, 2006), and 5, 10, 15 and 20 for PHQ-9 (Kroenke
    /// and others, 2001).
    public var risk: Int { 1 + questionnaire.thresholds.count { score >= $0 } }
}
