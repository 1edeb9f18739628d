import DeviceSim
import Foundation
import SessionLinkWatch

extension SessionLinkWatch.SessionLink: Link {
    func connect(_ screen: Screen) {
        onReceive(Count.self) { message in MainActor.assumeIsolated { screen.count = message.count } }
        answer(Question.self) { $0.text.lowercased() }
        onReceiveFile = { file, metadata in
            let size = (try? SystemShims.contents(of: file))?.count ?? -1
            let text = "\(file.lastPathComponent) \(size) \(metadata["note"] ?? "")"
            MainActor.assumeIsolated { screen.file = text }
        }
        onFinish = { kind, name, error in
            let text = "\(kind) \(name)\(error == nil ? "" : " failed")"
            MainActor.assumeIsolated { screen.finished.append(text) }
        }
    }

    func send(_ count: Count, overChannel name: String, failure: @escaping (Error) -> Void) -> Bool {
        guard let channel = LinkChannel(rawValue: name) else { return false }
        send(count, over: channel, failure: failure)
        return true
    }

    func sendFile(ofBytes count: Int) throws {
        try send(Data(repeating: 7, count: count), fileNamed: "photo", metadata: ["note": "from the watch"])
    }

    func ask(_ question: Question, overData: Bool, completion: @escaping (String?) -> Void) {
        ask(question, for: String.self, over: overData ? .data : .message) { completion(try? $0.get()) }
    }

    func sendLater(_ count: Count) { sendWhenReachable(count) }

    func hold(_ task: ConnectivityRefreshTask) { handle(task) }

    var outstandingNames: [String] { outstanding.map { "\($0.kind) \($0.name)" } }
    var percent: Int? { outstanding.compactMap(\.progress).first.map { Int($0.fractionCompleted * 100) } }
}
