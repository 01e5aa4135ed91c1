import ByteText
import HealthModel

/// A writer of the page, block by block.
struct PageWriter {
    private var writer = MarkupWriter()
    private let title: String
    private let subtitle: String
    /// Number of identifiers used so far.
    private var identifiers = 0

    init(_ title: String, _ subtitle: String) {
        self.title = title
        self.subtitle = subtitle
    }

    var bytes: [UInt8] { writer.bytes }

    /// The policy forbids every request and every script, even if a name in the source were not escaped.
    private static let policy =
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

    private static let chartWidth = 430.0
    private static let chartHeight = 150.0

    private mutating func identifier() -> String {
        identifiers += 1
        return "h\(identifiers)"
    }

    mutating func begin(_ sections: [ReportSection]) {
        writer.literal("<!DOCTYPE html><html lang=\"en\" data-by=\"healthvault\"><head>")
        writer.void("meta", ["charset": "utf-8"])
        writer.void("meta", ["http-equiv": "Content-Security-Policy", "content": Self.policy])
        writer.void("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
        writer.void("meta", ["name": "referrer", "content": "no-referrer"])
        writer.void("meta", ["name": "robots", "content": "noindex"])
        writer.element("title", text: title)
        PageStyle.write(to: &writer)
        writer.literal("</head><body>")
        writer.element("a", ["class": "skip", "href": "#content"], text: "Skip to the content")
        let (title, subtitle) = (title, subtitle)
        writer.element("header") { writer in
            writer.element("h1", text: title)
            writer.element("p", ["class": "note"], text: subtitle)
            writer.element(
                "p", ["class": "warning"],
                text: """
                    This page is not encrypted: everyone who has the file can read all of it. Keep it as you would \
                    keep a doctor's letter.
                    """)
        }
        writer.element("nav", ["aria-label": "Sections"]) { writer in
            writer.element("ul") { writer in
                for section in sections {
                    writer.element("li") { writer in
                        writer.element("a", ["href": "#\(section.rawValue)"], text: section.title)
                    }
                }
            }
        }
        writer.literal("<main id=\"content\">")
        if sections.isEmpty { writer.element("p", text: Chart.emptyText + ".") }
    }

    mutating func end(_ methods: [String]) {
        writer.literal("</main>")
        writer.element("footer") { writer in
            writer.element("h2", text: "Methods and limits")
            for text in methods { writer.element("p", text: text) }
            writer.element(
                "p", text: "Made by healthvault. The page makes no connection and contains no script.")
        }
        writer.literal("</body></html>\n")
    }

    mutating func write(_ section: ReportSection, _ blocks: [ReportBlock], _ days: Days) {
        writer.literal("<section aria-labelledby=\"")
        writer.write(section.rawValue)
        writer.literal("\">")
        writer.element("h2", ["id": section.rawValue], text: section.title)
        var isInGrid = false
        for block in blocks {
            // Adjacent charts are put beside each other.
            let isFigure = if case .figure = block { true } else { false }
            if isFigure != isInGrid { writer.literal(isFigure ? "<div class=\"grid\">" : "</div>") }
            isInGrid = isFigure
            write(block, section, days)
        }
        if isInGrid { writer.literal("</div>") }
        writer.literal("</section>")
    }

    private mutating func write(_ block: ReportBlock, _ section: ReportSection, _ days: Days) {
        switch block {
        case .text(let text): writer.element("p", text: text)
        case .heading(let text): writer.element("h3", text: text)
        case .facts(let facts): write(facts)
        case .figure(let figure): write(figure)
        case .table(let title, let table):
            if title.isEmpty {
                let first = table.columns.first?.title ?? ""
                Self.write(table, label: "\(section.title): \(first)", to: &writer)
            } else {
                Self.write(table, title: title, label: "\(section.title): \(title)", to: &writer)
            }
        case .coverage(let drawing, let table):
            let identifier = identifier()
            writer.element("figure") { writer in
                writer.element("h3", text: "Days with data, by month")
                drawing.write(
                    to: &writer, identifier: identifier, title: "Days with data, by month",
                    description: "The stronger the shade of a month, the more of its days have data.")
                writer.element(
                    "figcaption", text: "The stronger the shade of a month, the more of its days have data.")
                Self.write(table, title: "Table", label: "Days with data", to: &writer)
            }
        case .routes(let routes): write(routes)
        case .electrocardiogram(let recording):
            let identifier = identifier()
            writer.element("figure") { writer in
                ElectrocardiogramPaper(recording, days: days, rowSeconds: 6.4, isEmbedded: true)
                    .write(to: &writer, identifier: identifier)
            }
        }
    }

    private mutating func write(_ facts: [(name: String, value: String)]) {
        writer.element("dl", ["class": "facts"]) { writer in
            for fact in facts {
                writer.element("div") { writer in
                    writer.element("dt", text: fact.name)
                    writer.element("dd", text: fact.value)
                }
            }
        }
    }

    private mutating func write(_ figure: ReportFigure) {
        let identifier = identifier()
        writer.element("figure") { writer in
            writer.element("h3", text: figure.chart.title)
            SVGDrawing(
                figure.chart, width: Self.chartWidth, panelHeight: Self.chartHeight, isEmbedded: true
            ).write(to: &writer, identifier: identifier)
            writer.element("figcaption", text: figure.chart.caption)
            Self.write(figure.table, title: "Table", label: figure.chart.title, to: &writer)
        }
    }

    private mutating func write(_ routes: [RouteFigure]) {
        writer.literal("<div class=\"grid routes\">")
        for route in routes {
            let identifier = identifier()
            writer.element("figure") { writer in
                writer.element("h3", text: route.title)
                route.drawing.write(to: &writer, identifier: identifier, title: route.title)
                writer.element("figcaption", text: route.caption)
                if !route.splits.rows.isEmpty {
                    Self.write(route.splits, title: "Splits", label: route.title, to: &writer)
                }
            }
        }
        writer.literal("</div>")
    }

    /// Writes a table behind a heading that opens it.
    private static func write(
        _ table: ReportTable, title: String, label: String, to writer: inout MarkupWriter
    ) {
        writer.element("details") { writer in
            writer.element("summary", text: title)
            write(table, label: label, to: &writer)
        }
    }

    /// Writes a table that scrolls by itself where it is too wide, also by keyboard.
    private static func write(_ table: ReportTable, label: String, to writer: inout MarkupWriter) {
        writer.element(
            "div", ["class": "scroll", "tabindex": "0", "role": "region", "aria-label": label]
        ) { writer in
            writer.element("table") { writer in
                writer.element("thead") { writer in
                    writer.element("tr") { writer in
                        for column in table.columns {
                            writer.element(
                                "th", ["scope": "col", "class": "\(column.style)"],
                                text: column.title)
                        }
                    }
                }
                writer.element("tbody") { writer in
                    for row in table.rows {
                        writer.element("tr") { writer in
                            for (cell, column) in zip(row, table.columns) {
                                writer.element("td", ["class": "\(column.style)"], text: cell)
                            }
                        }
                    }
                }
            }
        }
    }
}
