import ByteText

/// A row on its way into a batch; its values travel beside it, because they are borrowed.
struct IncomingRow {
    let kind: RowKind
    let content: RowContent?
    let position: Int
    let start: Timestamp?
    /// The size of its values.
    let size: Int
    /// An upper bound on its size as a line of NDJSON, in bytes.
    let lineSize: Int
}

/// Where a row belongs: the rows of one type whose starts lie in one span.
struct BatchPlace {
    let type: TypeNumber
    let span: CalendarSpan
}

/// The index of a type among those that the collector has seen.
struct TypeNumber {
    let value: Int
}

/// The index of an open batch; it belongs to another batch once that one is closed.
struct SlotNumber: Equatable {
    let value: Int
}
