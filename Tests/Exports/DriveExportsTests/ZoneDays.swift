import ByteText
import SystemIO
import Testing

/// The days of one of the system's zones.
func days(in zone: String) throws -> Days {
    let bytes = try #require(try ZoneFiles.bytes(ofZone: zone))
    let rules = ZoneRules(tzif: bytes.span)
    return Days(zone: zone, rules: try #require(rules))
}

/// The instant of a text such as `2024-02-29T12:00:00Z`.
func instant(_ text: String) throws -> Int {
    let time = Timestamp(iso: Array("\(text.dropLast())+00:00".utf8).span)
    return try #require(time).seconds
}

/// An instant as `2024-02-29T12:00:00Z`.
func utc(_ instant: Int) -> String { Timestamp(seconds: instant, offsetMinutes: 0).utc }
