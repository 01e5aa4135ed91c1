/// Numbers and paths of SVG.
enum SVGText {
    /// Returns a coordinate with one decimal place, which is finer than a pixel.
    static func number(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e9 else { return "0" }
        return number(Int((value * 10).rounded()), of: 10)
    }

    private static func number(_ count: Int, of parts: Int) -> String {
        let (whole, rest) = (abs(count) / parts, abs(count) % parts)
        guard rest > 0 else { return "\(count / parts)" }
        let zero = parts == 100 && rest < 10 ? "0" : ""
        // Zeros at the end, and before the point, are not needed.
        let decimals = rest % 10 == 0 ? "\(rest / 10)" : zero + "\(rest)"
        return (count < 0 ? "-" : "") + (whole == 0 ? "" : "\(whole)") + "." + decimals
    }

    /// Returns a path through points, with each point relative to the previous one.
    ///
    /// - Parameter parts: The resolution: 10 for one decimal place, 100 for two.
    static func path(_ points: some Sequence<(x: Double, y: Double)>, parts: Int = 10) -> String {
        var path = ""
        var last: (x: Int, y: Int)?
        for point in points where abs(point.x) < 1e9 && abs(point.y) < 1e9 {
            // Rounding the points, and not the distances, keeps errors from adding up.
            let place = (
                x: Int((point.x * Double(parts)).rounded()), y: Int((point.y * Double(parts)).rounded())
            )
            if let last {
                let y = number(place.y - last.y, of: parts)
                path += "l" + number(place.x - last.x, of: parts) + (y.hasPrefix("-") ? "" : " ") + y
            } else {
                path += "M" + number(place.x, of: parts) + " " + number(place.y, of: parts)
            }
            last = place
        }
        return path
    }
}
