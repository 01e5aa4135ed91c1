import HealthArchive

extension ExportJob {
    /// The change to the record if there was nothing left to do.
    var changeIfComplete: Change {
        guard let stored, stored.phase == .completed, !asked.isNamed else { return .keep }
        return .remove
    }

    /// Returns the change to the record after an export that is complete, or complete except for what failed.
    ///
    /// The record of an unnamed export is useful only while something is left to do.
    func change(finished record: ExportRecord) -> Change {
        asked.isNamed || record.phase == .completedWithFailures ? .save(record) : .remove
    }

    /// Returns the change to the record after an export that failed.
    ///
    /// - Parameters:
    ///   - isResumable: Whether the work so far is kept, so that the export can be continued.
    ///   - current: The record as last written; nil if there is none.
    ///   - running: The record of the export that failed.
    func change(failedResumably isResumable: Bool, current: ExportRecord?, running: ExportRecord) -> Change {
        if isResumable {
            var paused = current ?? running
            paused.phase = .paused
            return .save(paused)
        }
        if let stored {
            // Nothing is left of this run, so the earlier record is restored.
            var restored = stored
            if stored.phase == .running { restored.phase = .paused }
            return current == restored ? .keep : .save(restored)
        }
        guard asked.isNamed, var failed = current else { return .remove }
        failed.phase = .failed
        return .save(failed)
    }

    /// Returns the change to the record after a retry in which everything failed again.
    ///
    /// - Parameters:
    ///   - current: The record as last written; nil if there is none.
    ///   - unfinished: The identity of an interrupted run's unfinished output, which may contain what failed this time;
    ///     nil if there is none.
    static func change(nothingMended current: ExportRecord?, unfinished: String?) -> Change {
        guard var record = current else { return .keep }
        record.phase = unfinished == nil ? .completedWithFailures : .paused
        if unfinished == nil { record.pending = nil }
        record.unfinishedIdentity = unfinished
        return .save(record)
    }
}

extension ExportRecord.Promise {
    /// Creates the promise of an output with this identity and manifest.
    init(_ identity: String, _ manifest: Manifest, isReplacing: Bool) {
        self.init(
            identity: identity, phase: manifest.isIncomplete ? .completedWithFailures : .completed,
            samples: manifest.sampleCount, isReplacing: isReplacing)
    }
}
