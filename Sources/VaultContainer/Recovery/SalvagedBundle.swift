extension BundleContent {
    /// The members that the tar headers name, for whoever has no index.
    ///
    /// - Parameter place: Where the bundle stands in the stream.
    func salvagedMembers(of place: Range<Int>) throws(ContainerError) -> [SalvagedEntry] {
        let walk = try TarWalk(length: bytes.count) { range throws(ContainerError) in
            ([UInt8](bytes[range]), [])
        }
        return walk.entries.map { entry in
            var entry = entry
            entry.bundle = place
            return entry
        }
    }
}
