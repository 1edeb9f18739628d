import Foundation
import WatchConnectivity

#if canImport(CryptoKit)
    import CryptoKit
#endif

/// Stands before an app's own delegate of the session, and writes down what happens: names of keys, sizes and digests, never values. Of a file's name it
/// writes a digest and the extension.
///
/// One file without dependencies, for iOS and watchOS. Copy it into an app:
///
/// ```swift
/// let recorder = SessionRecorder(before: myDelegate, salt: "anything that stays in your app")
/// WCSession.default.delegate = recorder
/// recorder.activate()
/// ```
///
/// What the app hands to the session goes through the recorder's functions of the same names, since no delegate is told of that. Keep the recorder:
/// the session holds its delegate weakly. The log lies at ``log``, one JSON object to a line; `pairsim observe` reads it.
///
/// Safe to use from any thread.
public final class SessionRecorder: NSObject, WCSessionDelegate, @unchecked Sendable {
    /// The app's own delegate, which is told everything.
    public weak var next: (any WCSessionDelegate)?
    /// Where the lines are.
    public let log: URL
    private let salt: String
    private let session: WCSession
    private let lock = NSLock()
    private var file: FileHandle?
    private var lineCount = 0
    private var byteCount = 0
    private var process = 1
    private var sequence = 0
    private var began: Int64 = 0
    /// What was transferred in this run of the app, by the system's object for it.
    private var transfers: [ObjectIdentifier: Int] = [:]
    /// A log that is so long is not written on.
    private static let limit = 8 << 20

