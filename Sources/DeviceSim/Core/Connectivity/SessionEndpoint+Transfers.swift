import Foundation
import WatchConnectivity

/// Transfers in the background, as their sender sees them.
extension SessionEndpoint {
    package func transferUserInfo(_ userInfo: [String: Any]) -> WCSessionUserInfoTransfer {
        guard let daemon = liveDaemon(for: "transferUserInfo") else { return Self.dead(userInfo) }
        return transfer(userInfo, isComplication: false, daemon)
    }

    /// W95: with no budget left this is an ordinary user info.
    package func transferCurrentComplicationUserInfo(_ userInfo: [String: Any]) -> WCSessionUserInfoTransfer {
        guard let daemon = liveDaemon(for: "transferCurrentComplicationUserInfo") else { return Self.dead(userInfo) }
        guard isMember("transferCurrentComplicationUserInfo", of: .phone) else {
            let failure = SendFailure(code: .genericError, reason: "a watch has no transferCurrentComplicationUserInfo(_:)")
            return refuse(userInfo, daemon.nextNumber(of: .userInfo), failure)
        }
        return transfer(userInfo, isComplication: true, daemon)
    }

    private static func dead(_ userInfo: [String: Any]) -> WCSessionUserInfoTransfer {
        SimulatedUserInfoTransfer(number: 0, content: .refused(userInfo), endpoint: nil)
    }

    private func transfer(_ userInfo: [String: Any], isComplication: Bool, _ daemon: ConnectivityDaemon) -> WCSessionUserInfoTransfer {
        let number = daemon.nextNumber(of: .userInfo)
        if let code = conditions(daemon).refusal(for: .transfer) {
            return refuse(userInfo, number, SendFailure(code: code, reason: code.name))
        }
        if isComplication, daemon.world.knobs.complicationFailsWithoutFace, !shownState(daemon).isComplicationEnabled {
            return refuse(userInfo, number, SendFailure(code: .genericError, reason: "the complication is not on the active face"))
        }
        let payload: Payload
        do {
            payload = try Payload(userInfo, limit: daemon.world.knobs.userInfoLimit, integerBitWidth: integerBitWidth)
        } catch {
            return refuse(userInfo, number, SendFailure(error), error.facts)
        }
        let object = SimulatedUserInfoTransfer(number: number, content: .taken(payload), endpoint: self)
        userInfoTransfers[number] = object
        let isUrgent = isComplication && daemon.spendComplicationTransfer()
        daemon.add(.userInfo(payload, isUrgent: isUrgent), number: number, process: life.number)
        return object
    }

    /// W85: the object is there all the same; the failure comes through `didFinish`.
    private func refuse(
        _ userInfo: [String: Any], _ number: Int, _ failure: SendFailure, _ details: [TraceEvent.Fact] = []
    ) -> WCSessionUserInfoTransfer {
        let object = SimulatedUserInfoTransfer(number: number, content: .refused(userInfo), endpoint: self)
        queue.async { [weak self] in self?.tell(.userInfo(object), number, failure, details) }
        return object
    }

    package func transferFile(_ file: URL, metadata: [String: Any]?) -> WCSessionFileTransfer {
        let sessionFile = WCSessionFile(fileURL: file, metadata: metadata)
        guard let daemon = liveDaemon(for: "transferFile") else {
            return SimulatedFileTransfer(number: 0, file: sessionFile, byteCount: 0, endpoint: nil)
        }
        let number = daemon.nextNumber(of: .file)
        do throws(SendFailure) {
            if let code = conditions(daemon).refusal(for: .transfer) { throw SendFailure(code: code, reason: code.name) }
            let staged = try stage(file, metadata: metadata, daemon)
            let object = SimulatedFileTransfer(number: number, file: sessionFile, byteCount: staged.data.count, endpoint: self)
            fileTransfers[number] = object
            daemon.add(.file(staged), number: number, process: life.number)
            return object
        } catch {
            let object = SimulatedFileTransfer(number: number, file: sessionFile, byteCount: 0, endpoint: self)
            queue.async { [weak self] in self?.tell(.file(object), number, error, [.init("name", .text(file.lastPathComponent))]) }
            return object
        }
    }

    /// W91, W119: the metadata first, then the file. Its bytes are copied now.
    private func stage(_ file: URL, metadata: [String: Any]?, _ daemon: ConnectivityDaemon) throws(SendFailure) -> StagedFile {
        var payload: Payload?
        if let metadata {
            do {
                payload = try Payload(metadata, limit: daemon.world.knobs.fileMetadataLimit, integerBitWidth: integerBitWidth)
            } catch {
                throw SendFailure(code: error.code, reason: "the metadata: \(error.reason)")
            }
        }
        guard file.isFileURL else { throw SendFailure(code: .invalidParameter, reason: "the URL is not that of a file") }
        guard let files = daemon.host?.files else { throw SendFailure(code: .fileAccessDenied, reason: "the device has no files") }
        let data = try files.stage(fileAt: file.path)
        let limit = daemon.world.knobs.fileLimit
        guard data.count <= limit else {
            throw SendFailure(code: .payloadTooLarge, reason: "the file has \(data.count) bytes, and \(limit) is the limit")
        }
        return StagedFile(url: file, data: data, metadata: payload)
    }

