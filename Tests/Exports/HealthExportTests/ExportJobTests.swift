import SampleBatches
import SystemIO
import Testing

@testable import HealthExport

@Suite("What an export with a record does next")
struct ExportJobTests {
    private static let target: BytePath = "/folder/health.hvault"
    private static let second: BytePath = "/folder/health.2.hvault"
    private static let third: BytePath = "/folder/health.3.hvault"

    /// A record, a request and findings.
    private struct Situation {
        var asked: ExportRecord
        var request: ExportRequest
        var stored: ExportRecord?
        var findings: ExportFindings

        var job: ExportJob { ExportJob(asked: asked, request: request, stored: stored) }
        var step: ExportStep { job.step(findings) }
        var plan: ExportPlan? { if case .export(let plan) = step { plan } else { nil } }
    }

    private static func record(isEncrypted: Bool = true, isNamed: Bool = true) -> ExportRecord {
        var record = ExportRecord(
            identifier: BulkExportSessionIdentifier("mine"), source: "/folder/export.zip", target: target,
            isEncrypted: isEncrypted, created: 1)
        record.isNamed = isNamed
        return record
    }

    private static func situation(
        _ request: ExportRequest, _ phase: ExportRecord.Phase, _ output: ExportFindings.Output,
        isSameSource: Bool? = true
    ) -> Situation {
        var stored = record()
        stored.phase = phase
        if output != .none { stored.identity = "output" }
        let findings = ExportFindings(
            output: output, isSameSource: isSameSource, isPendingFree: false, freeName: second)
        return Situation(asked: record(), request: request, stored: stored, findings: findings)
    }

    /// One of all combinations of what matters for which a rule does not hold; nil where it holds for all.
    private static func exception(to holds: (Situation) -> Bool) -> Situation? {
        for request in ExportRequest.allCases {
            for phase in ExportRecord.Phase.allCases {
                for output in [ExportFindings.Output.none, .own, .other, .missing] {
                    for isSameSource in [nil, true, false] {
                        for bits in 0..<64 {
                            func bit(_ number: Int) -> Bool { bits >> number & 1 == 1 }
                            var one = situation(request, phase, output, isSameSource: isSameSource)
                            one.asked.isNamed = bit(0)
                            one.asked.isReplacing = bit(1)
                            one.asked.isEncrypted = bit(2)
                            one.stored?.isEncrypted = bit(2)
                            one.stored?.pending = bit(2) && bit(3) ? third : nil
                            one.findings.isPendingFree = bit(4) && one.stored?.pending != nil
                            one.stored?.acceptsDamage = bit(5)
                            if !holds(one) { return one }
                            // The record was removed meanwhile.
                            one.stored = nil
                            if !holds(one) { return one }
                        }
                    }
                }
            }
        }
        return nil
    }

    @Test("never replaces what the session has not made, unless asked to")
    func replacing() {
        let exception = Self.exception { one in
            guard let plan = one.plan, plan.replaces else { return true }
            if let stored = one.stored, stored.identity != nil, one.findings.output == .own { return true }
            // An export that was asked to replace, and has made nothing yet, still is when it is resumed.
            let isUnfinished = one.request == .resume && one.stored != nil && one.stored?.identity == nil
            return one.asked.isReplacing && (isUnfinished || [.begin, .restart].contains(one.request))
        }
        #expect(exception == nil)
    }

    @Test("a further archive replaces nothing and discards nothing")
    func further() {
        let exception = Self.exception { one in
            guard let plan = one.plan, plan.record.pending != nil else { return true }
            return !plan.replaces && !plan.restarts && plan.discarded == nil && one.asked.isEncrypted
        }
        #expect(exception == nil)
    }

    @Test("is complete only with the session's own output in place")
    func complete() {
        let exception = Self.exception { one in
            one.step != .complete
                || one.stored?.isComplete == true && one.findings.output == .own
                    && [.begin, .resume].contains(one.request)
        }
        #expect(exception == nil)
    }

    @Test("asks for a comparison of the sources at most once, and not to start over")
    func comparing() {
        let exception = Self.exception { one in
            one.step != .compareSource || one.findings.isSameSource == nil && one.request != .restart
        }
        #expect(exception == nil)
    }

    @Test("a session's name never continues with another source")
    func sources() {
        let exception = Self.exception { one in
            one.stored == nil || one.plan == nil || one.request == .restart || !one.asked.isNamed
                || one.findings.isSameSource == true
        }
        #expect(exception == nil)
    }

    @Test("an interrupted export goes on, with the batches that it was begun with")
    func interrupted() throws {
        var one = Self.situation(.resume, .paused, .none)
        let automatic = BatchOptions(span: .byLength)
        one.stored?.batching = automatic.resolved(forLength: 1)
        one.asked.batching = automatic
        let plan = try #require(one.plan)
        #expect(!plan.restarts && !plan.replaces && plan.record.batching == one.stored?.batching)
        #expect(plan.record.batching != automatic)
    }

