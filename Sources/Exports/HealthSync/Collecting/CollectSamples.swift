public import ByteText
public import HealthModel

/// A definition of what is collected: the samples of a type, from when on, and when the collection runs.
///
/// ```swift
/// let collector = HealthCollector(handler, anchors: anchors)
/// collector.register([
///     CollectSamples(.heartRate, continueInBackground: true), CollectSamples(.stepCount, start: .manual),
/// ])
/// try await collector.collect(from: ExportStore(path: "export.zip"))
/// ```
public struct CollectSamples: Sendable {
    /// When a collection starts.
    public enum Start: Sendable, Hashable {
        /// With the first store.
        case automatic
        /// Once ``HealthCollector/triggerDataSourceCollection()`` was called.
        case manual
    }

    /// Which samples are collected by their start.
    public enum TimeRange: Sendable, Hashable {
        /// Those that start in or after the minute in which the type was first registered.
        case newSamples
        /// Those that start at or after an instant.
        case startingAt(Timestamp)
    }

    /// The type.
    public let type: AnySampleType
    /// When the collection starts.
    public let start: Start
    /// Whether the type is collected in the background too.
    public let continuesInBackground: Bool
    /// Which samples are collected by their start.
    public let timeRange: TimeRange
    /// Whether the samples that were delivered are remembered after the process has ended.
    public let keepsAnchor: Bool
    /// A condition that samples must meet.
    let predicate: (@Sendable (AnySample) -> Bool)?

    /// Creates a definition.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - start: When the collection starts.
    ///   - continuesInBackground: Whether the type is collected in the background too.
    ///   - timeRange: Which samples are collected by their start.
    ///   - keepsAnchor: Whether the samples that were delivered are remembered after the process has ended.
    ///   - predicate: A condition that samples must meet, apart from their time.
    public init(
        _ type: AnySampleType, start: Start = .automatic,
        continueInBackground continuesInBackground: Bool = false,
        timeRange: TimeRange = .newSamples, keepsAnchor: Bool = true,
        predicate: (@Sendable (AnySample) -> Bool)? = nil
    ) {
        self.type = type
        self.start = start
        self.continuesInBackground = continuesInBackground
        self.timeRange = timeRange
        self.keepsAnchor = keepsAnchor
        self.predicate = predicate
    }
}
