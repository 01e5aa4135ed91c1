/// The names that the members of an object may have: the cases of an enumeration.
///
/// A text may have thousands of such objects: making a string of each name, and comparing it with one after the other, would take
/// longer than reading the values.
public struct JSONNames<Name: RawRepresentable<String> & CaseIterable & Sendable>: Sendable {
    /// The texts of the names.
    @usableFromInline package let list: JSONNameList
    /// The names, each at its number.
    @usableFromInline package let cases: [Name]

    /// Makes a list of the names, which have no characters that JSON escapes; they are found fastest if they have the order in which
    /// they are written.
    public init() {
        cases = Array(Name.allCases)
        list = JSONNameList(cases.map(\.rawValue))
    }
}

/// Names, each known by its number.
@usableFromInline
package struct JSONNameList: Sendable {
    /// The names as they are mostly written: in quotes, with a colon behind them.
    private var text: [UInt8] = []
    private var ranges: [Range<Int>] = []

    package init(_ names: [String]) {
        for name in names {
            let start = text.count
            text += [quote] + Array(name.utf8) + [quote, UInt8(ascii: ":")]
            ranges.append(start..<text.count)
        }
    }

    /// Returns the length of a name with its quotes and its colon, if exactly that stands at an offset; nil for anything else.
    @inline(__always)
    fileprivate func length(of number: Int, in bytes: Span<UInt8>, at offset: Int) -> Int? {
        guard number < ranges.count, bytes.matches(at: offset, text, ranges[number]) else { return nil }
        return ranges[number].count
    }

    /// Returns the number of a name; nil if it is none of these.
    package func number(of name: Span<UInt8>) -> Int? {
        for (number, range) in ranges.enumerated() where range.count == name.count + 3 {
            if name.matches(at: 0, text, (range.lowerBound + 1)..<(range.upperBound - 2)) { return number }
        }
        return nil
    }
}

/// Where a reader is among the members of an object.
public struct JSONMembers: Sendable {
    fileprivate var isFirst = true
    /// The number of the name that comes next if the members have the order of the names.
    fileprivate var expected = 0
}

extension JSONReader {
    /// Begins to read an object; `nextMember` reads the names of its members.
    public mutating func members() throws(JSONError) -> JSONMembers {
        guard try kind() == .object else { throw failure(.unexpected) }
        offset += 1
        return JSONMembers()
    }

    /// Reads the name of the next member of an object, whose value the caller then reads.
    ///
    /// - Returns: The name, in an optional that is nil for any other name; nil if the object ends.
    @inlinable
    public mutating func nextMember<Name>(
        _ members: inout JSONMembers, of names: JSONNames<Name>
    ) throws(JSONError) -> Name?? {
        guard let number = try nextMember(&members, of: names.list) else { return nil }
        return .some(number < 0 ? nil : names.cases[number])
    }

    /// Reads the name of the next member of an object.
    ///
    /// - Returns: Its number, negative if it is none of the names; nil if the object ends.
    @usableFromInline
    package mutating func nextMember(
        _ members: inout JSONMembers, of names: JSONNameList
    ) throws(JSONError) -> Int? {
        let hasMore = try members.isFirst ? !accept(UInt8(ascii: "}")) : accept(UInt8(ascii: ","))
        guard hasMore else {
            if !members.isFirst { try expect(UInt8(ascii: "}")) }
            return nil
        }
        members.isFirst = false
        // One name may be left out.
        for number in members.expected...(members.expected + 1) {
            guard let length = names.length(of: number, in: bytes.span.extracting(..<end), at: offset) else {
                continue
            }
            offset += length
            members.expected = number + 1
            return number
        }
        guard try peek() == quote else { throw failure(.malformed) }
        let (body, isPlain) = try stringBody()
        try expect(UInt8(ascii: ":"))
        guard let number = try number(of: body, isPlain: isPlain, in: names) else { return -1 }
        members.expected = number + 1
        return number
    }

    private func number(of body: Range<Int>, isPlain: Bool, in names: JSONNameList) throws(JSONError) -> Int?
    {
        if isPlain { return names.number(of: bytes.span.extracting(body)) }
        let name = try unescaped(body)
        return names.number(of: name.span)
    }
}
