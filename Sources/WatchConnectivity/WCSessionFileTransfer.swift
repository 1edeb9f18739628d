import Foundation

/// A file on its way to the counterpart: Apple's public interface.
///
/// It has no behaviour of its own: a backend hands out objects of a subclass.
open class WCSessionFileTransfer: NSObject {
    /// The file as it was handed over.
    public let file: WCSessionFile

    /// Makes a transfer that goes nowhere. Not part of Apple's interface.
    public init(file: WCSessionFile) {
        self.file = file
    }

    /// Whether the file is being transferred at this moment.
    open var isTransferring: Bool { false }
    /// How many of the file's bytes have been transferred. The same object each time.
    open var progress: Progress { Progress.discreteProgress(totalUnitCount: 0) }

    /// Takes the transfer back. No effect once the file has arrived (W86).
    open func cancel() {}
}
