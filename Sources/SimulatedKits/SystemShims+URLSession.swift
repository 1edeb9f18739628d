internal import DeviceSimCore
public import Foundation
public import SimulatedSystem

#if canImport(FoundationNetworking)
    // Requests and responses are where Foundation has them on Apple's systems. Its sessions are not for simulated code.
    @_exported import FoundationNetworking
#endif

extension SystemShims {
    /// `URLSession` as app code uses it: no request reaches a network. What the app's process was given by ``answer(_:)`` answers, then what a scenario says
    /// (`phone network answers "https://example.com/" with "…"`); a request without an answer fails as on a device that is offline.
    ///
    /// Completion handlers are called on a background queue, at the instant of the request. Delegates, background sessions and streams are not there.
    open class URLSession: NSObject, @unchecked Sendable {
        /// What a request is answered with.
        public struct Answer: Sendable {
            /// The body.
            public var data: Data
            /// The HTTP status.
            public var status: Int
            /// The header's fields.
            public var headers: [String: String]

            /// An answer; by default one that succeeds.
            public init(_ data: Data, status: Int = 200, headers: [String: String] = [:]) {
                self.data = data
                self.status = status
                self.headers = headers
            }
        }

        /// The session that code shares.
        public static let shared = URLSession(configuration: .default)
        /// Foundation's own. Decides nothing.
        public let configuration: URLSessionConfiguration

        /// A session of the app's own. The delegate is not asked.
        public init(configuration: URLSessionConfiguration, delegate: AnyObject? = nil, delegateQueue: OperationQueue? = nil) {
            self.configuration = configuration
        }

        /// From now on requests of the process whose code is running are answered so; `nil` for one that this does not answer. For adapters of apps under
        /// test, where the answer depends on the request; for others scenarios have a step.
        public static func answer(_ make: @escaping @Sendable (URLRequest) -> Answer?) {
            setProcessLocal("URLSession.answer", Answers(make: make))
        }

        private final class Answers: Sendable {
            let make: @Sendable (URLRequest) -> Answer?
            init(make: @escaping @Sendable (URLRequest) -> Answer?) { self.make = make }
        }

        private static func outcome(_ request: URLRequest) throws -> (Data, URLResponse) {
            let answers = processLocal("URLSession.answer") { Answers { _ in nil } }
            guard let url = request.url else { throw URLError(.badURL) }
            let scenarios = process("URLSession")?.device?.networkAnswer(to: url)
            guard let answer = answers.make(request) ?? scenarios.map({ Answer($0.body, status: $0.status) }),
                let response = HTTPURLResponse(url: url, statusCode: answer.status, httpVersion: "HTTP/1.1", headerFields: answer.headers)
            else { throw URLError(.notConnectedToInternet, userInfo: [NSURLErrorFailingURLErrorKey: url]) }
            return (answer.data, response)
        }

        /// The answer to a request.
        open func data(for request: URLRequest) async throws -> (Data, URLResponse) { try Self.outcome(request) }
        /// The answer to a request for a URL.
        open func data(from url: URL) async throws -> (Data, URLResponse) { try Self.outcome(URLRequest(url: url)) }
        /// The answer to a request with a body.
        open func upload(for request: URLRequest, from body: Data) async throws -> (Data, URLResponse) {
            var request = request
            request.httpBody = body
            return try Self.outcome(request)
        }

        /// A request that is made when it is resumed.
        open func dataTask(
            with request: URLRequest, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
        ) -> URLSessionTask {
            URLSessionTask(request, completionHandler)
        }
        /// A request that is made when it is resumed.
        open func dataTask(
            with url: URL, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
        ) -> URLSessionTask {
            URLSessionTask(URLRequest(url: url), completionHandler)
        }
        /// Nothing: a request is over at once.
        open func invalidateAndCancel() {}
        /// Nothing: a request is over at once.
        open func finishTasksAndInvalidate() {}

        fileprivate static func run(_ task: URLSessionTask) {
            let result = Result { try outcome(task.request) }
            DispatchQueue.global().async {
                guard !task.isCancelled else { return task.handler(nil, nil, URLError(.cancelled)) }
                switch result {
                case .success(let (data, response)): task.handler(data, response, nil)
                case .failure(let error): task.handler(nil, nil, error)
                }
            }
        }
    }

    /// `URLSessionTask` and `URLSessionDataTask` as app code uses them.
    public final class URLSessionTask: NSObject, @unchecked Sendable {
        fileprivate let request: URLRequest
        fileprivate let handler: @Sendable (Data?, URLResponse?, (any Error)?) -> Void
        fileprivate var isCancelled = false
        private var isResumed = false

        fileprivate init(_ request: URLRequest, _ handler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void) {
            self.request = request
            self.handler = handler
        }

        /// The request as it was made.
        public var originalRequest: URLRequest? { request }
        /// The same: nothing redirects.
        public var currentRequest: URLRequest? { request }

        /// Makes the request, once.
        public func resume() {
            guard !isResumed else { return }
            isResumed = true
            URLSession.run(self)
        }

        /// Lets the request fail as cancelled, if its handler was not called.
        public func cancel() { isCancelled = true }
    }
}
