/// The recorder of a sample: a device with its system, an app, or the person by hand.
enum Origin: Int, CaseIterable, Sendable {
    case watch
    case phone

    /// A third-party app that gives its version but no device.
    case scale

    /// An app that gives neither version nor device.
    case diary

    /// A third-party meter, with a device text unlike Apple's.
    case meter

    /// Data entered by hand.
    case health

    /// The name under which Apple Health lists the source, with characters that occur in real names: a curly
    /// apostrophe, a no-break space, an ampersand.
    var name: String {
        switch self {
        case .watch: "Anna’s Apple\u{A0}Watch"
        case .phone: "Anna’s iPhone"
        case .scale: "Synthetic Scale"
        case .diary: "Food & Mood Diary"
        case .meter: "Synthetic Meter \"G1\""
        case .health: "Health"
        }
    }

    /// Returns the system's or app's version in a period; nil for apps that do not give one.
    func version(_ period: OriginPeriod) -> String? {
        switch self {
        case .watch: period.watchSystem
        case .phone, .health: period.phoneSystem
        case .scale: "\(4_070_000 + period.index * 100)"
        case .diary: nil
        case .meter: "2.\(period.index / 3)"
        }
    }

    /// Returns the device text without its memory address; nil for origins without a device.
    func device(_ period: OriginPeriod) -> String? {
        switch self {
        case .watch:
            "name:Apple Watch, manufacturer:Apple Inc., model:Watch, "
                + "hardware:\(period.watchHardware), software:\(period.watchSystem)\(period.creationDate)"
        case .phone:
            "name:iPhone, manufacturer:Apple Inc., model:iPhone, "
                + "hardware:\(period.phoneHardware), software:\(period.phoneSystem)\(period.creationDate)"
        case .meter:
            "name:Synthetic Meter, manufacturer:Example Devices, model:G1, "
                + "localIdentifier:00000000-0000-4000-8000-000000000001"
        case .scale, .diary, .health:
            nil
        }
    }
}

/// A fifth of a year, during which the person's devices and their systems stay the same.
struct OriginPeriod {
    static let count = 80
    private static let length = 73 * secondsPerDay

    /// The release of iOS 8, with which the Health app began: 2014-09-15.
    private static let beginning = 16_328 * secondsPerDay

    let index: Int
    private let year: Int

    /// Creates a period with systems no newer than those of `lastYear`.
    init(_ index: Int, lastYear: Int) {
        self.index = index
        year = min(2014 + index / 5, lastYear)
    }

    static func index(at instant: Int) -> Int {
        min(max((instant - beginning) / length, 0), count - 1)
    }

    var watchSystem: String {
        let major = year < 2025 ? max(year - 2013, 1) : year - 1999
        return "\(major).\(minor)"
    }

    var phoneSystem: String {
        let major = year < 2025 ? year - 2006 : year - 1999
        return "\(major).\(minor)"
    }

    var watchHardware: String {
        let models = [
            "Watch1,2", "Watch1,2", "Watch2,4", "Watch2,4", "Watch4,4", "Watch4,4", "Watch6,2", "Watch6,2",
            "Watch6,7", "Watch6,7", "Watch7,3", "Watch7,12",
        ]
        return models[min(year - 2014, models.count - 1)]
    }

    var phoneHardware: String {
        let models = [
            "iPhone7,2", "iPhone7,2", "iPhone8,1", "iPhone8,1", "iPhone10,4", "iPhone10,4", "iPhone12,8",
            "iPhone12,8", "iPhone14,5", "iPhone14,5", "iPhone16,1", "iPhone18,3",
        ]
        return models[min(year - 2014, models.count - 1)]
    }

    /// The creation date that systems since 2025 add to some device texts.
    var creationDate: String {
        year >= 2025 && index % 2 == 0 ? ", creation date:2025-09-\(16 + index % 10) 22:56:09 +0000" : ""
    }

    private var minor: String {
        ["0", "1", "2", "3.1", "6"][index % 5]
    }
}

/// The attributes that give the origin of a sample, prepared for every origin and period.
struct Origins: Sendable {
    private let editions: [[OriginEdition]]

    init(_ version: GeneratorOptions.DTDVersion) {
        editions = Origin.allCases.map { origin in
            (0..<OriginPeriod.count).map { index in
                OriginEdition(origin, OriginPeriod(index, lastYear: version.lastYear))
            }
        }
    }

    func edition(of origin: Origin, at instant: Int) -> OriginEdition {
        editions[origin.rawValue][OriginPeriod.index(at: instant)]
    }
}

/// One origin in one period: `sourceName`, `sourceVersion` and `device`, with a gap for the memory address.
struct OriginEdition: Sendable {
    private let head: [UInt8]
    private let tail: [UInt8]

    init(_ origin: Origin, _ period: OriginPeriod) {
        let version = origin.version(period).map { "\" sourceVersion=\"\($0)" } ?? ""
        let start = " sourceName=\"\(ByteText.escaped(origin.name))\(version)\""
        guard let device = origin.device(period) else {
            head = Array(start.utf8)
            tail = []
            return
        }
        head = Array("\(start) device=\"\(ByteText.escaped("<<HKDevice: 0x"))".utf8)
        tail = Array("\(ByteText.escaped(">, \(device)>"))\"".utf8)
    }

    func append(address: DeviceAddress, to text: inout ByteText) {
        text.append(head)
        guard !tail.isEmpty else { return }
        address.append(to: &text)
        text.append(tail)
    }
}

/// The memory address of a device object at the time of the export: nine hexadecimal digits, six of them random.
struct DeviceAddress: Sendable {
    private let value: UInt64

    init(from chance: inout SplitMix64) {
        value = 0x2_8000_0000 | (chance.next() >> 40) << 4
    }

    func append(to text: inout ByteText) {
        text.append(hexadecimal: value, digits: 9)
    }
}

/// The attributes that give the origin of one sample.
struct Provenance: Sendable {
    var edition: OriginEdition
    var address: DeviceAddress

    func append(to text: inout ByteText) { edition.append(address: address, to: &text) }
}
