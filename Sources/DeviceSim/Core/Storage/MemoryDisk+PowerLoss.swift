import Foundation
import LocalData

/// What a power loss leaves.
extension MemoryDisk {
    /// Takes back what was not synchronized, as `policy` says item by item: first directory entries, oldest first, then the bytes of the
    /// files that are left, in the order of their paths.
    func losePower(_ policy: PowerLossPolicy) throws {
        let usedBefore = totalSize(of: root)
        let before = try mirror?.beginReconciling(self)
        loseEntries(policy)
        visit { path, node in
            node.extendedAttributes = node.synchronizedAttributes
            guard node.directory == nil, node.synchronizedCount < node.data.count, node.foreignSize == nil else { return }
            Self.loseBytes(of: node, policy.decide(.contents(path: path, count: node.data.count - node.synchronizedCount)))
        }
        forgetRecent()
        if let freeBytes { self.freeBytes = freeBytes + usedBefore - totalSize(of: root) }
        if let before { try mirror?.reconcile(self, with: before) }
    }

    private func loseEntries(_ policy: PowerLossPolicy) {
        let pending = changes
        forgetChanges()
        for change in pending.reversed() { change.undo() }
        // What builds on a change that is lost is lost with it: it would find entries in a state that never was.
        var blocked: Set<EntryChange.Key> = []
        for change in pending {
            if case .kept = policy.decide(.entry(path: change.path)), !change.keys.contains(where: blocked.contains) {
                change.redo()
            } else {
                blocked.formUnion(change.keys)
            }
        }
    }

    private static func loseBytes(of node: DiskNode, _ fate: PowerLossFate) {
        let durable = node.synchronizedCount
        let pending = node.data.count - durable
        switch fate {
        case .kept: break
        case .dropped: node.data = Data(node.data.prefix(durable))
        case .torn(let count): node.data = Data(node.data.prefix(durable + max(0, min(count, pending))))
        case .garbage(let seed):
            var generator = SeededGenerator(seed: seed)
            var bytes = Data(node.data.prefix(durable))
            while bytes.count < durable + pending { bytes.append(UInt8(truncatingIfNeeded: generator.next())) }
            node.data = bytes
        }
        node.synchronizedCount = node.data.count
    }
}
