import ByteText
import HealthModel
import HealthQueries
import Tables

/// The section about electrocardiograms.
struct ElectrocardiogramSection {
    private let range: Range<Int>
    private let period: ReportPeriod

    private static let drawn = 2
    private static let listed = 200

    init(_ range: Range<Int>, _ period: ReportPeriod) {
        self.range = range
        self.period = period
    }

    /// Returns the list of recordings and the latest of them; files are read one by one.
    func blocks(_ store: any HealthStore) async throws -> [ReportBlock] {
        var found: [(date: Int, classification: String, seconds: Double?, symptoms: String)] = []
        var latest: [Electrocardiogram] = []
        var unreadable = 0
        let copies = try await store.readElectrocardiograms { _, result in
            guard case .success(let recording) = result else {
                unreadable += 1
                return
            }
            let date = recording.recordedDate?.seconds ?? .min
            guard range.contains(date) else { return }
            found.append(
                (
                    date, recording.classificationTitle, recording.duration,
                    recording.symptoms.joined(separator: ", ")
                ))
            latest.append(recording)
            latest.sort { ($0.recordedDate?.seconds ?? .min) > ($1.recordedDate?.seconds ?? .min) }
            if latest.count > Self.drawn { latest.removeLast() }
        }
        guard !found.isEmpty || unreadable > 0 else { return [] }
        found.sort { $0.date > $1.date }
        var table = ReportTable("@Recorded", "Classification", "#Seconds", "Symptoms")
        for recording in found.prefix(Self.listed) {
            let time = recording.date == .min ? "" : period.days.timestamp(recording.date).iso.prefix(16)
            table.rows.append(
                [
                    time.split(separator: "T").joined(separator: " "), recording.classification,
                    recording.seconds.map { ChartNumber.fixed($0, digits: 1) } ?? "", recording.symptoms,
                ])
        }
        let count = ChartNumber.count(found.count, "recording")
        var text =
            "\(count); the classification is that of the watch. The latest are drawn with 25 mm for "
        text += "a second and 10 mm for a millivolt, if the page is printed at 100 %."
        if copies > 0 { text += " \(ElectrocardiogramTable.note(onCopies: copies))." }
        if unreadable > 0 { text += " \(ChartNumber.count(unreadable)) files cannot be read." }
        return [.text(text)] + latest.map { .electrocardiogram($0) }
            + [
                .table(
                    title: found.count > Self.drawn ? "The latest \(table.rows.count) recordings" : "", table)
            ]
    }
}
