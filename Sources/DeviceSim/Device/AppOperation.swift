/// Something that app code was asked to do, and what came of it.
///
/// Confined to the simulation's thread.
public final class AppOperation<Value>: @unchecked Sendable {
    public let name: String
    public private(set) var result: Result<Value, any Error>?

    init(name: String) {
        self.name = name
    }

    public var isFinished: Bool { result != nil }

    func finish(_ result: Result<Value, any Error>) {
        if self.result == nil { self.result = result }
    }
}
