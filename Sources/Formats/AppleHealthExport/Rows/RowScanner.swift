import ByteText
import SampleBatches

/// Turns the children of the root element into rows, window by window.
struct RowScanner {
    /// The number of rows so far.
    private(set) var position = 0
    private(set) var oddities = ScanOddities()
    private(set) var census = Census()
    /// The parts skipped because they could not be read.
    private(set) var damage: DamageSkipper
    private(set) var missingFiles: MissingFiles

    private var kinds: KindCache
    private var contents: ContentCache
    private var times = TimeReader()
    private var values = RowValues()
    /// The rows that a template matched, until they are passed on.
    private var rows = RowBlock(columns: TemplateCache.mostHoles)
    /// Their contents.
    private var blockContents = BlockContents()
    private var tag = StartTag()
    /// Whether names of attributes may have spaces, as in documents of iOS 8, which have no document type.
    var allowsSpacedNames = false

    /// The number of bytes that a window must have from the start of an element.
    ///
    /// An element that does not fit in the window waits for more.
    static let lookahead = 1 << 14

    init(usesTemplates: Bool, sideFiles: Set<String>?, acceptsDamage: Bool) {
        missingFiles = MissingFiles(besides: sideFiles)
        damage = DamageSkipper(isActive: acceptsDamage)
        kinds = KindCache(usesTemplates: usesTemplates)
        contents = ContentCache(usesShapes: usesTemplates)
    }

    /// The point where scanning a window stopped.
    struct Stop {
        /// The number of bytes that are no longer needed.
        let consumed: Int
        /// Whether the root's end tag was read.
        let isFinished: Bool
    }

    /// Scans the rows of a window until it is exhausted.
    ///
    /// - Parameters:
    ///   - bytes: The window; it starts between two elements.
    ///   - offset: The window's offset in the document.
    ///   - atEnd: Whether nothing follows the window.
    ///   - sink: Receives the rows.
    mutating func scan<Sink: RowSink & ~Copyable>(
        _ bytes: Span<UInt8>, offset: Int, atEnd: Bool, into sink: inout Sink
    ) throws(ExportError) -> Stop {
        var index = 0
        let end = atEnd ? bytes.count : bytes.count - Self.lookahead + 1
        // Swapped out, so that it can be written to while the rest of `self` is used.
        var rows = RowBlock(capacity: 0, columns: 0)
        swap(&rows, &self.rows)
        var blockContents = BlockContents()
        swap(&blockContents, &self.blockContents)
        defer {
            swap(&rows, &self.rows)
            swap(&blockContents, &self.blockContents)
        }
        while true {
            if damage.isSkipping {
                let (next, isFound) = damage.next(bytes, from: index, offset: offset, atEnd: atEnd)
                guard isFound else { return Stop(consumed: next, isFinished: false) }
                index = next
            }
            while index < bytes.count, MarkupReader.isSpace(bytes[index]) { index += 1 }
            if index == bytes.count || index >= end {
                return Stop(consumed: index, isFinished: false)
            }
            do {
                if try known(bytes, at: &index, before: end, &rows, &blockContents, &sink) {
                    continue
                } else if bytes[index] != UInt8(ascii: "<") {
                    index = try text(bytes, at: index, &sink)
                } else if endsInsideRootEnd(bytes, from: index) {
                    throw MarkupIssue.needsMore
                } else if bytes.matches(at: index, Self.rootEnd.span, 0..<Self.rootEnd.count) {
                    return Stop(consumed: try endOfRoot(bytes, at: index), isFinished: true)
                } else if bytes[index + 1] == UInt8(ascii: "!") || bytes[index + 1] == UInt8(ascii: "?") {
                    let end = try MarkupReader.skipOther(bytes, at: index)
                    if MarkupReader.isCDATA(bytes, at: index) {
                        // Its text is literal.
                        let text = bytes.array((index + 9)..<(end - 3))
                        if !text.allSatisfy(MarkupReader.isSpace) { emit(text: text, &sink) }
                    } else {
                        oddities.addDropped(bytes[index + 1])
                    }
                    index = end
                } else if bytes[index + 1] == UInt8(ascii: "/") {
                    throw MarkupIssue.problem(.unexpectedEndTag, at: index)
                } else {
                    index = try unknown(bytes, at: index, &sink)
                }
            } catch {
                switch error as? MarkupIssue {
                case .needsMore where !atEnd: return Stop(consumed: index, isFinished: false)
                case _ where damage.begin(bytes, at: index, offset: offset): continue
                case _ where damage.isExhausted: throw failure(.tooMuchDamage, bytes, index, offset + index)
                case .problem(let problem, let place):
                    throw failure(.malformed(problem), bytes, index, offset + place)
                case .tooDeep(let place): throw failure(.nestedTooDeep, bytes, index, offset + place)
                case .tooMany(let place): throw failure(.tooManyParts, bytes, index, offset + place)
                default: throw failure(.truncated, bytes, index, offset + index)
                }
            }
        }
    }

    /// Skips an unreadable element that starts at an offset in the document.
    ///
    /// - Returns: false if skipping is not allowed or the limit is reached.
    mutating func skip(from offset: Int) -> Bool { damage.begin(at: offset) }

