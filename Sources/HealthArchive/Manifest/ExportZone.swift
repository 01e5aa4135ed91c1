package import SampleBatches
package import SystemIO

/// The time zone of an export, which defines its days.
package enum ExportZone: Sendable {
    /// Returns the newest zone that a sample names and that has the offset that Apple wrote at the time of the export;
    /// if there is none, that offset.
    ///
    /// Apple writes all times of a file with the offset of that moment, so that the file alone does not show when
    /// summer time applied.
    ///
    /// - Parameter exported: The time of the export; nil if it is unknown.
    /// - Throws: `SystemError` if the file of a zone exists and cannot be read, because it might change the result.
    /// - Returns: A name (`Europe/Berlin`) or an offset (`+02:00`); an empty text if there is neither.
    package static func text(_ recorded: RecordedZones, exported: Timestamp?) throws(SystemError) -> String {
        guard let exported else { return "" }
        for name in recorded.names {
            let rules = try ZoneFiles.bytes(ofZone: name).flatMap { ZoneRules(tzif: $0.span) }
            if rules?.offset(at: exported.seconds) == exported.offsetMinutes * 60 { return name }
        }
        return exported.offset
    }
}
