import ByteText
import HealthModel

/// A part of a section.
enum ReportBlock: Sendable {
    /// A paragraph.
    case text(String)
    /// A heading within the section.
    case heading(String)
    /// A few numbers that matter most.
    case facts([(name: String, value: String)])
    /// A chart with its table.
    case figure(ReportFigure)
    /// A table; one without a title is always visible.
    case table(title: String, ReportTable)
    /// A calendar of what is covered.
    case coverage(CoverageDrawing, ReportTable)
    /// The routes of workouts.
    case routes([RouteFigure])
    /// An electrocardiogram.
    case electrocardiogram(Electrocardiogram)
}

/// A chart with a caption and the table behind it.
struct ReportFigure: Sendable {
    /// The title of the chart says what is to be seen, and its caption what it is based on.
    var chart: Chart
    var table: ReportTable
}

/// The route of a workout.
struct RouteFigure: Sendable {
    var title: String
    var caption: String
    var drawing: RouteDrawing
    var splits: ReportTable
}

/// A table.
struct ReportTable: Sendable {
    /// A column, with the class of its cells.
    struct Column: Sendable {
        let title: String
        let style: StaticString
    }

    let columns: [Column]
    var rows: [[String]] = []

    /// Creates a table from the titles of its columns; those of numbers begin with `#`, those of dates with `@`.
    init(_ titles: String...) { self.init(titles) }

    /// Creates a table from the titles of its columns.
    init(_ titles: [String]) {
        columns = titles.map { title in
            switch title.first {
            case "#": Column(title: String(title.dropFirst()), style: "u")
            case "@": Column(title: String(title.dropFirst()), style: "d")
            default: Column(title: title, style: "")
            }
        }
    }
}
