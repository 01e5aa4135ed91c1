/// The random choices for one record; equal draws produce equal records.
struct RecordDraw {
    let start: Int
    let end: Int
    let created: Int
    let edition: OriginEdition
    let address: DeviceAddress

    /// The random source of the value and the metadata.
    let chance: SplitMix64

    /// The value, or nil to draw one.
    var value: FixedPoint?
}
