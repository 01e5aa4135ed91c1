/// The contents of the rows of a block, each of which is there once.
struct BlockContents {
    private(set) var contents: [RowContent] = []
    /// The number of rows that have each.
    private(set) var uses: [Int] = []
    /// The numbers of the contents in the cache.
    private var numbers: [Int] = []
    /// Whether one of them is so long that it is not kept for more rows.
    private(set) var isLong = false

    /// Whether there is none.
    var isEmpty: Bool { contents.isEmpty }

    /// The most contents of a block.
    private static let most = 8

    /// Returns the place, from 1, of a content that the cache has just read, for one more row; 0 for none.
    ///
    /// - Returns: nil if there is no room for another one.
    @inline(__always)
    mutating func place(of number: Int, _ cache: inout ContentCache) -> Int? {
        guard number != ContentCache.noContent else { return 0 }
        if let known = numbers.firstIndex(of: number) {
            uses[known] += 1
            return known + 1
        }
        return add(number, &cache)
    }

    private mutating func add(_ number: Int, _ cache: inout ContentCache) -> Int? {
        guard contents.count < Self.most else { return nil }
        guard let content = cache.takeLast() else { return 0 }
        contents.append(content)
        numbers.append(number)
        uses.append(1)
        if content.json.count > ContentCache.longest { isLong = true }
        return contents.count
    }

    /// Removes all contents.
    mutating func removeAll() {
        contents.removeAll(keepingCapacity: true)
        uses.removeAll(keepingCapacity: true)
        numbers.removeAll(keepingCapacity: true)
        isLong = false
    }
}
