import ByteText

/// A strip for each group of types, with the months in which it has data: the more days, the stronger the shade.
struct CoverageDrawing: Sendable {
    /// The groups with the share of days with data by month, counted from January of year 0.
    var groups: [(name: String, shares: [Int: Double])]
    /// The months of the axis.
    var months: ClosedRange<Int>

    private static let left = 76.0
    private static let width = 430.0
    private static let row = 18.0

    private var cell: Double { (Self.width - Self.left - 8) / Double(months.count) }

    func write(to writer: inout MarkupWriter, identifier: String, title: String, description: String) {
        let height = Double(groups.count) * Self.row + 26
        writer.element(
            "svg",
            [
                "class": "hv wide", "viewBox": "0 0 \(SVGText.number(Self.width)) \(SVGText.number(height))",
                "role": "img", "aria-labelledby": "\(identifier)t \(identifier)d",
            ]
        ) { writer in
            writer.element("title", ["id": "\(identifier)t"], text: title)
            writer.element("desc", ["id": "\(identifier)d"], text: description)
            for (index, group) in groups.enumerated() { write(group, index, to: &writer) }
            let bottom = Double(groups.count) * Self.row + 16
            // The years with labels are as far apart as each other.
            let distance = max(1, Int((32 / (12 * cell)).rounded(.up)))
            var labels = months.filter { $0 % (12 * distance) == 0 }
            if labels.isEmpty { labels = [months.lowerBound] }
            for month in labels {
                let x = Self.left + Double(month - months.lowerBound) * cell
                guard x < Self.width - 20 else { continue }
                writer.element(
                    "text", ["x": SVGText.number(x), "y": SVGText.number(bottom)], text: "\(month / 12)")
            }
        }
    }

    private func write(
        _ group: (name: String, shares: [Int: Double]), _ index: Int, to writer: inout MarkupWriter
    ) {
        let top = Double(index) * Self.row
        writer.element(
            "text",
            [
                "x": SVGText.number(Self.left - 8), "y": SVGText.number(top + 13), "text-anchor": "end",
            ], text: group.name)
        // Months of the same shade are drawn together.
        for shade in 0..<4 {
            var path = ""
            for month in months {
                let share = group.shares[month] ?? 0
                guard share > 0, min(3, Int(share * 4)) == shade else { continue }
                let x = Self.left + Double(month - months.lowerBound) * cell
                let gap = cell > 3 ? 0.8 : 0
                path += "M\(SVGText.number(x)) \(SVGText.number(top + 2))h\(SVGText.number(cell - gap))v14"
                path += "h-\(SVGText.number(cell - gap))z"
            }
            guard !path.isEmpty else { continue }
            writer.shape(
                "path",
                ["class": "f0", "style": "fill-opacity:\([".4", ".6", ".8", "1"][shade])", "d": path])
        }
    }
}
