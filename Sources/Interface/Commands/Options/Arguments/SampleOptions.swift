package import CommandLineKit
package import HealthModel
import HealthVault
package import SystemIO

/// The options that select samples by source, device and value.
package struct SampleOptions: Sendable {
    package var sourceNames: [String] = []
    package var devices: [String] = []
    package var conditions: [SamplePredicate] = []

    package init() {}

    package static let elements: [GrammarElement<SampleOptions>] = [
        .repeatedOption(
            \.sourceNames, "source-name", value: "NAME",
            "only samples from this app or device, in upper or lower case; repeatable", as: .text),
        .repeatedOption(
            \.devices, "device", value: "TEXT",
            "only samples from devices with this name, model or hardware (Watch, iPhone14,2); repeatable",
            as: .text),
        .repeatedOption(
            \.conditions, "where", value: "CONDITION",
            "only samples that meet this: 'value > 100', 'value <= 80 kg', 'HKWasUserEntered = 1'; repeatable",
            as: condition),
    ]

    private static let condition = ValueParser<SamplePredicate>(
        expected: "a condition such as 'value > 100', 'value <= 80 kg' or 'source = Watch'"
    ) { SamplePredicate(parsing: $0) }

    /// The condition that samples must meet.
    package var predicate: SamplePredicate {
        let sources = sourceNames.map { SamplePredicate.source(.name(readsLike: $0)) }
        let devices = devices.map { text in
            SamplePredicate.device("name", text) || .device("model", text) || .device("hardware", text)
        }
        return conditions.reduce(Self.any(sources) && Self.any(devices)) { $0 && $1 }
    }

    /// Returns the error to throw if no sample of some types is selected, which says so if a condition never holds.
    package func nothingSelected(of types: [AnySampleType], in path: BytePath) -> any Error {
        let errors = types.lazy.compactMap(conditionThatNeverHolds)
        return errors.first ?? VaultError(.nothingSelected, path: path)
    }

    /// Returns why samples of a type are left out of an answer that has others, for a warning.
    package func reasonForNone(of type: AnySampleType) -> String {
        guard let error = conditionThatNeverHolds(for: type) else {
            return "no \(type.shortName) is selected"
        }
        return "\(error.message): \(error.hint)"
    }

    /// Returns an error that names a condition in a unit that a type does not have.
    private func conditionThatNeverHolds(for type: AnySampleType) -> UsageError? {
        guard let own = type.preferredUnit(in: .metric),
            let other = predicate.requiredUnits.first(where: { !$0.isCompatible(with: own) })
        else { return nil }
        return UsageError(
            .invalidValue, "no \(type.shortName) meets a condition in \(other)",
            hint: "it is measured in \(own)")
    }

    private static func any(_ predicates: [SamplePredicate]) -> SamplePredicate {
        guard let first = predicates.first else { return .all }
        return predicates.dropFirst().reduce(first) { $0 || $1 }
    }
}
