import Foundation

/// A file that is sent, or was received: Apple's public interface.
open class WCSessionFile: NSObject {
    private let url: URL
    private let dictionary: [String: Any]?

    /// For the backends of the mirror; apps get these, they do not make them.
    public init(fileURL: URL, metadata: [String: Any]?) {
        url = fileURL
        dictionary = metadata
    }

    /// Where the file lies. A received one is deleted when the delegate's method returns (W90).
    open var fileURL: URL { url }
    /// What the sender said about it.
    open var metadata: [String: Any]? { dictionary }
}
