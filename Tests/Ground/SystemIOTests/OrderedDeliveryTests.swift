import Synchronization
import SystemIO
import Testing

struct OrderedDeliveryTests {
    private struct Refused: Error, Equatable { let number: Int }

    /// What was delivered, and whether ever two deliveries took place at the same time.
    private final class Receiver: Sendable {
        private let state = Mutex((numbers: [Int](), isBusy: false, wasShared: false))

        var numbers: [Int] { state.withLock(\.numbers) }
        var wasShared: Bool { state.withLock(\.wasShared) }

        func receive(_ number: Int, slowly: Bool = false) {
            state.withLock {
                if $0.isBusy { $0.wasShared = true }
                $0.isBusy = true
            }
            if slowly { SystemClock.sleep(milliseconds: 1) }
            state.withLock {
                $0.isBusy = false
                $0.numbers.append(number)
            }
        }
    }

    @Test(arguments: [0, 1, 2, 5], [0, 4])
    func resultsArriveInOrderOneAtATime(processors: Int, waiting: Int) async throws {
        let receiver = Receiver()
        var delivery = OrderedDelivery<Int, Int>(Processors(count: processors), waiting: waiting) { number in
            // What comes first takes longest.
            if number % 7 == 0 { SystemClock.sleep(milliseconds: 2) }
            return number
        } deliver: {
            receiver.receive($0, slowly: $0 % 11 == 0)
        }
        for number in 0..<100 { try await delivery.submit(number, isLarge: number % 13 == 0) }
        try await delivery.finish()
        #expect(receiver.numbers == Array(0..<100))
        #expect(!receiver.wasShared)
    }

    /// However slow the delivery is, no more than the limit is under way.
    @Test(arguments: [1, 3])
    func slowDeliveryHoldsUpTheCaller(processors: Int) async throws {
        let counts = Mutex((begun: 0, delivered: 0, most: 0))
        var delivery = OrderedDelivery<Int, Int>(Processors(count: processors), waiting: 2) { number in
            counts.withLock {
                $0.begun += 1
                $0.most = max($0.most, $0.begun - $0.delivered)
            }
            return number
        } deliver: { _ in
            SystemClock.sleep(milliseconds: 1)
            counts.withLock { $0.delivered += 1 }
        }
        for number in 0..<60 { try await delivery.submit(number) }
        try await delivery.finish()
        let (delivered, most) = counts.withLock { ($0.delivered, $0.most) }
        #expect(delivered == 60)
        #expect(most <= processors + 1 + 2)
    }

    @Test(arguments: [0, 1, 3], [true, false])
    func nothingIsDeliveredAfterAFailure(processors: Int, failsInWork: Bool) async {
        let receiver = Receiver()
        var delivery = OrderedDelivery<Int, Int>(Processors(count: processors)) { number in
            if failsInWork, number == 20 { throw Refused(number: number) }
            return number
        } deliver: { number in
            if !failsInWork, number == 20 { throw Refused(number: number) }
            receiver.receive(number)
        }
        var failure: Refused?
        do {
            for number in 0..<60 { try await delivery.submit(number) }
            try await delivery.finish()
        } catch { failure = error as? Refused }
        await delivery.drain()
        #expect(failure == Refused(number: 20))
        #expect(receiver.numbers == Array(0..<20))
    }

    @Test(arguments: [0, 1, 3])
    func nothingIsDeliveredOnceItIsToEnd(processors: Int) async throws {
        let receiver = Receiver()
        var delivery = OrderedDelivery<Int, Int>(Processors(count: processors), waiting: 4) {
            $0
        } deliver: {
            receiver.receive($0)
        }
        for number in 0..<5 { try await delivery.submit(number) }
        await delivery.drain()
        let numbers = receiver.numbers
        #expect(numbers == Array(0..<numbers.count))
        await #expect(throws: CancellationError.self) { try await delivery.submit(5) }
        try await delivery.finish()
        #expect(receiver.numbers == numbers)
    }
}