    @Test(
        "what failed is exported again: into a further archive, or a folder in place of the one that was made"
    )
    func retry() throws {
        var one = Self.situation(.retry, .completedWithFailures, .own)
        #expect(one.plan?.record.pending == Self.second)
        one.stored?.further = [Self.second]
        one.findings.freeName = Self.third
        #expect(one.plan?.record.pending == Self.third && one.plan?.record.newest == Self.second)
        one.asked.isEncrypted = false
        one.stored?.isEncrypted = false
        #expect(one.plan?.record.pending == nil && one.plan?.replaces == true)
    }

    @Test(
        "an interrupted retry is continued by whichever command, under its name while that is free",
        arguments: [ExportRequest.begin, .resume, .retry])
    func interruptedRetry(request: ExportRequest) {
        var one = Self.situation(request, .paused, .own)
        one.stored?.pending = Self.second
        one.findings.freeName = Self.third
        one.findings.isPendingFree = true
        #expect(one.plan?.record.pending == Self.second)
        one.findings.isPendingFree = false
        #expect(one.plan?.record.pending == Self.third)
    }

    @Test("starting over, or replacing all, discards a further archive that was begun")
    func discarding() {
        var one = Self.situation(.restart, .paused, .own)
        one.stored?.pending = Self.second
        #expect(one.plan?.discarded == Self.second && one.plan?.restarts == true)
        one.request = .begin
        one.asked.isReplacing = true
        #expect(one.plan?.discarded == Self.second && one.plan?.replaces == true)
    }

    @Test("an output that is gone, or another, is said before anything is done")
    func refusals() {
        #expect(Self.situation(.retry, .completedWithFailures, .missing).step == .refuseMissing(Self.target))
        #expect(Self.situation(.retry, .completedWithFailures, .other).step == .refuseOther(Self.target))
        #expect(Self.situation(.retry, .completedWithFailures, .cut).step == .refuseCut(Self.target))
        #expect(Self.situation(.begin, .completed, .cut).step == .refuseCut(Self.target))
        #expect(Self.situation(.resume, .paused, .none, isSameSource: false).step == .refuseSource)
        var other = Self.situation(.begin, .paused, .none)
        other.asked.acceptsDamage = true
        #expect(other.step == .refuseOptions(["--accept-damaged"]))
        other.request = .restart
        #expect(other.plan?.restarts == true)
        other.request = .begin
        other.asked.isNamed = false
        #expect(other.plan?.restarts == false)
    }

    @Test("a record stays as long as something is left to do, or somebody has named it")
    func endings() {
        for isNamed in [true, false] {
            let asked = Self.record(isNamed: isNamed)
            let job = ExportJob(asked: asked, request: .begin, stored: nil)
            var finished = asked
            finished.phase = .completedWithFailures
            #expect(job.change(finished: finished) == .save(finished))
            finished.phase = .completed
            #expect(job.change(finished: finished) == (isNamed ? .save(finished) : .remove))
            let again = ExportJob(asked: asked, request: .begin, stored: finished)
            #expect(again.changeIfComplete == (isNamed ? .keep : .remove))
        }
    }

    @Test("a failure that keeps what was done pauses; one that does not leaves the record as it was before")
    func failures() {
        var running = Self.record()
        running.phase = .running
        let new = ExportJob(asked: Self.record(), request: .begin, stored: nil)
        var paused = running
        paused.phase = .paused
        #expect(new.change(failedResumably: true, current: running, running: running) == .save(paused))
        var failed = running
        failed.phase = .failed
        #expect(new.change(failedResumably: false, current: running, running: running) == .save(failed))
        #expect(new.change(failedResumably: false, current: nil, running: running) == .remove)
        let unnamed = ExportJob(asked: Self.record(isNamed: false), request: .begin, stored: nil)
        #expect(unnamed.change(failedResumably: false, current: running, running: running) == .remove)

        var before = Self.record()
        before.phase = .completedWithFailures
        let retry = ExportJob(asked: Self.record(), request: .retry, stored: before)
        #expect(retry.change(failedResumably: false, current: running, running: running) == .save(before))
        #expect(retry.change(failedResumably: false, current: before, running: running) == .keep)
        // A process that was killed left "running".
        let killed = ExportJob(asked: Self.record(), request: .resume, stored: running)
        #expect(killed.change(failedResumably: false, current: running, running: running) == .save(paused))
    }

    @Test("what failed again stays, and so does what an interrupted run has left of it")
    func nothingMended() {
        #expect(ExportJob.change(nothingMended: nil, unfinished: nil) == .keep)
        var record = Self.record()
        record.pending = Self.second
        record.unfinishedIdentity = "left"
        var expected = record
        expected.phase = .paused
        #expect(ExportJob.change(nothingMended: record, unfinished: "left") == .save(expected))
        expected.phase = .completedWithFailures
        expected.pending = nil
        expected.unfinishedIdentity = nil
        #expect(ExportJob.change(nothingMended: record, unfinished: nil) == .save(expected))
    }
}
