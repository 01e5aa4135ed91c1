import CAllocations
import SystemIO

/// How long a stage takes.
struct Timing: Sendable {
    let stage: Stage
    /// Seconds of processor time of each round, which one thread runs, ascending.
    let seconds: [Double]
    /// What the stage made.
    let size: Int
    /// Number of allocations of the last round.
    let allocations: Int

    init(_ stage: Stage, _ material: Material, rounds: Int) throws {
        self.stage = stage
        var seconds: [Double] = []
        var (size, allocations) = (0, 0)
        for _ in 0..<rounds {
            let before = healthvault_allocation_count()
            let start = SystemClock.processorTime()
            size = try stage.run(material)
            seconds.append(SystemClock.processorTime() - start)
            allocations = healthvault_allocation_count() - before
        }
        self.seconds = seconds.sorted()
        self.size = size
        self.allocations = allocations
    }

    var median: Double { seconds[seconds.count / 2] }
}
