import HealthVault
import Testing

@testable import Commands

/// What is shown of an operation, by a clock that the test sets.
@Suite struct ProgressMeterTests {
    /// Records the progress of a phase every tenth of a second, and returns the readings with their times.
    private func readings(
        _ meter: inout ProgressMeter, _ phase: VaultProgress.Phase, total: Int?, from start: Double,
        to end: Double,
        _ done: (Double) -> Int
    ) -> [(time: Double, reading: ProgressMeter.Reading)] {
        var found: [(Double, ProgressMeter.Reading)] = []
        for tenth in Int(start * 10)...Int(end * 10) {
            let now = Double(tenth) / 10
            let progress = VaultProgress(phase, done: done(now), total: total)
            if let reading = meter.record(progress, at: now) { found.append((now, reading)) }
        }
        return found
    }

    @Test func nothingIsShownInTheFirstSecondAndThenEverySecond() {
        var meter = ProgressMeter(at: 0)
        let all = readings(&meter, .reading, total: 1000, from: 0, to: 5) { Int($0 * 100) }
        #expect(all.map(\.time) == [1, 2, 3, 4, 5])
    }

    @Test func thereIsNoEstimateInTheFirstThreeSecondsOfAPhase() {
        var meter = ProgressMeter(at: 0)
        let first = readings(&meter, .reading, total: 1000, from: 0, to: 5) { Int($0 * 100) }
        for (time, reading) in first { #expect((reading.secondsLeft != nil) == (time >= 3)) }
        let second = readings(&meter, .readingBack, total: 1000, from: 5.1, to: 10) { Int(($0 - 5.1) * 100) }
        #expect(second.first?.time == 5.1, "a new phase is shown at once")
        for (time, reading) in second { #expect((reading.secondsLeft != nil) == (time >= 8.1)) }
    }

    @Test func aSteadySpeedGivesTheTrueTime() {
        var meter = ProgressMeter(at: 100)
        let all = readings(&meter, .reading, total: 3_000_000, from: 100, to: 130) {
            Int(($0 - 100) * 100_000)
        }
        for (time, reading) in all where time >= 103 {
            #expect(abs((reading.secondsLeft ?? -1) - Int(130 - time)) <= 1)
            #expect(abs((reading.bytesPerSecond ?? 0) - 100_000) < 2000)
            #expect(abs((reading.percent ?? -1) - Int((time - 100) / 0.3)) <= 1)
        }
    }

    @Test func aWaitForTheKeyIsForgotten() throws {
        // Nothing happens for 20 seconds, as while a key is derived; then it takes two seconds.
        var meter = ProgressMeter(at: 0)
        _ = meter.record(VaultProgress(done: 1, total: 1 << 30), at: 0.01)
        let all = readings(&meter, .reading, total: 1 << 30, from: 20, to: 24) { time in
            Int((time - 20) / 8 * Double(1 << 30))
        }
        let last = try #require(all.last?.reading.secondsLeft)
        #expect((3...5).contains(last))
    }

    @Test func whatAnEarlierRunHadWrittenSaysNothingAboutTheSpeed() throws {
        var meter = ProgressMeter(at: 0)
        // Half of it is skipped in half a second.
        let all = readings(&meter, .reading, total: 1_000_000, from: 0, to: 20) { time in
            time <= 0.5 ? Int(time * 1_000_000) : 500_000 + Int((time - 0.5) * 10_000)
        }
        let last = try #require(all.last)
        #expect(abs((last.reading.secondsLeft ?? 0) - 31) <= 2)
        #expect(abs((last.reading.bytesPerSecond ?? 0) - 10_000) < 500)
    }

    @Test func aPhaseThatBeginsAnewHasNoNegativeSpeed() {
        var meter = ProgressMeter(at: 0)
        _ = readings(&meter, .checking, total: 1000, from: 0, to: 5) { Int($0 * 100) }
        for (_, reading) in readings(&meter, .checking, total: 1000, from: 6, to: 9, { Int(($0 - 6) * 100) })
        {
            #expect(reading.bytesPerSecond ?? 1 > 0)
        }
    }

    @Test func withoutATotalThereIsNoPercentageAndNoEstimate() {
        var meter = ProgressMeter(at: 0)
        for (_, reading) in readings(&meter, .reading, total: nil, from: 0, to: 9, { Int($0 * 100) }) {
            #expect(reading.percent == nil && reading.secondsLeft == nil && reading.bytesPerSecond != nil)
        }
    }

    @Test func whatIsNotBytesHasATimeLeftAndNoSpeed() throws {
        var meter = ProgressMeter(at: 0)
        var last: ProgressMeter.Reading?
        for second in 0...10 {
            let progress = VaultProgress(done: second * 2, total: 100, unit: .archives)
            last = meter.record(progress, at: Double(second)) ?? last
        }
        #expect(last == ProgressMeter.Reading(percent: 20, secondsLeft: 40))
    }

    @Test func anotherUnitIsANewPhase() {
        var meter = ProgressMeter(at: 0)
        _ = readings(&meter, .reading, total: 1 << 30, from: 0, to: 9) { Int($0) << 20 }
        let parts = VaultProgress(done: 500_000, total: 1_000_000, unit: .parts)
        #expect(meter.record(parts, at: 9.1) == ProgressMeter.Reading(percent: 50))
    }

    @Test func nothingIsEverMoreThanAll() {
        for (done, total, percent) in [
            (0, 1, 0), (1, 1, 100), (999, 1000, 99), (.max - 1, .max, 100), (2, 1, nil), (0, 0, nil),
        ] {
            var meter = ProgressMeter(at: 0)
            #expect(meter.record(VaultProgress(done: done, total: total), at: 9)?.percent == percent)
        }
    }
}

/// The line that shows progress.
@Suite struct ProgressLineTests {
    private let reading = ProgressMeter.Reading(percent: 7, secondsLeft: 83, bytesPerSecond: 1_500_000)

    @Test func whatMattersMostComesFirst() {
        let progress = VaultProgress(
            subject: "HKQuantityTypeIdentifierHeartRate", done: 3_600_000, total: 51_200_000)
        #expect(
            ProgressLine.text(progress, reading).text
                == "  7%  1 min 23 s left  Heart Rate  3.6 MB of 51.2 MB  1.5 MB/s")
    }

    @Test func amountsAreInTheirUnits() {
        let reading = ProgressMeter.Reading(percent: 7, secondsLeft: 83)
        let lines = [
            VaultProgress(subject: "archives", done: 1234, total: 20_000, unit: .archives),
            VaultProgress(subject: "Computing days: Steps", done: 70_000, total: 1_000_000, unit: .parts),
            VaultProgress(subject: "HKQuantityTypeIdentifierHeartRate", done: 1, unit: .changes),
        ].map { ProgressLine.text($0, $0.total == nil ? ProgressMeter.Reading() : reading).text }
        #expect(
            lines == [
                "  7%  1 min 23 s left  archives  1,234 of 20,000",
                "  7%  1 min 23 s left  Computing days: Steps", "Heart Rate  1 change",
            ])
    }

    @Test func everyPhaseIsNamed() {
        let lines = [.writing, .syncing, .readingBack, .authenticating, .checking, .comparing].map { phase in
            ProgressLine.text(VaultProgress(phase, subject: "export.xml"), ProgressMeter.Reading()).text
        }
        #expect(
            lines == [
                "writing export.xml", "waiting for the drive", "reading back", "authenticating",
                "checking contents",
                "comparing with the source",
            ])
    }

    @Test func aStrangersNameCannotControlTheTerminal() {
        let line = ProgressLine.text(VaultProgress(subject: "a\u{1b}[2Jb\nc"), reading).text
        #expect(!line.contains("\u{1b}") && !line.contains("\n"))
    }

    @Test func programsGetNumbers() {
        let progress = VaultProgress(.readingBack, done: 10, total: 20)
        #expect(
            ProgressLine.json(
                progress, ProgressMeter.Reading(secondsLeft: 4, bytesPerSecond: 3), elapsed: 1.5)
                == #"{"event":"progress","phase":"readingBack","subject":"","bytes":10,"totalBytes":20,"seconds":1.500,"#
                + #""bytesPerSecond":3,"secondsLeft":4}"#)
    }
}
