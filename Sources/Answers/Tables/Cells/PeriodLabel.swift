package import ByteText

extension CalendarUnit {
    /// Returns the label of a period that starts on a day: its month, its year, or that day.
    package func label(startingOn day: CivilDate) -> String {
        let text = day.description
        return switch self {
        case .month: String(text.prefix(7))
        case .year: String(text.prefix(4))
        case .hour, .day, .week: text
        }
    }
}