    // MARK: Objects

    /// W84: after a relaunch these are new objects.
    package var outstandingUserInfoTransfers: [WCSessionUserInfoTransfer] {
        guard liveDaemon(for: "outstandingUserInfoTransfers") != nil, isReceiving else { return [] }
        return pairing?.transfers?.userInfos.outstanding.compactMap { transfer in
            guard case .userInfo(let payload, _) = transfer.content else { return nil }
            return userInfoObject(transfer.number, payload)
        } ?? []
    }

    package var outstandingFileTransfers: [WCSessionFileTransfer] {
        guard liveDaemon(for: "outstandingFileTransfers") != nil, isReceiving else { return [] }
        return pairing?.transfers?.files.outstanding.compactMap { transfer in
            guard case .file(let file) = transfer.content else { return nil }
            return fileObject(transfer.number, file)
        } ?? []
    }

    private func userInfoObject(_ number: Int, _ payload: Payload) -> SimulatedUserInfoTransfer {
        if let known = userInfoTransfers[number] { return known }
        let object = SimulatedUserInfoTransfer(number: number, content: .taken(payload), endpoint: self)
        userInfoTransfers[number] = object
        return object
    }

    private func fileObject(_ number: Int, _ file: StagedFile) -> SimulatedFileTransfer {
        if let known = fileTransfers[number] { return known }
        let sessionFile = WCSessionFile(fileURL: file.url, metadata: file.metadata?.dictionary(for: integerBitWidth))
        let object = SimulatedFileTransfer(number: number, file: sessionFile, byteCount: file.data.count, endpoint: self)
        fileTransfers[number] = object
        return object
    }

    private func channel(_ kind: TransferChannelKind) -> TransferChannel? {
        liveDaemon(for: "transfer") == nil ? nil : pairing?.transfers?.channel(kind)
    }

    func isTransferring(_ number: Int, of kind: TransferChannelKind) -> Bool { channel(kind)?.queue.inFlight == number }
    func isCurrentComplicationInfo(_ number: Int) -> Bool {
        isMember("isCurrentComplicationInfo", of: .phone) && channel(.userInfo)?.queue.current == number
    }
    func transferredBytes(ofFile number: Int) -> Int { channel(.file)?.transferredBytes(of: number) ?? 0 }
    func watchFileProgress() { channel(.file)?.isWatched = true }
    func fileProgressed(_ number: Int) { fileTransfers[number]?.progressed() }

    func cancelTransfer(_ number: Int, of kind: TransferChannelKind) {
        guard let daemon = liveDaemon(for: "cancel") else { return }
        daemon.cancel(number, of: kind, process: life.number)
        if !daemon.world.knobs.finishAfterCancel { forget(number, of: kind) }
    }

    private func forget(_ number: Int, of kind: TransferChannelKind) {
        switch kind {
        case .userInfo: userInfoTransfers[number] = nil
        case .file: fileTransfers[number] = nil
        }
    }

    // MARK: The outcome

    private enum Object {
        case userInfo(WCSessionUserInfoTransfer)
        case file(WCSessionFileTransfer)

        var kind: TransferChannelKind { if case .userInfo = self { .userInfo } else { .file } }
    }

    /// Tells the app how transfers ended, one after the other, if its session is activated (W83).
    func deliverOutcomes() {
        guard isReceiving, !isTellingOutcomes, pairing?.transfers?.outcomes.isEmpty == false else { return }
        isTellingOutcomes = true
        queue.async { [weak self] in
            guard let self else { return }
            isTellingOutcomes = false
            if isReceiving, let outcome = pairing?.transfers?.outcomes.popFirst() { tell(outcome) }
            deliverOutcomes()
        }
    }

    private func tell(_ outcome: TransferOutcome) {
        let transfer = outcome.transfer
        let object: Object
        switch transfer.content {
        case .userInfo(let payload, _): object = .userInfo(userInfoObject(transfer.number, payload))
        case .file(let file):
            let found = fileObject(transfer.number, file)
            if outcome.failure == nil { found.arrived() }
            object = .file(found)
        }
        forget(transfer.number, of: transfer.content.channel)
        tell(object, transfer.number, outcome.failure)
    }

    private func tell(_ object: Object, _ number: Int, _ failure: SendFailure?, _ details: [TraceEvent.Fact] = []) {
        let kind = object.kind
        record(failure == nil ? kind.finished : kind.failed, [.init("sequence", .number(number))] + (failure?.facts ?? []) + details)
        guard let delegate = session.delegate else {
            if let failure { recordUnobserved(kind.noun, number, failure, because: "the session has no delegate") }
            return
        }
        let isImplemented = implements {
            switch object {
            case .userInfo(let transfer): delegate.session(session, didFinish: transfer, error: failure?.error)
            case .file(let transfer): delegate.session(session, didFinish: transfer, error: failure?.error)
            }
        }
        if !isImplemented, let failure {
            recordUnobserved(kind.noun, number, failure, because: "the delegate does not implement didFinish")
        }
    }
}

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
        return deliver(.userInfoDelivered, transfer.facts + sender(in: pairing)) {
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
        return deliver(.fileDelivered, transfer.facts + sender(in: pairing)) { delegate.session(session, didReceive: received) }
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
