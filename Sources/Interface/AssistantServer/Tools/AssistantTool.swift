import ByteText
import HealthModel
import HealthQueries

/// The tools that an assistant can call, in the order in which they are listed.
enum AssistantTool: String, Sendable, CaseIterable {
    case overview
    case listTypes = "list_types"
    case statistics
    case summary
    case compare
    case sleep
    case workouts
    case ecg
    case samples
    case quality

    /// The title for people.
    var title: String {
        switch self {
        case .overview: "Overview"
        case .listTypes: "Types of data"
        case .statistics: "Statistics"
        case .summary: "Summary"
        case .compare: "Comparison of two periods"
        case .sleep: "Sleep"
        case .workouts: "Workouts"
        case .ecg: "Electrocardiograms"
        case .samples: "Samples"
        case .quality: "Quality of the data"
        }
    }

    /// What it does, for the assistant.
    var description: String {
        switch self {
        case .overview:
            "Describes the archive: its time span, the time and zone of the export, and what this server exposes. Call it first."
        case .listTypes:
            "Lists the types of data with unit, number of samples, and first and last day, page by page if they are many."
        case .statistics:
            "Computes statistics of up to five quantities by hour, day, week, month or year; of categories, the number and minutes of samples. Several devices that recorded the same time are merged, so nothing counts twice; 'overall' covers the whole range. Use it for any sum or average."
        case .summary:
            "Shows activity, heart and sleep by day, week, month or year in one table. null means that there are no data, which is not zero."
        case .compare:
            "Compares two periods by the values of their days: mean, median, difference. Withheld, with the reason, if a period has too few days."
        case .sleep:
            "Lists nights with the minutes asleep, in each stage, awake and in bed, and averages over all matching nights."
        case .workouts: "Lists workouts, and counts and sums of all matching ones by activity."
        case .ecg: "Lists electrocardiograms with the classification by the watch, or one with its waveform."
        case .samples:
            "Lists single samples of a type, the newest first and page by page, with the number, mean, minimum and maximum of all matching ones. Do not add up values: use statistics."
        case .quality:
            "Shows how far data of a quantity can be trusted: days without data, sources, raw and merged sums, and samples entered by hand."
        }
    }

    /// What precedes the names of the arguments for each period that it answers about.
    var periods: [String] { self == .compare ? ["a_", "b_"] : [""] }

    /// Returns the parameters, as far as the scope allows them.
    func parameters(_ allowed: Allowance) -> [ToolParameter] {
        let range: [ToolParameter] = [.from, .to, .last]
        // The latest value of a day is that of a single sample.
        let options = StatisticsOption.allCases.filter { allowed.singleSamples || $0 != .mostRecent }
        let units = CalendarUnit.allCases.filter { allowed.singleSamples || $0 != .hour }.map(\.rawValue)
        let type = ToolParameter(
            name: "type", kind: .text, description: "A type, as list_types names it.", isRequired: true)
        let types = ToolParameter(
            name: "types", kind: .texts(1...5), description: "Up to five types, as list_types names them.",
            isRequired: true)
        switch self {
        case .overview: return []
        case .listTypes:
            return [
                ToolParameter(
                    name: "group", kind: .choice(SampleTypeGroup.allCases.map(\.rawValue)),
                    description: "Only types of this group."),
                ToolParameter(name: "search", kind: .text, description: "Only types with this word."),
                .cursor,
            ]
        case .statistics:
            return [types] + range + [
                ToolParameter(
                    name: "by", kind: .choice(units),
                    description: "The length of an interval; day unless given."),
                ToolParameter(
                    name: "agg", kind: .choices(options.map(\.rawValue)),
                    description: "The values; what suits the type unless given."),
                ToolParameter(
                    name: "sources", kind: .texts(1...10),
                    description: "Only samples of sources with these names."),
            ]
        case .summary:
            return range + [
                ToolParameter(
                    name: "by", kind: .choice(units.filter { $0 != "hour" }),
                    description: "The length of an interval; week unless given.")
            ]
        case .compare:
            return [types]
                + periods.flatMap { period in
                    ["from", "to"].map { bound in
                        ToolParameter(
                            name: period + bound, kind: .text,
                            description:
                                "\(bound == "from" ? "First" : "Last") day of period \(period.prefix(1)).",
                            isRequired: true)
                    }
                }
        case .sleep: return range
        case .workouts:
            let activity = ToolParameter(
                name: "activity", kind: .text, description: "Only this activity, such as running.")
            let route = [
                ToolParameter(
                    name: "route_of", kind: .text,
                    description:
                        "The id of a workout whose route to return: places, which are more private than anything else."
                )
            ]
            return range + [activity] + (allowed.places && allowed.singleSamples ? route : [])
        case .ecg:
            return range + [
                ToolParameter(
                    name: "number", kind: .integer(1...100_000),
                    description: "The number of one electrocardiogram, whose waveform to return.")
            ]
        case .samples:
            return [type] + range + [
                ToolParameter(
                    name: "sources", kind: .texts(1...10),
                    description: "Only samples of sources with these names."),
                ToolParameter(
                    name: "limit", kind: .integer(1...500),
                    description: "The number of samples; 50 unless given."),
                .cursor,
            ]
        case .quality: return [type] + range
        }
    }

    /// What the scope of a server allows beyond aggregates.
    struct Allowance: Sendable {
        /// Whether single samples may be returned.
        let singleSamples: Bool
        /// Whether places may be returned.
        let places: Bool
    }

    /// Returns whether the tool is offered.
    func isOffered(_ allowed: Allowance) -> Bool {
        allowed.singleSamples || self != .samples && self != .ecg
    }

    /// Writes the declaration of the tool.
    func write(_ allowed: Allowance, _ writer: inout JSONWriter) {
        let (parameters, schema) = (parameters(allowed), ToolAnswer.schema)
        writer.object { writer in
            writer.member("name", rawValue)
            writer.member("title", title)
            writer.member("description", description)
            writer.key("inputSchema")
            writer.object { writer in
                writer.member("type", "object")
                writer.key("properties")
                writer.object { writer in for parameter in parameters { parameter.write(&writer) } }
                let required = parameters.filter(\.isRequired).map(\.name)
                if !required.isEmpty { writer.member("required", required) }
                writer.member("additionalProperties", false)
            }
            writer.key("outputSchema")
            writer.raw(schema.span)
            writer.key("annotations")
            writer.object { writer in
                writer.member("readOnlyHint", true)
                writer.member("openWorldHint", false)
            }
        }
    }
}
