/// The readers of untrusted input, each with what must hold for any input.
///
/// None may crash, hang or take memory without bounds; the rest is said at each.
enum FuzzTarget: Sendable {
    static let all: [String: @Sendable ([UInt8]) -> Void] = [
        "container": ContainerTarget.read, "recover": ContainerTarget.recover,
        "header": ContainerTarget.header,
        "index": ContainerTarget.index, "tar": ContainerTarget.tar, "batch": BatchTarget.stored,
        "ndjson": BatchTarget.lines, "manifest": BatchTarget.manifest, "scanner": DocumentTarget.scan,
        "zip": DocumentTarget.zip, "samples": SampleTarget.lines,
        "electrocardiogram": SampleTarget.electrocardiogram,
    ]
}

/// What must hold did not: the fuzzer keeps the input.
func violated(_ property: String) -> Never { fatalError("violated: " + property) }
