/// What chance decided about one record; equal draws give equal records.
struct RecordDraw {
    let start: Int
    let end: Int
    let created: Int
    let edition: OriginEdition
    let address: DeviceAddress

    /// Where the value and the metadata come from.
    let chance: SplitMix64
}
