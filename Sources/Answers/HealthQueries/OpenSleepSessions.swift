import HealthModel

/// The sleep sessions to which samples that were not read yet may belong.
struct OpenSleepSessions {
    private let threshold: Int
    private let separateBySource: Bool
    /// The samples of these sessions, by source if sources are separate.
    private var groups: [String: [SleepItem]] = [:]

    /// The number of samples that are added at a time.
    static let samplesAtOnce = 1 << 14
    /// The number of samples in open sessions, which is that of centuries of sleep without an hour awake.
    static let mostSamples = 1 << 19
    /// The number of sessions that are listed, which is that of centuries as well.
    static let mostSessions = 1 << 17

    init(threshold: Int, separateBySource: Bool) {
        self.threshold = max(1, threshold)
        self.separateBySource = separateBySource
    }

    /// Adds samples, none of which starts before one that was added, and returns the sessions to which none of them can
    /// belong.
    mutating func add(_ samples: some Sequence<CategorySample>) throws(QueryError) -> [SleepSession] {
        var first = Int.max
        var items: [(source: String, item: SleepItem)] = []
        for sample in samples {
            guard let item = SleepItem(sample) else { continue }
            first = min(first, item.start)
            items.append((separateBySource ? sample.sourceName ?? "" : "", item))
        }
        let sessions = items.isEmpty ? [] : close(before: first)
        for (source, item) in items { groups[source, default: []].append(item) }
        if groups.values.reduce(0, { $0 + $1.count }) > Self.mostSamples {
            throw QueryError(.tooManySamples, .sleepAnalysis)
        }
        return sessions
    }

    /// Returns all sessions that are left, after the last sample.
    mutating func finish() -> [SleepSession] { close(before: .max) }

    private mutating func close(before start: Int) -> [SleepSession] {
        var sessions: [SleepSession] = []
        for (source, items) in groups {
            var open: [SleepItem] = []
            for session in items.sessions(threshold) {
                let end = session.reduce(Int.min) { max($0, $1.end) }
                if end <= start - threshold {
                    if let session = SleepSession(session) { sessions.append(session) }
                } else {
                    open += session
                }
            }
            groups[source] = open.isEmpty ? nil : open
        }
        return sessions.sorted { $0.isEarlier(than: $1) }
    }
}
