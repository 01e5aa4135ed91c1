import CAllocations
import SystemIO

/// The time that a stage takes.
struct Timing: Sendable {
    let stage: Stage
    /// The processor time of each round in seconds, in ascending order; one thread runs a round.
    let seconds: [Double]
    /// The number that the stage returned, usually the size of its output.
    let size: Int
    /// The number of allocations in the last round.
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
