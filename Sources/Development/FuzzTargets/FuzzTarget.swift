/// The readers of untrusted input, each with properties that must hold for any input.
///
/// None may crash, hang or use unlimited memory; each target describes the other properties.
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

/// Stops because a property does not hold, so that the fuzzer keeps the input.
func violated(_ property: String) -> Never { fatalError("violated: " + property) }
