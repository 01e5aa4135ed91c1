import Synchronization
import SystemIO
import Testing

struct ProcessorsTests {
    /// Counts who works at the same time.
    private final class Gauge: Sendable {
        private let state = Mutex((now: 0, most: 0))

        var most: Int { state.withLock(\.most) }

        func work() {
            state.withLock {
                $0.now += 1
                $0.most = max($0.most, $0.now)
            }
            SystemClock.sleep(milliseconds: 1)
            state.withLock { $0.now -= 1 }
        }
    }

    private struct Refused: Error {}

    @Test(arguments: [1, 2, 5])
    func neverMoreThanAllowedWorkBesideTheCaller(count: Int) async throws {
        let gauge = Gauge()
        let processors = Processors(count: count)
        let pending = (0..<60).map { number in
            let result = PendingResult<Int>()
            processors.add {
                gauge.work()
                result.finish(.success(number))
            }
            return result
        }
        for (number, result) in pending.enumerated() {
            #expect(try await result.value(helping: processors) == number)
        }
        #expect(gauge.most <= count + 1)
    }

    @Test func withoutProcessorsTheCallerDoesItAll() async throws {
        let processors = Processors(count: 0)
        let order = Mutex<[Int]>([])
        for number in 0..<5 { processors.add { order.withLock { $0.append(number) } } }
        processors.add(isUrgent: true) { order.withLock { $0.append(9) } }
        let before = order.withLock { $0 }
        while processors.help() {}
        let after = order.withLock { $0 }
        #expect(before.isEmpty)
        #expect(after == [9, 0, 1, 2, 3, 4])
        #expect(!processors.help())
    }

    @Test func whatWorkThrowsReachesWhoAsks() async {
        let processors = Processors(count: 1)
        let result = PendingResult<Int>()
        processors.add { result.finish(Result { throw Refused() }) }
        await #expect(throws: Refused.self) { try await result.value(helping: processors) }
    }

    @Test func aResultIsWaitedForWhereNothingElseIsToBeDone() async throws {
        let processors = Processors(count: 1)
        let result = PendingResult<Int>()
        processors.add {
            SystemClock.sleep(milliseconds: 50)
            result.finish(.success(7))
        }
        // By now the work is under way, so that nobody can help with it.
        SystemClock.sleep(milliseconds: 20)
        #expect(try await result.value(helping: processors) == 7)
    }
}
