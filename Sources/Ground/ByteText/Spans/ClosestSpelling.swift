/// Returns the candidate that the text most likely means, if any is close enough; the first of equally close ones.
///
/// Close means a distance of at most a third of the longer text's length, or 1 if that is more; leading dashes are
/// ignored. A candidate that begins with the text (at least three characters) has a distance of at most 1.
package func closestSpelling(to text: String, among candidates: [String]) -> String? {
    let wanted = Array(text.lowercased().drop { $0 == "-" })
    guard !wanted.isEmpty else { return nil }
    var best: (distance: Int, more: Int, candidate: String)?
    for candidate in candidates {
        let offered = Array(candidate.lowercased().drop { $0 == "-" })
        let limit = max(1, max(wanted.count, offered.count) / 3)
        let distance: Int
        // Of the candidates that begin with the text, the shortest is the closest.
        var more = 0
        if wanted.count >= 3, offered.starts(with: wanted) {
            more = offered.count - wanted.count
            distance = min(1, more)
        } else {
            guard abs(wanted.count - offered.count) <= limit else { continue }
            distance = editDistance(wanted, offered)
        }
        guard distance <= limit, distance < wanted.count, candidate != text else { continue }
        if best.map({ (distance, more) < ($0.distance, $0.more) }) ?? true {
            best = (distance, more, candidate)
        }
    }
    return best?.candidate
}

/// Returns the minimum number of insertions, deletions, replacements and adjacent swaps between two texts.
func editDistance(_ first: [Character], _ second: [Character]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...second.count)
    for row in first.indices {
        var current = [row + 1]
        for column in second.indices {
            let replacement = last[column] + (first[row] == second[column] ? 0 : 1)
            var cost = min(replacement, last[column + 1] + 1, current[column] + 1)
            if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
                cost = min(cost, beforeLast[column - 1] + 1)
            }
            current.append(cost)
        }
        beforeLast = last
        last = current
    }
    return last[second.count]
}
