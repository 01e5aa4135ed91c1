/// The units that people in a region use.
public enum MeasurementSystem: String, Sendable, CaseIterable, Codable {
    /// Metric units.
    case metric
    /// Units of the United States.
    case us
    /// Units of the United Kingdom: metric with some exceptions.
    case uk
}

extension KnownType.Units {
    /// HealthKit's own unit.
    var canonicalUnit: HealthUnit { Self.unit(canonical) }

    /// Returns the unit that people in a region use, which is the metric one where no other is given.
    func unit(in system: MeasurementSystem) -> HealthUnit {
        let own: String? =
            switch system {
            case .metric: nil
            case .us: us
            case .uk: uk
            }
        return Self.unit(own ?? metric ?? canonical)
    }

    private static func unit(_ text: String) -> HealthUnit {
        guard let unit = units[text] else { preconditionFailure("no unit: \(text)") }
        return unit
    }

    /// The units of all known types by their texts.
    private static let units: [String: HealthUnit] = {
        let all = KnownType.all.compactMap(\.units)
        let texts = Set(all.flatMap { [$0.canonical, $0.metric, $0.us, $0.uk].compactMap(\.self) })
        return Dictionary(
            uniqueKeysWithValues: texts.compactMap { text in (try? HealthUnit(text)).map { (text, $0) } })
    }()
}
