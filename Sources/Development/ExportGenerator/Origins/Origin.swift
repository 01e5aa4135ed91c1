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
