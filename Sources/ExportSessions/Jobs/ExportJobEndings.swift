import HealthArchive

extension ExportJob {
    /// The record's change when there was nothing left to do.
    var changeIfComplete: Change {
        guard let stored, stored.phase == .completed, !asked.isNamed else { return .keep }
        return .remove
    }

    /// The record's change when an export is complete, or complete but for what failed.
    ///
    /// Without a name, a record is of use only while something is left to do.
    func change(finished record: ExportRecord) -> Change {
        asked.isNamed || record.phase == .completedWithFailures ? .save(record) : .remove
    }

    /// The record's change when an export failed.
    ///
    /// - Parameters:
    ///   - isResumable: What was done is kept, so that the export can be continued.
    ///   - current: What the record says at the moment; nil where it says nothing.
    ///   - running: The record of the export that failed.
    func change(failedResumably isResumable: Bool, current: ExportRecord?, running: ExportRecord) -> Change {
        if isResumable {
            var paused = current ?? running
            paused.phase = .paused
            return .save(paused)
        }
        if let stored {
            // Nothing is left of this run, so all is as it was before.
            var restored = stored
            if stored.phase == .running { restored.phase = .paused }
            return current == restored ? .keep : .save(restored)
        }
        guard asked.isNamed, var failed = current else { return .remove }
        failed.phase = .failed
        return .save(failed)
    }

    /// The record's change when what failed has failed again.
    ///
    /// - Parameters:
    ///   - current: What the record says at the moment; nil where it says nothing.
    ///   - unfinished: The identity of what an interrupted run has left, which may contain what failed now; nil where there
    ///     is none.
    static func change(nothingMended current: ExportRecord?, unfinished: String?) -> Change {
        guard var record = current else { return .keep }
        record.phase = unfinished == nil ? .completedWithFailures : .paused
        if unfinished == nil { record.pending = nil }
        record.unfinishedIdentity = unfinished
        return .save(record)
    }
}

extension ExportRecord.Promise {
    /// What an output of this identity and content will be.
    init(_ identity: String, _ manifest: Manifest, isReplacing: Bool) {
        self.init(
            identity: identity, phase: manifest.isIncomplete ? .completedWithFailures : .completed,
            samples: manifest.sampleCount, isReplacing: isReplacing)
    }
}
