/// The recorder of a sample: a device with its system, an app that gives its version, one that does not, a meter with a
/// device text unlike Apple's, or the person by hand.
enum Origin: Int, CaseIterable, Sendable {
    case watch, phone, scale, diary, meter, health
}

/// One origin in one period: `sourceName`, `sourceVersion` and `device`, with a gap for the memory address.
struct OriginEdition: Sendable {
    /// The models of each year since 2014.
    private static let watches = "1,2 1,2 2,4 2,4 4,4 4,4 6,2 6,2 6,7 6,7 7,3 7,12".split(separator: " ")
    private static let phones = "7,2 7,2 8,1 8,1 10,4 10,4 12,8 12,8 14,5 14,5 16,1 18,3".split(
        separator: " ")

    fileprivate let head: [UInt8]
    fileprivate let tail: [UInt8]

    /// Creates the edition of a period, with systems no newer than those of `lastYear`.
    ///
    /// The names are those under which Apple Health lists the sources, with characters that occur in real ones: a curly
    /// apostrophe, a no-break space, an ampersand. Systems since 2025 add a creation date to some device texts.
    init(_ origin: Origin, period: Int, lastYear: Int) {
        let year = min(2014 + period / 5, lastYear)
        let minor = ["0", "1", "2", "3.1", "6"][period % 5]
        let watch = "\(year < 2025 ? max(year - 2013, 1) : year - 1999).\(minor)"
        let phone = "\(year < 2025 ? year - 2006 : year - 1999).\(minor)"
        let day = 16 + period % 10
        let created =
            year >= 2025 && period % 2 == 0 ? ", creation date:2025-09-\(day) 22:56:09 +0000" : ""
        func apple(_ name: String, _ model: String, _ models: [Substring], _ system: String) -> String {
            "name:\(name), manufacturer:Apple Inc., model:\(model), "
                + "hardware:\(model)\(models[min(year - 2014, models.count - 1)]), software:\(system)\(created)"
        }
        let meter =
            "name:Synthetic Meter, manufacturer:Example Devices, model:G1, "
            + "localIdentifier:00000000-0000-4000-8000-000000000001"
        let editions: [(name: String, version: String?, device: String?)] = [
            ("Anna’s Apple\u{A0}Watch", watch, apple("Apple Watch", "Watch", Self.watches, watch)),
            ("Anna’s iPhone", phone, apple("iPhone", "iPhone", Self.phones, phone)),
            ("Synthetic Scale", "\(4_070_000 + period * 100)", nil), ("Food & Mood Diary", nil, nil),
            ("Synthetic Meter \"G1\"", "2.\(period / 3)", meter), ("Health", phone, nil),
        ]
        let (name, version, device) = editions[origin.rawValue]
        let start =
            " sourceName=\"\(ByteText.escaped(name))\"" + (version.map { " sourceVersion=\"\($0)\"" } ?? "")
        head = Array((start + (device == nil ? "" : " device=\"&lt;&lt;HKDevice: 0x")).utf8)
        tail = device.map { Array("\(ByteText.escaped(">, \($0)>"))\"".utf8) } ?? []
    }
}

/// The attributes that give the origin of a sample, prepared for every origin and period.
///
/// A period is a fifth of a year, during which the person's devices and their systems stay the same.
struct Origins: Sendable {
    private static let count = 80
    private static let length = 73 * secondsPerDay

    /// The release of iOS 8, with which the Health app began: 2014-09-15.
    private static let beginning = 16_328 * secondsPerDay

    private let editions: [[OriginEdition]]

    init(_ version: GeneratorOptions.DTDVersion) {
        editions = Origin.allCases.map { origin in
            (0..<Self.count).map { OriginEdition(origin, period: $0, lastYear: version.lastYear) }
        }
    }

    func edition(of origin: Origin, at instant: Int) -> OriginEdition {
        let period = (instant - Self.beginning) / Self.length
        return editions[origin.rawValue][min(max(period, 0), Self.count - 1)]
    }
}

/// The attributes that give the origin of one sample.
struct Provenance: AttributeValue {
    var edition: OriginEdition

    /// The address of the device object at the time of the export.
    var address: UInt64

    func append(to text: inout ByteText) {
        text.append(edition.head)
        guard !edition.tail.isEmpty else { return }
        text.append(hexadecimal: address, digits: 9)
        text.append(edition.tail)
    }
}
