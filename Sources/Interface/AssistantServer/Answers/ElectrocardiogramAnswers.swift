import HealthModel
import HealthQueries
import HealthVault
import Tables

/// Electrocardiograms, as answers.
extension ExposedArchive {
    /// Answers `ecg`.
    func electrocardiograms(_ arguments: ToolArguments) async throws -> ToolAnswer {
        let range = try range(arguments)
        guard !isSelection else {
            throw ToolProblem(
                "electrocardiograms are files of the export, which are not exposed with --types")
        }
        let all = try await store.electrocardiograms().recordings.filter {
            ($0.recordedDate?.seconds).map { range.seconds.contains($0) } ?? !isCut
        }
        if let number = arguments.integer("number") {
            guard all.indices.contains(number - 1) else {
                throw ToolProblem("there are \(all.count) electrocardiograms in this time")
            }
            return waveform(of: all[number - 1])
        }
        let counts = Dictionary(grouping: all) { recording in
            recording.classification.map { "\($0)" } ?? "notUnderstood"
        }.mapValues(\.count)
        let overall = TableObject(counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        let table = Table(
            "rows", all.enumerated(),
            [
                TableColumn("number") { $0.offset + 1 },
                TableColumn("recorded") { local($0.element.recordedDate) },
                TableColumn("classification") { row in row.element.classification.map { "\($0)" } },
                TableColumn("seconds") { $0.element.duration?.rounded(toPlaces: 1) },
                TableColumn("hertz") { $0.element.samplingFrequency },
            ], facts: [("order", "oldest first"), ("overall", overall)])
        return answer(table, in: range, keepsLatest: true)
    }

    private static let mostPoints = 1000

    private func waveform(of recording: Electrocardiogram) -> ToolAnswer {
        let voltages = recording.voltages.microvolts
        let step = max(1, (voltages.count + Self.mostPoints - 1) / Self.mostPoints)
        let facts: [TableObject.Member] = [
            ("recorded", local(recording.recordedDate)),
            ("classification", recording.classification.map { "\($0)" }),
            ("voltages", voltages.count), ("step", step), ("hertz", recording.samplingFrequency),
            ("note", "every step-th voltage"),
        ]
        let table = Table(
            "rows", stride(from: 0, to: voltages.count, by: step),
            [TableColumn("microvolts") { voltages[$0].rounded(toPlaces: 0) }],
            // What is not known of a recording is left out.
            facts: facts.filter { $0.value != nil })
        return answer(table, total: voltages.count)
    }
}
