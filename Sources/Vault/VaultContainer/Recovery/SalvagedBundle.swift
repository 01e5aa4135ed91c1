extension BundleContent {
    /// Returns the members: those that the index lists, or else those that the tar headers name.
    ///
    /// - Parameters:
    ///   - place: The range of the bundle in the stream.
    ///   - members: What the index lists, nil without an index.
    /// - Returns: nil if there are none, if the content is too short for them, or if two have the same name, which no
    ///   writer produces.
    func salvagedMembers(
        of place: Range<Int>, listed members: ArraySlice<ContainerEntry>?
    ) throws(ContainerError) -> [SalvagedEntry]? {
        var found: [SalvagedEntry] = []
        if let members {
            guard members.allSatisfy({ $0.range.upperBound <= bytes.count }) else { return nil }
            found = members.map { member in
                SalvagedEntry(
                    name: member.name, range: member.range, length: member.length, sha256: nil, bundle: place)
            }
        } else {
            let walk = try TarWalk(length: bytes.count) { range throws(ContainerError) in
                ([UInt8](bytes[range]), [])
            }
            found = walk.entries.map { entry in
                var entry = entry
                entry.bundle = place
                return entry
            }
        }
        guard !found.isEmpty, Set(found.map(\.name)).count == found.count else { return nil }
        return found
    }
}
