import SampleBatches
import Testing

@Suite("Device descriptions")
struct DevicePointerTests {
    private func range(_ text: String) -> Range<Int>? {
        let bytes = Array(text.utf8)
        return DevicePointer.range(in: bytes.span)
    }

    @Test("have a pointer that is found")
    func pointer() {
        #expect(range("<<HKDevice: 0x2812f5540>, name:Apple Watch>") == 12..<23)
        #expect(range("<<HKDevice: 0x1>") == 12..<15)
    }

    @Test(
        "or none",
        arguments: [
            "", "<<HKDevice: 0x>", "<<HKDevice: 0x12", "<HKDevice: 0x12>", "<<HKDevice: 0x1g>, name:x>",
        ])
    func none(_ text: String) { #expect(range(text) == nil) }

    @Test("are the same from one export to the next without it and the creation date")
    func normalized() {
        let one = "<<HKDevice: 0x2812f5540>, name:Watch, creation date:2026-01-15 22:56:09 +0000, software:9>"
        let other = "<<HKDevice: 0x1>, name:Watch, creation date:2025-01-15 22:56:09 +0000, software:9>"
        #expect(DevicePointer.normalized(Array(one.utf8)) == DevicePointer.normalized(Array(other.utf8)))
        #expect(
            String(decoding: DevicePointer.normalized(Array(one.utf8)), as: UTF8.self)
                == "<<HKDevice: >, name:Watch, software:9>")
        #expect(
            String(decoding: DevicePointer.removed(from: Array(one.utf8)), as: UTF8.self)
                == "<<HKDevice: >, name:Watch, creation date:2026-01-15 22:56:09 +0000, software:9>")
    }
}
