import Foundation

/// What the network beyond a device answers to requests of its app. No request leaves the host.
package struct NetworkAnswer: Sendable, Hashable {
    /// How the URLs begin that it is for.
    package let start: String
    /// The body.
    package let body: Data
    /// The HTTP status.
    package let status: Int

    package init(urlsBeginningWith start: String, body: Data, status: Int) {
        self.start = start
        self.body = body
        self.status = status
    }
}

extension Device {
    /// The answer that was given last for such a URL; `nil` where there is none, and the request fails as offline.
    package func networkAnswer(to url: URL) -> NetworkAnswer? {
        networkAnswers.last { url.absoluteString.hasPrefix($0.start) }
    }
}
