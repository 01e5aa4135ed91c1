import ByteText
import ExportGenerator
import SipHash
import Testing

@testable import SampleBatches

@Suite("The identity of a content")
struct ContentIdentityTests {
    private static let quote = UInt8(ascii: "\"")

    /// Texts of strings, as they are written in JSON: names that count and that do not, times in both forms, device
    /// descriptions, escapes, and what only looks like one of them.
    private static let bodies = [
        "", "a", "key", "value", "creationDate", "sourceVersion", "creationDates", "HKTimeZone",
        "2024-03-07T10:00:00+01:00", "2024-03-07 10:00:00 +0100", "2024-03-07T10:00:00+01:0x",
        "<<HKDevice: 0x1a2b>, name:Watch>", "<<HKDevice: 0x3c>, creation date:2026-01-15 22:56:09 +0000>",
        "<<HKDevice: 0x1a2b3c4d5e>", "<none>", "<", #"\""#, #"\\"#, #"a\"b:"#, #"\\\""#, "’", "eight by",
        "nine byte",
    ]

    /// The hash, of bytes put together one by one.
    private static func plain(_ json: [UInt8]) -> UInt128 {
        var rest = json[...]
        func string() -> [UInt8] {
            var body: [UInt8] = []
            rest.removeFirst()
            while let byte = rest.popFirst(), byte != quote {
                body.append(byte)
                if byte == UInt8(ascii: "\\"), let next = rest.popFirst() { body.append(next) }
            }
            return body
        }
        var message: [UInt8] = []
        while let byte = rest.first {
            guard byte == quote else {
                message.append(rest.removeFirst())
                continue
            }
            let body = string()
            if rest.first == UInt8(ascii: ":"),
                ["creationDate", "sourceVersion"].map({ Array($0.utf8) }).contains(body)
            {
                rest.removeFirst()
                if rest.first == quote { _ = string() }
                continue
            }
            message.append(quote)
            if body.count == 25, let time = Timestamp(iso: body.span) ?? Timestamp(apple: body.span) {
                let seconds = UInt64(bitPattern: Int64(time.seconds))
                message.append(UInt8(ascii: "t"))
                message += (0..<8).map { UInt8(truncatingIfNeeded: seconds >> (8 * $0)) }
            } else if body.first == UInt8(ascii: "<"), body.count > 1,
                DevicePointer.range(in: body.span) != nil
            {
                message += DevicePointer.normalized(body)
            } else {
                message += body
            }
            message.append(quote)
        }
        var hash = SipHash128()
        hash.update(message.span)
        return hash.finish()
    }

    private static func value(_ random: inout SplitMix64, depth: Int) -> String {
        func string() -> String { "\"" + random.pick(from: bodies) + "\"" }
        switch random.below(depth > 3 ? 2 : 5) {
        case 0: return "\(random.below(1000)).5"
        case 1, 2: return string()
        case 3:
            let values = (0..<random.below(4)).map { _ in value(&random, depth: depth + 1) }
            return "[" + values.joined(separator: ",") + "]"
        default:
            let members = (0..<random.below(4)).map { _ in string() + ":" + value(&random, depth: depth + 1) }
            return "{" + members.joined(separator: ",") + "}"
        }
    }

    @Test(
        "is the hash of its text with times and devices in one form, and without what may change",
        arguments: 0..<20)
    func plain(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        for _ in 0..<300 {
            let members = (0..<random.below(5)).map { _ in
                "\"" + random.pick(from: Self.bodies) + "\":" + Self.value(&random, depth: 0)
            }
            let json = "{" + members.joined(separator: ",") + "}"
            #expect(ContentIdentity.hash(of: Array(json.utf8)) == Self.plain(Array(json.utf8)), "\(json)")
        }
    }

    /// The expected value is OpenSSL's SipHash-2-4-128 of the message that was put together by hand.
    @Test("is the hash of a message put together by hand")
    func known() {
        let json =
            #"{"metadata":[{"key":"HKTimeZone","value":"Europe/Berlin"}],"Record":[{"#
            + #""device":"<<HKDevice: 0x1>, name:Watch>","creationDate":"2024-03-07T10:00:00+01:00","#
            + #""startDate":"2024-03-07T10:00:00+01:00","value":61.50}]}"#
        let hash = ContentIdentity.hash(of: Array(json.utf8))
        #expect(String(hash, radix: 16) == "31c0427acc70a88065ee49eeac221b6d")
    }
}
