import ByteText
import HealthModel
import HealthQueries
import HealthVault

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
        var answer = answer()
        range.describe(in: &answer)
        let counts = Dictionary(grouping: all) { "\($0.classification)" }.mapValues(\.count)
        answer.fact("overall") { writer in
            writer.object { writer in
                for (name, count) in counts.sorted(by: { $0.key < $1.key }) { writer.member(name, count) }
            }
        }
        answer.keepsLatest = true
        answer.columns = ["number", "recorded", "classification", "seconds", "hertz"]
        for (place, recording) in all.enumerated() {
            answer.row { writer in
                writer.integer(place + 1)
                writer.optional(recording.recordedDate.map { days.timestamp($0.seconds).iso })
                writer.string("\(recording.classification)")
                writer.number(recording.duration?.rounded(toPlaces: 1))
                writer.number(recording.samplingFrequency)
            }
        }
        return answer
    }

    private static let mostPoints = 1000

    private func waveform(of recording: Electrocardiogram) -> ToolAnswer {
        var answer = answer()
        let step = max(1, (recording.voltages.count + Self.mostPoints - 1) / Self.mostPoints)
        if let date = recording.recordedDate { answer.fact("recorded", days.timestamp(date.seconds).iso) }
        answer.fact("classification", "\(recording.classification)")
        answer.fact("voltages", recording.voltages.count)
        answer.fact("step", step)
        if let frequency = recording.samplingFrequency { answer.fact("hertz") { $0.number(frequency) } }
        answer.fact("note", "every step-th voltage")
        answer.columns = ["microvolts"]
        for place in stride(from: 0, to: recording.voltages.count, by: step) {
            let value = recording.voltages.microvolts[place]
            answer.row { $0.number(value.rounded(toPlaces: 0)) }
        }
        answer.total = recording.voltages.count
        return answer
    }
}
