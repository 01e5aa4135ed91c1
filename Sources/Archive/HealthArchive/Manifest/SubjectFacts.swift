public import ByteText
public import HealthModel
public import SampleBatches
package import SystemIO

/// What an export, an archive or a target tells of the person whose data it has, its subject.
///
/// Exports name nobody. Whether one is of the same person as what is there already, and not older, is told by these facts
/// and by the samples that both have; increments, synchronisations and analytics ask the same functions.
public struct SubjectFacts: Sendable {
    /// The day of birth; nil if it is not known.
    public var dateOfBirth: CivilDate?
    /// The sex; nil if it is not known.
    public var biologicalSex: BiologicalSex?
    /// The names of the devices and apps that recorded samples; empty if they are not known.
    public var sources: Set<ExactName> = []

    /// Creates facts.
    public init(dateOfBirth: CivilDate?, sources: [String]) {
        self.dateOfBirth = dateOfBirth
        self.sources = Set(sources.map { ExactName($0) })
    }

    /// Creates the facts that a source states.
    public init(_ characteristics: Characteristics, sources: [String]) {
        dateOfBirth = characteristics.dateOfBirth
        biologicalSex = characteristics.biologicalSex
        self.sources = Set(sources.map { ExactName($0) })
    }

    /// Returns a sign that an export is of another person; nil if there is none.
    ///
    /// - Parameter share: Returns the share of samples in common, see ``SampleOverlap``; called if nothing else is a sign.
    public func sign(of export: SubjectFacts, share: () throws -> Double) rethrows -> ForeignSign? {
        if let mine = dateOfBirth, let theirs = export.dateOfBirth, mine != theirs { return .person }
        if let mine = biologicalSex, let theirs = export.biologicalSex, mine != theirs, mine != .notSet,
            theirs != .notSet
        {
            return .person
        }
        if !sources.isEmpty, !export.sources.isEmpty, sources.isDisjoint(with: export.sources) {
            return .sources
        }
        return try share() < SampleOverlap.leastShare ? .samples : nil
    }
}

/// A person whose data a target has.
public struct Subject: Sendable, Equatable {
    /// The name that was given, or a random one.
    public private(set) var person: String
    /// When the export was made that the target was last brought to, in seconds since 1970; nil if that is not known.
    public var exportDate: Int?
    /// What tells the content of that export; nil if it is not known, or the target was not brought to it completely.
    public var content: String?
    /// The zone of the days and nights in the tables of a database; nil if these are not in step with its samples.
    public var zone: String?

    /// Creates a person.
    public init(
        _ person: String, exportDate: Int? = nil, content: String? = nil, zone: String? = nil
    ) {
        self.person = person
        self.exportDate = exportDate
        self.content = content
        self.zone = zone
    }

    /// Creates a person without a name, with a random one: exports name nobody, and nothing in them may tell who it is.
    public static func unnamed() -> Self {
        let digits = String(UInt64.random(in: 0 ... .max), radix: 16)
        return Subject(unnamedPrefix + String(repeating: "0", count: 16 - digits.count) + digits)
    }

    private static let unnamedPrefix = "person-"

    /// Whether the name was given by someone.
    public var isNamed: Bool {
        let digits = person.dropFirst(Self.unnamedPrefix.count)
        return !person.hasPrefix(Self.unnamedPrefix) || digits.utf8.count != 16
            || !digits.allSatisfy { $0.isASCII && $0.isHexDigit }
    }
}

extension Subject: FileRecord {
    package static let blank = Subject("")
    package static let fields: RecordFields<Subject> = [
        .field(\.person, "person", .text), .field(\.exportDate, "exportSeconds", .integer),
        .field(\.content, "content", .text), .field(\.zone, "zone", .text),
    ]
}

/// A sign that an export is from another person or phone than what is there.
public enum ForeignSign: String, Sendable {
    /// The date of birth or the sex differs.
    case person
    /// They have no source of samples in common.
    case sources
    /// Hardly any samples are in both.
    case samples
}

