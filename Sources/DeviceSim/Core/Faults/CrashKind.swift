/// How a running app is cut short.
public enum CrashKind: Sendable, Hashable {
    /// The app crashes: what it handed to the system stays.
    case app
    /// The device loses power: of what was not synchronized, this is left.
    case power(PowerLossRemainder)

    /// The crash of the app, and a power loss with everything that it may leave.
    public static let all: [CrashKind] = [.app] + PowerLossRemainder.allCases.map { .power($0) }
}

extension CrashKind: CustomStringConvertible {
    public var description: String {
        switch self {
        case .app: "app crash"
        case .power(let remainder): "power loss that leaves \(remainder.rawValue)"
        }
    }
}
