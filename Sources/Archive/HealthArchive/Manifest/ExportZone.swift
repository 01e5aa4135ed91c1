public import ByteText
package import SampleBatches
public import SystemIO

/// The time zone of an export, which defines its days.
package enum ExportZone: Sendable {
    /// Returns the newest zone named by a sample that has the offset that Apple wrote at the time of the export.
    ///
    /// If there is none, returns that offset.
    ///
    /// Apple writes all times in a file with the offset of that moment, so the file alone does not show when summer
    /// time applied.
    ///
    /// - Parameter exported: The time of the export; nil if it is unknown.
    /// - Throws: `SystemError` if the file of a zone exists and cannot be read, because it might change the result.
    /// - Returns: A name (`Europe/Berlin`) or an offset (`+02:00`); empty if there is neither.
    package static func text(_ recorded: RecordedZones, exported: Timestamp?) throws(SystemError) -> String {
        guard let exported else { return "" }
        for name in recorded.names {
            let rules = try ZoneFiles.bytes(ofZone: name).flatMap { ZoneRules(tzif: $0.span) }
            if rules?.offset(at: exported.seconds) == exported.offsetMinutes * 60 { return name }
        }
        return exported.offset
    }

    /// Returns the rule for days in a zone.
    ///
    /// - Parameters:
    ///   - text: A name (`Europe/Berlin`) or an offset (`+02:00`).
    ///   - exported: The time of the export, whose offset is used if this computer has no file for the zone.
    /// - Throws: `SystemError` if the file of the zone exists and cannot be read.
    package static func days(_ text: String, exported: Timestamp?) throws(SystemError) -> Days {
        try Days(zoneText: text) ?? Days(offsetMinutes: exported?.offsetMinutes ?? 0)
    }
}

extension Manifest {
    /// The reference time of the archive: that of the export or, if it is not known, the latest start.
    package var now: Timestamp? { exported ?? last }

    /// Returns the rule for the days of the archive.
    ///
    /// - Throws: `SystemError` if the file of the zone exists and cannot be read.
    package func days() throws(SystemError) -> Days { try ExportZone.days(zone, exported: now) }
}

extension Days {
    /// Makes the rule for days in the zone that a text names: `Europe/Berlin`, `+02:00`, `UTC`.
    ///
    /// - Returns: nil if this computer does not know the zone.
    /// - Throws: `SystemError` if the file of the zone exists and cannot be read.
    public init?(zoneText text: String) throws(SystemError) {
        if let offset = Timestamp(iso: Array("1970-01-01T00:00:00\(text)".utf8).span)?.offsetMinutes {
            self.init(offsetMinutes: offset)
            return
        }
        guard RecordedZones.isZoneName(text), let bytes = try ZoneFiles.bytes(ofZone: text),
            let rules = ZoneRules(tzif: bytes.span)
        else { return nil }
        self.init(zone: text, rules: rules)
    }
}
