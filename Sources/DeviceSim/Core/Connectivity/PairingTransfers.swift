/// What a device transfers in the background to one counterpart, and what came from it that way.
///
/// Confined to the simulation's thread.
package final class PairingTransfers {
    let userInfos: TransferChannel
    let files: TransferChannel
    var budget = ComplicationBudget()
    var inbox = TransferInbox()
    /// How transfers ended that the app was not told of yet (W83).
    var outcomes = Fifo<TransferOutcome>()

    init(from sender: ConnectivityDaemon, to receiver: ConnectivityDaemon, world: ConnectivityContext, order: HandoverOrder?) {
        userInfos = TransferChannel(.userInfo, from: sender, to: receiver, world: world, order: order)
        files = TransferChannel(.file, from: sender, to: receiver, world: world, order: order)
    }

    package func channel(_ kind: TransferChannelKind) -> TransferChannel {
        kind == .userInfo ? userInfos : files
    }

    func conditionsChanged() {
        userInfos.conditionsChanged()
        files.conditionsChanged()
    }

    /// Nothing that is queued will be carried any more (W122).
    func fail(_ failure: SendFailure) {
        userInfos.fail(failure)
        files.fail(failure)
    }

    /// What got stuck goes on (P20).
    func free() {
        userInfos.free()
        files.free()
    }

    /// The counterpart's app was removed, with what had reached its device and was not given to it.
    func counterpartLostItsApp() {
        userInfos.receiverLostItsApp()
        files.receiverLostItsApp()
    }

    /// The app was removed, with what it had queued and what waited for it.
    func clear() {
        userInfos.clear()
        files.clear()
        inbox = TransferInbox()
        outcomes = Fifo()
    }
}
