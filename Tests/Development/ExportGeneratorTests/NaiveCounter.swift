import ExportGenerator

/// Counts elements by walking over the bytes, without any knowledge of how they were made.
///
/// It takes a document whose elements are balanced, and notes every end tag that does not fit.
struct NaiveCounter {
    private(set) var elements: [String: Int] = [:]
    private(set) var recordTypes: [String: Int] = [:]
    private(set) var mistakes: [String] = []
    private var open: [String] = []

    init(_ document: [UInt8]) {
        let text = document[Self.bodyStart(of: document)...]
        var index = text.startIndex
        while let start = text[index...].firstIndex(of: UInt8(ascii: "<")) {
            guard let end = text[start...].firstIndex(of: UInt8(ascii: ">")) else {
                mistakes.append("tag without end at \(start)")
                return
            }
            visit(String(decoding: text[(start + 1)..<end], as: UTF8.self))
            index = end + 1
        }
        if !open.isEmpty { mistakes.append("left open: \(open)") }
    }

    /// Behind the document type declaration, if there is one.
    private static func bodyStart(of document: [UInt8]) -> Int {
        let root = Array("<HealthData locale=".utf8)
        return document.indices.first { document[$0...].starts(with: root) } ?? document.count
    }

    private mutating func visit(_ tag: String) {
        if tag.hasPrefix("/") {
            let name = open.popLast()
            if name != String(tag.dropFirst()) { mistakes.append("\(tag) closes \(name ?? "nothing")") }
            return
        }
        let isEmpty = tag.hasSuffix("/")
        let name = String(tag.prefix { $0 != " " && $0 != "/" })
        if !open.isEmpty {
            let path = (open.dropFirst() + [name]).joined(separator: "/")
            elements[path, default: 0] += 1
            if path == "Record", let type = attribute("type", of: tag) {
                recordTypes[type, default: 0] += 1
            }
        }
        if !isEmpty { open.append(name) }
    }

    private func attribute(_ name: String, of tag: String) -> String? {
        let words = tag.split(separator: "\"", omittingEmptySubsequences: false)
        let index = words.indices.first { words[$0].hasSuffix(" \(name)=") }
        return index.map { String(words[$0 + 1]) }
    }
}
