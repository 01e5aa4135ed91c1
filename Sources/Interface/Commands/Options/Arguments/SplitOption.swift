package import CommandLineKit
package import SystemIO

extension ValueParser<VolumeRule> {
    /// The size of the files into which an archive is split: `4GiB`, `650MB` or a number of bytes.
    package static var volumes: ValueParser<VolumeRule> {
        ValueParser<Int>.byteCount(
            atLeast: VolumeRule.smallest, expected: "a size of at least 64 KiB such as 650MB or 4GiB"
        ).map { VolumeRule(size: $0) }
    }
}
