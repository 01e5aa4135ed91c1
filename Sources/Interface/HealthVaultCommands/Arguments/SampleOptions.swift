import CommandLineKit
import HealthModel

/// The options that select samples by source and device.
struct SampleOptions: Sendable {
    var sourceNames: [String] = []
    var devices: [String] = []

    static let elements: [GrammarElement<SampleOptions>] = [
        .repeatedOption(
            \.sourceNames, "source-name", value: "NAME",
            "only samples from this app or device; repeatable", as: .text),
        .repeatedOption(
            \.devices, "device", value: "TEXT",
            "only samples from devices with this name, model or hardware (Watch, iPhone14,2); repeatable",
            as: .text),
    ]

    /// The condition that samples must meet.
    var predicate: SamplePredicate {
        let sources = sourceNames.map { SamplePredicate.source(.named($0)) }
        let devices = devices.map { text in
            SamplePredicate.device("name", text) || .device("model", text) || .device("hardware", text)
        }
        return Self.any(sources) && Self.any(devices)
    }

    private static func any(_ predicates: [SamplePredicate]) -> SamplePredicate {
        guard let first = predicates.first else { return .all }
        return predicates.dropFirst().reduce(first) { $0 || $1 }
    }
}