    /// - Parameters:
    ///   - delegate: The app's own.
    ///   - log: Where to write; otherwise `session.log` in the app's documents.
    ///   - salt: Goes into each digest, so that nobody who has the log alone can try values. The same on both devices.
    public init(before delegate: (any WCSessionDelegate)?, log: URL? = nil, salt: String, session: WCSession = .default) {
        next = delegate
        self.salt = salt
        self.session = session
        let documents = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask).first
        self.log = log ?? (documents ?? FileManager.default.temporaryDirectory).appendingPathComponent("session.log")
        super.init()
        open()
    }

    // MARK: The log

    /// Which run of the app this is: another text for each, also where the app was installed anew and its log is gone.
    public var run: String { "\(process).\(String(began, radix: 36))" }

    /// Microseconds since 1970.
    private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000_000) }

    private func open() {
        let folder = log.deletingLastPathComponent()
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        if !FileManager.default.fileExists(atPath: log.path) { _ = FileManager.default.createFile(atPath: log.path, contents: nil) }
        let old = (try? Data(contentsOf: log)) ?? Data()
        lineCount = old.reduce(0) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
        byteCount = old.count
        process = 1 + String(decoding: old, as: UTF8.self).components(separatedBy: "\"kind\":\"log.header\"").count - 1
        // Numbers of an earlier run do not come again.
        sequence = process * 10_000
        began = Self.now
        file = try? FileHandle(forWritingTo: log)
        _ = try? file?.seekToEnd()
        let system = ProcessInfo.processInfo.operatingSystemVersion
        write(
            "log.header",
            [
                ("format", "1"), ("model", Self.quoted(Self.model)),
                ("system", Self.quoted("\(Self.platform) \(system.majorVersion).\(system.minorVersion).\(system.patchVersion)")),
                ("clock", Self.quoted("microseconds since 1970")),
            ])
    }

    #if os(iOS)
        static let platform = "iOS"
        static let device = "phone"
    #else
        static let platform = "watchOS"
        static let device = "watch"
    #endif

    /// Such as `Watch6,1`.
    private static var model: String {
        var system = utsname()
        guard uname(&system) == 0 else { return "not known" }
        return withUnsafeBytes(of: &system.machine) { bytes in String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// Writes a line of the app's own, such as `app.foreground`: a word of the traces of `pairsim run`, or any other.
    /// - Parameter facts: Names and texts or numbers, and no values of the app.
    public func note(_ kind: String, _ facts: [String: Any] = [:]) {
        let list: [(String, String)] = facts.sorted { $0.key < $1.key }.map { name, value in
            switch value {
            case let flag as Bool: return (name, "\(flag)")
            case let number as Int: return (name, "\(number)")
            default: return (name, Self.quoted("\(value)"))
            }
        }
        write(kind, list)
    }

    private func write(_ kind: String, _ facts: [(String, String)] = []) {
        lock.lock()
        defer { lock.unlock() }
        guard byteCount < Self.limit, let file else { return }
        lineCount += 1
        let inner = facts.map { "\(Self.quoted($0.0)):\($0.1)" }.joined(separator: ",")
        let line =
            "{\"device\":\"\(Self.device)\"," + (facts.isEmpty ? "" : "\"facts\":{\(inner)},")
            + "\"kind\":\(Self.quoted(kind)),\"line\":\(lineCount),\"process\":\(process),\"time\":\(Self.now)}\n"
        let bytes = Data(line.utf8)
        byteCount += bytes.count
        try? file.write(contentsOf: bytes)
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value):
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    // MARK: What is written of a payload

    private func facts(_ payload: [String: Any]) -> [(String, String)] {
        let isList = PropertyListSerialization.propertyList(payload, isValidFor: .binary)
        let size = isList ? try? PropertyListSerialization.data(fromPropertyList: payload, format: .binary, options: 0).count : nil
        let keys = payload.keys.sorted().map(Self.quoted).joined(separator: ",")
        return (size.map { [("bytes", "\($0)")] } ?? []) + [("keys", "[\(keys)]"), ("digest", Self.quoted(digest(payload)))]
    }

    private func facts(_ data: Data) -> [(String, String)] { [("bytes", "\(data.count)"), ("digest", Self.quoted(digest(data)))] }

    private func facts(_ error: (any Error)?) -> [(String, String)] {
        guard let error else { return [] }
        let code = (error as NSError).code
        return [("error", Self.quoted(Self.names[code] ?? "genericError")), ("code", "\(code)")]
    }

    private static let names: [Int: String] = [
        7001: "genericError", 7002: "sessionNotSupported", 7003: "sessionMissingDelegate", 7004: "sessionNotActivated",
        7005: "deviceNotPaired", 7006: "watchAppNotInstalled", 7007: "notReachable", 7008: "invalidParameter", 7009: "payloadTooLarge",
        7010: "payloadUnsupportedTypes", 7011: "messageReplyFailed", 7012: "messageReplyTimedOut", 7013: "fileAccessDenied",
        7014: "deliveryFailed", 7015: "insufficientSpace", 7016: "sessionInactive", 7017: "transferTimedOut",
        7018: "companionAppNotInstalled", 7019: "watchOnlyApp",
    ]

    /// Equal for equal payloads, on both devices.
    private func digest(_ payload: Any) -> String {
        var bytes = Array(salt.utf8) + [0]
        Self.append(payload, to: &bytes)
        #if canImport(CryptoKit)
            return SHA256.hash(data: Data(bytes)).prefix(8).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        #else
            // In a simulation nothing is secret (FNV-1a).
            var hash: UInt64 = 0xcbf2_9ce4_8422_2325
            for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
            return String(hash, radix: 16)
        #endif
    }

    /// A number is a number, whatever type it came in: it changes on the way.
    private static func append(_ value: Any, to bytes: inout [UInt8]) {
        func add(_ kind: Character, _ content: some Sequence<UInt8>) {
            let content = Array(content)
            bytes += Array("\(kind)\(content.count):".utf8) + content
        }
        switch value {
        case let text as String: add("s", text.utf8)
        case let data as Data: add("b", data)
        case let date as Date: add("t", "\(date.timeIntervalSinceReferenceDate)".utf8)
        case let list as [Any]:
            bytes += Array("[".utf8)
            for element in list { append(element, to: &bytes) }
            bytes += Array("]".utf8)
        case let entries as [String: Any]:
            bytes += Array("{".utf8)
            for (key, element) in entries.sorted(by: { $0.key < $1.key }) {
                add("k", key.utf8)
                append(element, to: &bytes)
            }
            bytes += Array("}".utf8)
        default: add("n", number(value).utf8)
        }
    }

    private static func number(_ value: Any) -> String {
        switch value {
        case let number as NSNumber:
            let real = number.doubleValue
            return real == real.rounded() && abs(real) < 9e15 ? "\(number.int64Value)" : "\(real)"
        case let flag as Bool: return flag ? "1" : "0"
        case let integer as any BinaryInteger: return "\(integer)"
        case let real as Double: return real == real.rounded() && abs(real) < 9e15 ? "\(Int64(real))" : "\(real)"
        case let real as Float: return number(Double(real))
        // Of what no property list has, only the type.
        default: return "\(type(of: value))"
        }
    }

    private func locked<Value>(_ body: () -> Value) -> Value {
        lock.lock()
        defer { lock.unlock() }
        return body()
    }

    private func nextSequence() -> Int {
        locked {
            sequence += 1
            return sequence
        }
    }

    private func number(of transfer: AnyObject) -> Int? { locked { transfers[ObjectIdentifier(transfer)] } }
    private func keep(_ number: Int?, of transfer: AnyObject) { locked { transfers[ObjectIdentifier(transfer)] = number } }

    private var reach: (String, String) { ("isReachable", "\(session.isReachable)") }

    // MARK: What the app hands to the session

    /// `WCSession.activate()`.
    public func activate() {
        write("session.activate")
        session.activate()
    }

    /// `WCSession.updateApplicationContext(_:)`.
    public func updateApplicationContext(_ context: [String: Any]) throws {
        do {
            try session.updateApplicationContext(context)
            write("context.updated", [("sequence", "\(nextSequence())")] + facts(context) + [reach])
        } catch {
            write("context.refused", facts(error) + facts(context))
            throw error
        }
    }

    /// `WCSession.sendMessage(_:replyHandler:errorHandler:)`.
    public func sendMessage(
        _ message: [String: Any], replyHandler: (([String: Any]) -> Void)?, errorHandler: ((any Error) -> Void)? = nil
    ) {
        let number = nextSequence()
        write("message.sent", [("sequence", "\(number)"), ("wantsReply", "\(replyHandler != nil)")] + facts(message) + [reach])
        let reply = replyHandler.map { handler in
            { (reply: [String: Any]) in
                self.write("message.replyDelivered", [("sequence", "\(number)")] + self.facts(reply))
                handler(reply)
            }
        }
        session.sendMessage(message, replyHandler: reply) { error in
            self.write("message.failed", [("sequence", "\(number)")] + self.facts(error) + [self.reach])
            errorHandler?(error)
        }
    }

    /// `WCSession.sendMessageData(_:replyHandler:errorHandler:)`.
    public func sendMessageData(_ data: Data, replyHandler: ((Data) -> Void)?, errorHandler: ((any Error) -> Void)? = nil) {
        let number = nextSequence()
        write("message.sent", [("sequence", "\(number)"), ("wantsReply", "\(replyHandler != nil)")] + facts(data) + [reach])
        let reply = replyHandler.map { handler in
            { (reply: Data) in
                self.write("message.replyDelivered", [("sequence", "\(number)")] + self.facts(reply))
                handler(reply)
            }
        }
        session.sendMessageData(data, replyHandler: reply) { error in
            self.write("message.failed", [("sequence", "\(number)")] + self.facts(error) + [self.reach])
            errorHandler?(error)
        }
    }

    /// `WCSession.transferUserInfo(_:)`.
    @discardableResult
    public func transferUserInfo(_ userInfo: [String: Any]) -> WCSessionUserInfoTransfer {
        let number = nextSequence()
        write("userInfo.queued", [("sequence", "\(number)")] + facts(userInfo) + [reach])
        let transfer = session.transferUserInfo(userInfo)
        keep(number, of: transfer)
        return transfer
    }

    #if os(iOS)
        /// `WCSession.transferCurrentComplicationUserInfo(_:)`.
        @discardableResult
        public func transferCurrentComplicationUserInfo(_ userInfo: [String: Any]) -> WCSessionUserInfoTransfer {
            let number = nextSequence()
            let isUrgent = session.isComplicationEnabled && session.remainingComplicationUserInfoTransfers > 0
            write("userInfo.queued", [("sequence", "\(number)")] + facts(userInfo) + (isUrgent ? [("complication", "true")] : []) + [reach])
            let transfer = session.transferCurrentComplicationUserInfo(userInfo)
            keep(number, of: transfer)
            return transfer
        }
    #endif

    /// `WCSession.transferFile(_:metadata:)`.
    @discardableResult
    public func transferFile(_ file: URL, metadata: [String: Any]?) -> WCSessionFileTransfer {
        let number = nextSequence()
        write("file.queued", [("sequence", "\(number)")] + facts(file, metadata) + [reach])
        let transfer = session.transferFile(file, metadata: metadata)
        keep(number, of: transfer)
        return transfer
    }

    private func facts(_ file: URL, _ metadata: [String: Any]?) -> [(String, String)] {
        let size = (try? FileManager.default.attributesOfItem(atPath: file.path))?[.size] as? Int
        let name = file.lastPathComponent
        return [("name", alias(name))] + (size.map { [("bytes", "\($0)")] } ?? [])
            + [("digest", Self.quoted(digest([name, metadata ?? [:]] as [Any])))]
    }

    /// Equal for equal names; what a person called a file is a value.
    private func alias(_ name: String) -> String {
        let ending = (name as NSString).pathExtension
        let isPlain =
            !ending.isEmpty && ending.utf8.count <= 8
            && ending.unicodeScalars.allSatisfy { ("a"..."z").contains($0) || ("A"..."Z").contains($0) || ("0"..."9").contains($0) }
        return Self.quoted("file-\(digest(name).prefix(8))\(isPlain ? "." + ending : "")")
    }

    /// `WCSessionUserInfoTransfer.cancel()`.
    public func cancel(_ transfer: WCSessionUserInfoTransfer) {
        write("userInfo.cancelled", identity(transfer) + [("digest", Self.quoted(digest(transfer.userInfo)))])
        transfer.cancel()
    }

    /// `WCSessionFileTransfer.cancel()`.
    public func cancel(_ transfer: WCSessionFileTransfer) {
        write("file.cancelled", identity(transfer))
        transfer.cancel()
    }

    private func identity(_ transfer: AnyObject) -> [(String, String)] { number(of: transfer).map { [("sequence", "\($0)")] } ?? [] }

    // MARK: What the session tells the app

    public func session(_ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?) {
        switch activationState {
        case .activated: write("session.activated", facts(error))
        case .inactive: write("session.inactive", facts(error))
        default: write("session.error", [("call", "\"activate\"")] + facts(error))
        }
        next?.session(session, activationDidCompleteWith: activationState, error: error)
    }

    #if os(iOS)
        public func sessionDidBecomeInactive(_ session: WCSession) {
            write("session.inactive")
            next?.sessionDidBecomeInactive(session)
        }

        public func sessionDidDeactivate(_ session: WCSession) {
            write("session.deactivated")
            next?.sessionDidDeactivate(session)
        }

        public func sessionWatchStateDidChange(_ session: WCSession) {
            write(
                "session.watchStateChanged",
                [
                    ("isPaired", "\(session.isPaired)"), ("isWatchAppInstalled", "\(session.isWatchAppInstalled)"),
                    ("isComplicationEnabled", "\(session.isComplicationEnabled)"),
                ])
            next?.sessionWatchStateDidChange?(session)
        }
    #endif

    #if os(watchOS)
        public func sessionCompanionAppInstalledDidChange(_ session: WCSession) {
            write("session.companionAppInstalledChanged", [("isCompanionAppInstalled", "\(session.isCompanionAppInstalled)")])
            next?.sessionCompanionAppInstalledDidChange?(session)
        }
    #endif

    public func sessionReachabilityDidChange(_ session: WCSession) {
        write("session.reachabilityChanged", [reach])
        next?.sessionReachabilityDidChange?(session)
    }

    public func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
        write("message.delivered", [("wantsReply", "false")] + facts(message))
        next?.session?(session, didReceiveMessage: message)
    }

    public func session(_ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void) {
        write("message.delivered", [("wantsReply", "true")] + facts(message))
        let asked = digest(message)
        next?.session?(session, didReceiveMessage: message) { reply in
            let isList = PropertyListSerialization.propertyList(reply, isValidFor: .binary)
            self.write(
                "message.replied",
                self.facts(reply) + (isList ? [] : [("error", "\"payloadUnsupportedTypes\"")]) + [("to", Self.quoted(asked))])
            replyHandler(reply)
        }
    }

    public func session(_ session: WCSession, didReceiveMessageData messageData: Data) {
        write("message.delivered", [("wantsReply", "false")] + facts(messageData))
        next?.session?(session, didReceiveMessageData: messageData)
    }

    public func session(_ session: WCSession, didReceiveMessageData messageData: Data, replyHandler: @escaping (Data) -> Void) {
        write("message.delivered", [("wantsReply", "true")] + facts(messageData))
        let asked = digest(messageData)
        next?.session?(session, didReceiveMessageData: messageData) { reply in
            self.write("message.replied", self.facts(reply) + [("to", Self.quoted(asked))])
            replyHandler(reply)
        }
    }

    public func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        write("context.delivered", facts(applicationContext))
        next?.session?(session, didReceiveApplicationContext: applicationContext)
    }

    public func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {
        write("userInfo.delivered", facts(userInfo))
        next?.session?(session, didReceiveUserInfo: userInfo)
    }

    public func session(_ session: WCSession, didReceive file: WCSessionFile) {
        write("file.delivered", facts(file.fileURL, file.metadata))
        next?.session?(session, didReceive: file)
    }

    public func session(_ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?) {
        write(
            error == nil ? "userInfo.finished" : "userInfo.failed",
            identity(userInfoTransfer) + facts(error) + [("digest", Self.quoted(digest(userInfoTransfer.userInfo)))])
        keep(nil, of: userInfoTransfer)
        next?.session?(session, didFinish: userInfoTransfer, error: error)
    }

    public func session(_ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: (any Error)?) {
        let name = fileTransfer.file.fileURL.lastPathComponent
        let digest = digest([name, fileTransfer.file.metadata ?? [:]] as [Any])
        write(
            error == nil ? "file.finished" : "file.failed",
            identity(fileTransfer) + facts(error) + [("name", alias(name)), ("digest", Self.quoted(digest))])
        keep(nil, of: fileTransfer)
        next?.session?(session, didFinish: fileTransfer, error: error)
    }

    #if canImport(ObjectiveC)
        /// What the app's own delegate lacks, the session is to find lacking: it makes a difference (7014).
        public override func responds(to selector: Selector!) -> Bool {
            guard super.responds(to: selector), let selector else { return false }
            return NSStringFromSelector(selector).hasPrefix("session:didReceive") ? next?.responds(to: selector) ?? true : true
        }
    #endif
}