/// How many samples an export has in common with what is there of a person.
public struct SampleOverlap: Sendable, Equatable {
    /// The samples that are there.
    public var held = 0
    /// The samples of the export.
    public var found = 0
    /// The samples that both have.
    public var common = 0

    /// The smallest share that is expected of two exports of the same phone.
    public static let leastShare = 0.1

    /// Creates counts of zero.
    public init() {}

    /// The samples in common as a share of those of the side that has fewer; 1 if it has none.
    public var share: Double {
        let fewer = min(held, found)
        return fewer == 0 ? 1 : Double(common) / Double(fewer)
    }

    /// The samples that are there and that the export does not have.
    public var gone: Int { held - common }

    /// Whether an update would delete more than half of what is there.
    public var losesMost: Bool { gone > held / 2 }
}

/// Whose data an update brings, and what it may do to the data of earlier exports.
public struct SubjectTerms: Sendable {
    /// The name of the person; nil to find out who it is.
    public var person: String?
    /// Whether the export may be older than the newest that is known.
    public var allowsOlder = false
    /// Whether more than half of what is there may be deleted.
    public var allowsDeletions = false
    /// What tells the content of the export from that of others; nil if it is not known.
    public var content: String?
    /// The people of whom a newer export is at hand, whatever their dates say.
    public var superseded: Set<String> = []

    /// Creates terms under which nothing doubtful is done.
    public init(person: String? = nil, allowsOlder: Bool = false, allowsDeletions: Bool = false) {
        self.person = person
        self.allowsOlder = allowsOlder
        self.allowsDeletions = allowsDeletions
    }

    /// Throws a doubt about an update unless these terms allow it.
    ///
    /// - Parameters:
    ///   - known: The person, as known before.
    ///   - exportDate: When the export was made, in seconds since 1970.
    ///   - overlap: What both have in common, where the update may delete what is gone.
    public func check(
        _ known: Subject, _ exportDate: Int?, _ overlap: SampleOverlap
    ) throws(SubjectDoubt) {
        if superseded.contains(known.person) { throw .older(known.person) }
        if !allowsOlder, let exportDate, let newest = known.exportDate,
            OrderedDate(exportDate).isBefore(OrderedDate(newest))
        {
            throw .older(known.person)
        }
        if !allowsDeletions, overlap.losesMost { throw .deletions(overlap.gone, of: overlap.held) }
    }
}

/// The reason why an export is not put in the place of what is there.
public enum SubjectDoubt: ClassifiedError, Sendable, Hashable {
    /// It seems to be of another person, and there is room for only one.
    case other(ForeignSign)
    /// It is older than the newest that is known of this person.
    case older(String)
    /// More than half of what is there would be deleted.
    case deletions(Int, of: Int)
    /// What it has is there already, as that of a person who has no name yet.
    case unnamed(String)
    /// There is the data of so many people that the name must be given.
    case many
    /// The name that is given is not that of the person whose data is there.
    case named(String)
}

extension SubjectDoubt: CustomStringConvertible {
    /// What it means.
    public var kind: ErrorKind { .refused }

    /// What is doubtful, as the rest of a sentence about an export.
    public var description: String {
        switch self {
        case .other(.person): "appears to be another person's export: the date of birth or sex differs"
        case .other(.sources): "appears to be another person's export: it shares no device or app"
        case .other(.samples): "appears to be another person's export: it shares hardly any samples"
        case .older: "is older than the newest export that is known"
        case .deletions(let gone, let held): "would delete \(gone) of \(held) samples"
        case .unnamed(let person): "contains what is already there as \(person)"
        case .many: "may be of any of the people whose samples are there"
        case .named(let person): "belongs to another person than \(person), whose data is there"
        }
    }
}

/// An error that may say that an export was refused because of a doubt.
public protocol DoubtfulError: ClassifiedError {
    /// The doubt; nil for any other error.
    var subjectDoubt: SubjectDoubt? { get }
}
