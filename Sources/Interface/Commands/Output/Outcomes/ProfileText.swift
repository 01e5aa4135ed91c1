import ByteText
import HealthModel
import SystemIO

/// The personal characteristics in an export.
enum ProfileText {
    static func describe(_ characteristics: Characteristics) -> [TerminalText] {
        let rows = rows(characteristics)
        guard !rows.isEmpty else { return ["profile: nothing is stated"] }
        var table = TextTable([.left, .left])
        return ["profile:"] + table.lines(rows.map { ["  \($0.title)", "\($0.value)"] })
    }

    private static func rows(_ characteristics: Characteristics) -> [(title: String, value: String)] {
        characteristics.values.sorted { $0.key < $1.key }
            .map { (AnySampleType.title(of: $0.key), value($0.key, $0.value, characteristics)) }
            .filter { !$0.1.isEmpty }
    }

    /// Returns a value in words if it is known; otherwise unchanged.
    private static func value(
        _ identifier: String, _ text: String, _ characteristics: Characteristics
    ) -> String {
        switch AnySampleType(identifier) {
        case .biologicalSex: characteristics.biologicalSex?.title ?? text
        case .bloodType: characteristics.bloodType?.symbol ?? text
        case .fitzpatrickSkinType: characteristics.fitzpatrickSkinType?.title ?? text
        default: text
        }
    }

    static func write(_ characteristics: Characteristics, _ writer: inout JSONWriter) {
        writer.key("profile")
        writer.object { writer in
            for (name, value) in characteristics.values.sorted(by: { $0.key < $1.key }) {
                writer.member(name, value)
            }
        }
    }
}
