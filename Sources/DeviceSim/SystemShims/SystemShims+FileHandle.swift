internal import DeviceSimCore
import Foundation
internal import LocalData

extension SystemShims {
    /// `FileHandle` as app code uses it, for files of the device whose code is running. Each writing call stores the whole file anew, in one step, as
    /// nothing on the simulated disk writes into a file.
    ///
    /// Pipes, sockets and the standard streams are not there.
    open class FileHandle: NSObject, @unchecked Sendable {
        private let url: URL
        private var position = 0
        private var isOpen = true

        private init(opening url: URL) throws {
            _ = try SystemShims.contents(of: url)
            self.url = url
            super.init()
        }

        /// Opens a file to read from its beginning.
        public convenience init(forReadingFrom url: URL) throws { try self.init(opening: url) }
        /// Opens a file to write from its beginning.
        public convenience init(forWritingTo url: URL) throws { try self.init(opening: url) }
        /// Opens a file to read and write from its beginning.
        public convenience init(forUpdating url: URL) throws { try self.init(opening: url) }
        /// Opens a file to read; `nil` where there is none.
        public convenience init?(forReadingAtPath path: String) { try? self.init(opening: URL(fileURLWithPath: path)) }
        /// Opens a file to write; `nil` where there is none.
        public convenience init?(forWritingAtPath path: String) { try? self.init(opening: URL(fileURLWithPath: path)) }
        /// Opens a file to read and write; `nil` where there is none.
        public convenience init?(forUpdatingAtPath path: String) { try? self.init(opening: URL(fileURLWithPath: path)) }

        private func content() throws -> Data {
            guard isOpen else { throw CocoaError(.fileReadUnknown, userInfo: [NSFilePathErrorKey: url.path]) }
            return try SystemShims.contents(of: url)
        }

        /// What is left, `nil` at the end.
        open func readToEnd() throws -> Data? { try read(upToCount: .max) }

        /// So many bytes at most, `nil` at the end.
        open func read(upToCount count: Int) throws -> Data? {
            let rest = try content().dropFirst(position).prefix(count)
            position += rest.count
            return rest.isEmpty ? nil : Data(rest)
        }

        /// Puts bytes over what lies at the position, and behind the end.
        open func write(contentsOf data: some DataProtocol) throws {
            var content = try content()
            if content.count < position { content.append(Data(count: position - content.count)) }
            let end = min(content.count, position + data.count)
            content.replaceSubrange(position..<end, with: Data(data))
            try SystemShims.write(content, to: url)
            position += data.count
        }

        /// Where the next call reads or writes.
        open func offset() throws -> UInt64 { UInt64(position) }
        /// Goes to the end.
        @discardableResult
        open func seekToEnd() throws -> UInt64 {
            position = try content().count
            return UInt64(position)
        }
        /// Goes to a place, from the beginning.
        open func seek(toOffset offset: UInt64) throws { position = Int(clamping: offset) }
        /// Cuts the file off, or fills it up with zeros.
        open func truncate(atOffset offset: UInt64) throws {
            var content = try content()
            let size = Int(clamping: offset)
            content = content.count > size ? Data(content.prefix(size)) : content + Data(count: size - content.count)
            try SystemShims.write(content, to: url)
            position = size
        }
        /// Nothing: each write is durable when it returns.
        open func synchronize() throws {}
        /// From now on reading and writing fail.
        open func close() throws { isOpen = false }

        // MARK: Older names

        /// What is left; nothing where it cannot be read.
        open func readDataToEndOfFile() -> Data { (try? readToEnd()) ?? Data() }
        /// So many bytes at most; nothing where they cannot be read.
        open func readData(ofLength length: Int) -> Data { (try? read(upToCount: length)) ?? Data() }
        /// As ``readDataToEndOfFile()``.
        open var availableData: Data { readDataToEndOfFile() }
        /// As ``write(contentsOf:)``, without its error.
        open func write(_ data: Data) { try? write(contentsOf: data) }
        /// As ``seekToEnd()``, without its error.
        @discardableResult
        open func seekToEndOfFile() -> UInt64 { (try? seekToEnd()) ?? UInt64(position) }
        /// As ``seek(toOffset:)``.
        open func seek(toFileOffset offset: UInt64) { position = Int(clamping: offset) }
        /// As ``truncate(atOffset:)``, without its error.
        open func truncateFile(atOffset offset: UInt64) { try? truncate(atOffset: offset) }
        /// Where the next byte is read or written, from the file's beginning. As ``offset()``, without an error.
        open var offsetInFile: UInt64 { UInt64(position) }
        /// Nothing.
        open func synchronizeFile() {}
        /// Ends the use of the file: reading from it fails afterwards. As ``close()``, without an error.
        open func closeFile() { isOpen = false }
    }

    /// `NSFileCoordinator` as app code uses it: nobody else is coordinated, so each accessor runs at once.
    open class NSFileCoordinator: NSObject, @unchecked Sendable {
        /// How a file is read.
        public struct ReadingOptions: OptionSet, Sendable {
            public let rawValue: UInt
            public init(rawValue: UInt) { self.rawValue = rawValue }
            /// No other code is asked to save first.
            public static let withoutChanges = ReadingOptions(rawValue: 1)
            /// Links are followed.
            public static let resolvesSymbolicLink = ReadingOptions(rawValue: 2)
        }

        /// How a file is written.
        public struct WritingOptions: OptionSet, Sendable {
            public let rawValue: UInt
            public init(rawValue: UInt) { self.rawValue = rawValue }
            /// The file is deleted.
            public static let forDeleting = WritingOptions(rawValue: 1)
            /// The file is moved.
            public static let forMoving = WritingOptions(rawValue: 2)
            /// Other code saves first.
            public static let forMerging = WritingOptions(rawValue: 4)
            /// The file is replaced.
            public static let forReplacing = WritingOptions(rawValue: 8)
        }

        /// A coordinator. Presenters are not there.
        public init(filePresenter: Any? = nil) {}

        /// Runs the accessor with the same URL.
        open func coordinate(
            readingItemAt url: URL, options: ReadingOptions = [], error: UnsafeMutablePointer<NSError?>?, byAccessor reader: (URL) -> Void
        ) { reader(url) }

        /// Runs the accessor with the same URL.
        open func coordinate(
            writingItemAt url: URL, options: WritingOptions = [], error: UnsafeMutablePointer<NSError?>?, byAccessor writer: (URL) -> Void
        ) { writer(url) }
    }
}