    /// Skips the rest of the document.
    mutating func skip(_ range: Range<Int>) {
        guard damage.begin(at: range.lowerBound) else { return }
        damage.end(at: range.upperBound)
    }

    private static let rootEnd = Array("</HealthData".utf8)

    /// Returns whether the window ends within the start of what may be the root's end tag.
    private func endsInsideRootEnd(_ bytes: Span<UInt8>, from index: Int) -> Bool {
        let rest = bytes.count - index
        return rest < Self.rootEnd.count && bytes.matches(at: index, Self.rootEnd.span, 0..<rest)
    }

    private func endOfRoot(_ bytes: Span<UInt8>, at index: Int) throws(MarkupIssue) -> Int {
        let end = bytes.firstIndex(of: UInt8(ascii: ">"), from: index)
        guard end < bytes.count else { throw .needsMore }
        for place in (index + Self.rootEnd.count)..<end where !MarkupReader.isSpace(bytes[place]) {
            throw .problem(.unexpectedEndTag, at: index)
        }
        return end + 1
    }

    private func failure(
        _ code: ExportError.Code, _ bytes: Span<UInt8>, _ index: Int, _ place: Int
    ) -> ExportError {
        var end = min(index + 1, bytes.count)
        while end < bytes.count, end - index < 64, ElementName.isNameByte(bytes[end]) { end += 1 }
        // Text in place of a tag is not a name and must not be shown.
        let isTag = index < bytes.count && bytes[index] == UInt8(ascii: "<")
        let name = isTag ? bytes.array((index + 1)..<end) : []
        return ExportError(
            code, offset: place, element: name.isEmpty ? nil : String(decoding: name, as: UTF8.self))
    }

    /// Passes the root element itself to the sink as the row at position 0.
    mutating func scanRoot<Sink: RowSink & ~Copyable>(
        _ bytes: Span<UInt8>, _ tag: StartTag, into sink: inout Sink
    ) {
        let (kind, start, odd) = kinds.kind(bytes, tag, isCompilable: false, &census, &values)
        oddities.add(odd, times: 1)
        Self.count(kind, 1, &census)
        pass(kind, nil, start, to: &sink)
    }

    /// Scans an element whose start tag matches a template, and the elements after it that match the same template.
    ///
    /// - Returns: false if no template matches.
    @inline(__always)
    private mutating func known<Sink: RowSink & ~Copyable>(
        _ bytes: Span<UInt8>, at index: inout Int, before end: Int, _ rows: inout RowBlock,
        _ contents: inout BlockContents, _ sink: inout Sink
    ) throws(MarkupIssue) -> Bool {
        var lead = RowTemplate.Pattern.Lead()
        guard let (template, first) = find(bytes, at: index, after: &lead, &rows) else { return false }
        let kind = template.kind
        var match: RowTemplate.Pattern.Match? = first
        var total = 0
        defer { count(kind, total) }
        var isFull = true
        while isFull {
            var row = 0
            defer {
                pass(kind, &contents, row, &rows, text: bytes, to: &sink)
                total += row
            }
            var cells = rows.cells.mutableSpan
            isFull = try gather(
                template.pattern, nameLength: kind.element.utf8.count, &match, bytes, at: &index, before: end,
                &lead, &contents, row: &row, &cells)
        }
        return true
    }

    /// Gathers elements that match a template, until the block is full.
    ///
    /// - Parameters:
    ///   - match: That of the first element, if it was matched already.
    ///   - row: Receives the number of rows.
    /// - Returns: false if the next element does not match.
    @inline(__always)
    private mutating func gather(
        _ pattern: borrowing RowTemplate.Pattern, nameLength: Int, _ match: inout RowTemplate.Pattern.Match?,
        _ bytes: Span<UInt8>, at index: inout Int, before end: Int, _ lead: inout RowTemplate.Pattern.Lead,
        _ contents: inout BlockContents, row: inout Int, _ cells: inout MutableSpan<Int>
    ) throws(MarkupIssue) -> Bool {
        while row < RowBlock.most, !contents.isFull {
            if match == nil {
                guard index < end else { return false }
                match = pattern.match(bytes, at: index, after: &lead, &times, row: row, &cells)
            }
            guard let matched = match else { return false }
            match = nil
            var (number, next) = (ContentCache.noContent, matched.end)
            if !matched.isEmpty {
                let name = (index + 1)..<(index + 1 + nameLength)
                (number, next) = try self.contents.number(
                    bytes, at: matched.end, ofElement: name, &census, &oddities)
            }
            cells[RowBlock.contentCell(of: row)] = contents.place(of: number, &self.contents)
            row += 1
            index = next
            while index < bytes.count, MarkupReader.isSpace(bytes[index]) { index += 1 }
        }
        return true
    }

    /// Finds the template that matches an element, whose values become the first row of a block.
    @inline(__always)
    private mutating func find(
        _ bytes: Span<UInt8>, at index: Int, after lead: inout RowTemplate.Pattern.Lead,
        _ rows: inout RowBlock
    ) -> (template: RowTemplate, match: RowTemplate.Pattern.Match)? {
        var cells = rows.cells.mutableSpan
        guard let found = kinds.templates.match(bytes, at: index, after: &lead, &times, &cells) else {
            return nil
        }
        rows.startOffset = found.template.pattern.startOffset
        return found
    }

