/// How an attribute of Apple's XML is stored in a batch.
public enum AttributeKind: Sendable, Hashable {
    /// One of a few values that many elements share: type, source, unit. Stored once for all of them.
    case shared
    /// The device description, whose pointer (`<<HKDevice: 0x...>`) changes almost with every record.
    case device
    /// A time in Apple's form.
    case time
    /// A measured number, stored as a JSON number if it is written like one.
    case measurement
    /// Anything else: each element has its own text.
    case text

    /// Determines the kind of the attribute `name` of elements called `element`.
    ///
    /// The known names are those in all versions of Apple's DTD, and others that occur in real exports.
    public init(of name: String, in element: String) {
        // The value of a metadata entry is always text: "1" may be a number, a code or a flag.
        if element == "MetadataEntry" {
            self = .text
        } else {
            self = Self.known[name] ?? .text
        }
    }

    private static let known: [String: AttributeKind] = {
        var kinds: [String: AttributeKind] = ["device": .device]
        for name in [
            "type", "workoutActivityType", "sourceName", sourceNameOfIOS8, "sourceVersion", "unit",
            "durationUnit", "totalDistanceUnit",
            "totalEnergyBurnedUnit", "totalSwimmingStrokeCountUnit", "totalFlightsClimbedUnit",
            "activeEnergyBurnedUnit", "fhirVersion", "sourceURL", "brand",
        ] { kinds[name] = .shared }
        for name in [
            "startDate", "endDate", "creationDate", "date", "receivedDate", "dateIssued", "expirationDate",
        ] { kinds[name] = .time }
        for name in measurements { kinds[name] = .measurement }
        return kinds
    }()

    private static let measurements = [
        "value", "duration", "totalDistance", "totalEnergyBurned", "totalSwimmingStrokeCount",
        "totalFlightsClimbed",
        "average", "minimum", "maximum", "sum", "bpm", "activeEnergyBurned", "activeEnergyBurnedGoal",
        "appleMoveTime", "appleMoveTimeGoal", "appleMoveMinutes", "appleMoveMinutesGoal", "appleExerciseTime",
        "appleExerciseTimeGoal", "appleStandHours", "appleStandHoursGoal", "frequencyValue", "leftEarValue",
        "rightEarValue", "leftEarClampingRangeLowerBound", "leftEarClampingRangeUpperBound",
        "rightEarClampingRangeLowerBound", "rightEarClampingRangeUpperBound", "sphere", "cylinder", "axis",
        "add",
        "vertex", "prismAmount", "prismAngle", "farPD", "nearPD", "baseCurve", "diameter", "latitude",
        "longitude",
        "altitude", "horizontalAccuracy", "verticalAccuracy", "course", "speed",
    ]

    /// The attribute with the name of the source in the exports of iOS 8.
    public static let sourceNameOfIOS8 = "source"
    /// The attributes with the start of an element; the first one present is used.
    public static let startNames = ["startDate", "dateIssued", "receivedDate"]
    /// The attribute with the day of an activity summary.
    public static let dayName = "dateComponents"
}

/// Text between the children of the root element, which should not occur but is stored as a row like an element.
public enum StrayText: Sendable {
    /// The element name of such rows, which no element has.
    public static let element = "#text"
    /// The attribute that contains the text, without surrounding white space.
    public static let attribute = "text"
}

/// Names that would conflict with a flat object's own members.
public enum ReservedName: Sendable {
    /// Whether an attribute of this name would be mistaken for one of the object's own members, or for nested
    /// elements, whose names start with a capital letter.
    public static func isReserved(attribute name: String) -> Bool {
        switch name {
        case "element", "position", "metadata", "children", "attributes": return true
        default: break
        }
        guard let first = name.utf8.first, (0x41...0x5a).contains(first) else { return false }
        return !name.utf8.starts(with: "HKCharacteristic".utf8)
    }

    /// Whether a nested element of this name can be a member of its parent's flat object.
    public static func canGroup(element name: String) -> Bool {
        guard let first = name.utf8.first, (0x41...0x5a).contains(first) else { return false }
        return !name.utf8.starts(with: "HKCharacteristic".utf8)
    }
}
