/// A section of a report.
public enum ReportSection: String, Sendable, CaseIterable {
    /// What is covered, by which sources, and where nothing was recorded.
    case overview
    /// Movement and energy by year, month and weekday.
    case activity
    /// The heart: rate, variability, fitness.
    case heart
    /// Nights, their stages and their regularity.
    case sleep
    /// Measurements of the body and vital signs.
    case body
    /// Workouts, with the routes of the latest.
    case workouts
    /// Electrocardiograms.
    case ecg
    /// Sound levels and hearing tests.
    case hearing
    /// Food and drink.
    case nutrition
    /// Symptoms.
    case symptoms
    /// Medications and other records from institutions.
    case clinical
    /// Best days and longest streaks.
    case records
    /// What sources recorded, and how they were merged.
    case sources

    /// The heading.
    public var title: String {
        switch self {
        case .overview: "Overview"
        case .activity: "Activity"
        case .heart: "Heart"
        case .sleep: "Sleep"
        case .body: "Body and vital signs"
        case .workouts: "Workouts"
        case .ecg: "Electrocardiograms"
        case .hearing: "Hearing"
        case .nutrition: "Nutrition"
        case .symptoms: "Symptoms"
        case .clinical: "Medications and clinical records"
        case .records: "Records and streaks"
        case .sources: "Sources and how they were merged"
        }
    }
}
