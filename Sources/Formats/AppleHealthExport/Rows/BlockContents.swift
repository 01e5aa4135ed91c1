/// The contents of the rows of a block, one for each number by which the cache knows them.
struct BlockContents {
    private(set) var contents: [RowContent] = []
    /// The number of rows that have each.
    private(set) var uses: [Int] = []
    /// The numbers of the contents in the cache.
    private var numbers: [Int] = []
    /// The place of the content of the last row, which is mostly that of the next.
    private var last = 0
    /// Whether there are as many as a block may have, or one is so long that it is not kept for more rows.
    private(set) var isFull = false

    /// Whether there is none.
    var isEmpty: Bool { contents.isEmpty }

    /// The most contents of a block.
    private static let most = 8

    /// Returns the place, from 1, of a content that the cache has just read, for one more row; 0 for none.
    @inline(__always)
    mutating func place(of number: Int, _ cache: inout ContentCache) -> Int {
        guard number != ContentCache.noContent else { return 0 }
        if last >= numbers.count || numbers[last] != number {
            guard let known = numbers.firstIndex(of: number) else { return add(number, &cache) }
            last = known
        }
        uses[last] += 1
        return last + 1
    }

    private mutating func add(_ number: Int, _ cache: inout ContentCache) -> Int {
        guard let content = cache.takeLast() else { return 0 }
        contents.append(content)
        numbers.append(number)
        uses.append(1)
        last = contents.count - 1
        isFull = contents.count == Self.most || content.json.count > ContentCache.longest
        return contents.count
    }

    /// Removes all contents.
    mutating func removeAll() {
        contents.removeAll(keepingCapacity: true)
        uses.removeAll(keepingCapacity: true)
        numbers.removeAll(keepingCapacity: true)
        isFull = false
    }
}