    /// Passes the first rows of a block to the sink.
    @inline(__always)
    private mutating func pass<Sink: RowSink & ~Copyable>(
        _ kind: RowKind, _ contents: inout BlockContents, _ count: Int, _ rows: inout RowBlock,
        text: Span<UInt8>, to sink: inout Sink
    ) {
        guard count > 0 else { return }
        rows.count = count
        for place in contents.contents.indices {
            Self.count(contents.contents[place], contents.uses[place], &census, &oddities)
        }
        if kind.mayNameFiles {
            for row in 0..<count {
                let place = rows.content(of: row)
                missingFiles.add(
                    kind, place == 0 ? nil : contents.contents[place - 1],
                    rows.values(of: row, columns: kind.context.columns.count).span, text)
            }
        }
        sink.append(kind, contents: contents.contents, position: position, rows, text: text)
        position += count
        if !contents.isEmpty { contents.removeAll() }
    }

    /// Scans an element by reading its start tag attribute by attribute.
    private mutating func unknown<Sink: RowSink & ~Copyable>(
        _ bytes: Span<UInt8>, at index: Int, _ sink: inout Sink
    ) throws(MarkupIssue) -> Int {
        if kinds.isFull {
            kinds.removeAll()
            sink.forgetKinds()
        }
        kinds.age(at: position)
        try MarkupReader.startTag(bytes, at: index, into: &tag, allowsSpaces: allowsSpacedNames)
        var content: RowContent?
        var next = tag.end
        if !tag.isEmpty {
            (_, next) = try contents.number(
                bytes, at: tag.end, ofElement: tag.name, &census, &oddities)
            content = contents.takeLast()
        }
        let (kind, start, odd) = kinds.kind(bytes, tag, isCompilable: true, &census, &values)
        oddities.add(odd, times: 1)
        count(kind, 1)
        Self.count(content, 1, &census, &oddities)
        pass(kind, content, start, to: &sink)
        return next
    }

    /// Passes a row that was read attribute by attribute to the sink.
    private mutating func pass<Sink: RowSink & ~Copyable>(
        _ kind: RowKind, _ content: RowContent?, _ start: Timestamp?, to sink: inout Sink
    ) {
        if kind.mayNameFiles {
            let (cells, text) = (values.cells, values.text)
            missingFiles.add(kind, content, cells.span, text.span)
        }
        sink.append(
            kind, content: content, position: position, start: start, cells: values.cells.span,
            text: values.text.span, size: values.size)
        position += 1
        // Few are long, and those are kept no longer than needed.
        if values.size > Self.lookahead { values = RowValues() }
    }

    /// Scans the text up to the next tag as a row.
    private mutating func text<Sink: RowSink & ~Copyable>(
        _ bytes: Span<UInt8>, at index: Int, _ sink: inout Sink
    ) throws(MarkupIssue) -> Int {
        let next = bytes.firstIndex(of: UInt8(ascii: "<"), from: index)
        if let zeros = MarkupReader.zeros(bytes, index..<next) { throw .problem(.zeros, at: zeros) }
        guard next < bytes.count else { throw .needsMore }
        // Of a record whose < was changed, only its text is left: a record that was lost.
        guard !MarkupReader.looksLikeAttributes(bytes, index..<next) else {
            throw .problem(.elementWithoutBracket, at: index)
        }
        var end = next
        while MarkupReader.isSpace(bytes[end - 1]) { end -= 1 }
        emit(text: AttributeText.content(bytes, index..<end, &oddities), &sink)
        return next
    }

    private mutating func emit<Sink: RowSink & ~Copyable>(text: [UInt8], _ sink: inout Sink) {
        let (kind, odd) = kinds.kind(ofText: text, &census, &values)
        oddities.add(odd, times: 1)
        Self.count(kind, 1, &census)
        pass(kind, nil, nil, to: &sink)
    }

    /// Counts rows below the root.
    private mutating func count(_ kind: RowKind, _ times: Int) {
        if kind.element == "HealthData" { oddities.nestedDocuments += times }
        Self.count(kind, times, &census)
    }

    private static func count(_ kind: RowKind, _ times: Int, _ census: inout Census) {
        census.add(kind.censusIndex, times)
        if let type = kind.typeIndex { census.add(type: type, times) }
        for attribute in kind.unknownAttributes { census.add(attribute, times) }
    }

    private static func count(
        _ content: RowContent?, _ times: Int, _ census: inout Census, _ oddities: inout ScanOddities
    ) {
        guard let content else { return }
        for (index, count) in content.census { census.add(index, count * times) }
        if !content.oddities.isEmpty { oddities.add(content.oddities, times: times) }
    }
}

/// The bytes of names, which may be shown in a message.
private enum ElementName {
    static func isNameByte(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || byte == UInt8(ascii: "_")
            || byte == UInt8(ascii: "-")
    }
}
