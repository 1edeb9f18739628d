import Foundation
import WatchConnectivity

/// Transfers in the background, as their receiver sees them.
extension SessionEndpoint {
    /// Hands over what arrived, one after the other, if the session is activated (W9, W80, W82).
    func deliverTransfers() {
        if keepsOrder { return deliverInOrder() }
        guard isReceiving, !isDeliveringTransfers, pairing?.transfers?.inbox.hasContent == true else { return }
        isDeliveringTransfers = true
        queue.async { [weak self] in
            guard let self else { return }
            isDeliveringTransfers = false
            tellPending()
            deliverTransfer()
            deliverTransfers()
            tellPending()
        }
    }

    /// W72: whether what comes in the background keeps its order, whatever its kind.
    var keepsOrder: Bool { daemon?.world.knobs.keepsOrderAcrossKinds == true }

    /// Hands over contexts, user infos and files in the order in which they arrived (W72).
    func deliverInOrder() {
        guard isReceiving, !isDeliveringTransfers, let pairing,
            !pairing.received.undelivered.isEmpty || pairing.transfers?.inbox.hasContent == true
        else { return }
        isDeliveringTransfers = true
        queue.async { [weak self] in
            guard let self else { return }
            isDeliveringTransfers = false
            tellPending()
            if self.pairing?.isContextNext == true { handOverContext() } else { deliverTransfer() }
            deliverInOrder()
            tellPending()
        }
    }

    private func deliverTransfer() {
        guard isReceiving, let daemon, let pairing, let transfers = pairing.transfers, let transfer = transfers.inbox.begin() else {
            return
        }
        let isImplemented =
            switch transfer.content {
            case .userInfo(let payload, _): hand(over: payload, of: transfer)
            case .file(let file): hand(over: file, of: transfer, in: pairing.folder(of: transfer), daemon)
            }
        // A process that ended in the callback has not taken it (W87); its daemon was told so.
        guard life.isAlive else { return }
        transfers.inbox.finish()
        daemon.tellSender(ofReceiptOf: transfer, in: pairing)
        if !isImplemented { loseTransfer(transfer) }
    }

    private func hand(over payload: Payload, of transfer: Transfer) -> Bool {
        guard let delegate = session.delegate else { return false }
        return deliver(.userInfoDelivered, transfer.facts) {
            delegate.session(session, didReceiveUserInfo: payload.dictionary(for: integerBitWidth))
        }
    }

    /// W90: the file is there until the method returns.
    private func hand(over file: StagedFile, of transfer: Transfer, in folder: String, _ daemon: ConnectivityDaemon) -> Bool {
        let files = daemon.host?.files
        defer {
            if life.isAlive { files?.removeReceivedFile(folder: folder) }
        }
        guard let delegate = session.delegate else { return false }
        let path: String
        do throws(SendFailure) {
            path = try files?.place(received: file.data, name: file.name, folder: folder) ?? "/\(file.name)"
        } catch {
            record(.sessionError, [.init("call", .text("didReceive file"))] + error.facts)
            return false
        }
        let received = WCSessionFile(
            fileURL: URL(fileURLWithPath: path, isDirectory: false), metadata: file.metadata?.dictionary(for: integerBitWidth))
        return deliver(.fileDelivered, transfer.facts) { delegate.session(session, didReceive: received) }
    }

    /// What was received goes nowhere, and nobody is told.
    private func loseTransfer(_ transfer: Transfer) {
        let kind = transfer.content.channel
        let failure = SendFailure(code: .deliveryFailed, reason: "what was received is gone")
        if session.delegate == nil {
            recordMissingDelegate([transfer.numberFact])
            recordUnobserved(kind.noun, transfer.number, failure, because: "the receiving session has no delegate")
        } else {
            recordUnobserved(kind.noun, transfer.number, failure, because: "the receiving delegate does not implement didReceive")
        }
    }
}
