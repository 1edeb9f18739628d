import Foundation

/// A user info on its way to the counterpart: Apple's public interface.
///
/// It has no behaviour of its own: a backend hands out objects of a subclass. An object of this class itself is what a host gets on which
/// nothing is simulated.
open class WCSessionUserInfoTransfer: NSObject {
    /// What is transferred.
    open var userInfo: [String: Any] { [:] }
    /// Whether the data is being transferred at this moment.
    open var isTransferring: Bool { false }
    /// Whether this is the newest complication info, which has precedence over other user infos (W96). Only iOS has it.
    open var isCurrentComplicationInfo: Bool { false }

    /// Takes the transfer back. No effect once it has arrived (W86).
    open func cancel() {}
}
