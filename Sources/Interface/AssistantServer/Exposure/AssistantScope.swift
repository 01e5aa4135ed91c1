package import ByteText
package import HealthModel

/// What a server exposes, fixed when it starts.
package struct AssistantScope: Sendable {
    /// The types; nil for all.
    package var types: [AnySampleType]?
    /// The first day or time; nil for all time.
    package var since: TimeLimit?
    /// Whether only aggregates are exposed, and no single samples.
    package var aggregatesOnly = false
    /// Whether places are never exposed.
    package var withoutPlaces = false
    /// The rule for days; nil for the archive's.
    package var days: Days?

    /// Creates a scope of everything.
    package init() {}
}
