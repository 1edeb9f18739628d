// What `import Foundation` brings on Apple's systems and not on Linux. Imported into every file that is checked.

@_exported import CoreFoundationStandIn
import Foundation

// Requests and sessions are in Foundation itself there.
#if canImport(FoundationNetworking)
    @_exported import FoundationNetworking
#endif

public let F_FULLFSYNC: Int32 = 51
public let F_GETPATH: Int32 = 50
public let F_SETPROTECTIONCLASS: Int32 = 64
public let O_EVTONLY: Int32 = 0x8000
public let _PC_CASE_SENSITIVE: Int32 = 11
public let MAXPATHLEN: Int32 = 1024

@discardableResult
public func memset_s(_ s: UnsafeMutableRawPointer?, _ smax: Int, _ c: Int32, _ n: Int) -> Int32 { 0 }

extension stat {
    public var st_mtimespec: timespec { st_mtim }
    public var st_ctimespec: timespec { st_ctim }
}

extension URL {
    @available(iOS 16.0, watchOS 9.0, macOS 13.0, *)
    public static var applicationSupportDirectory: URL { fatalError() }
}

extension FileManager {
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? { nil }
}

extension FileProtectionType: @retroactive Equatable {
    public static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }
}

@discardableResult
public func sysctlbyname(
    _ name: UnsafePointer<CChar>!, _ oldp: UnsafeMutableRawPointer!, _ oldlenp: UnsafeMutablePointer<Int>!,
    _ newp: UnsafeMutableRawPointer!,
    _ newlen: Int
) -> Int32 { -1 }

// Extended attributes (`sys/xattr.h`).

public let ENOATTR: Int32 = 93

public let RENAME_EXCL: Int32 = 4

public func renamex_np(_ from: UnsafePointer<CChar>?, _ to: UnsafePointer<CChar>?, _ flags: UInt32) -> Int32 { 0 }

public func getxattr(
    _ path: UnsafePointer<CChar>?, _ name: UnsafePointer<CChar>?, _ value: UnsafeMutableRawPointer?, _ size: Int, _ position: UInt32,
    _ options: Int32
) -> Int { 0 }

public func fsetxattr(
    _ fd: Int32, _ name: UnsafePointer<CChar>?, _ value: UnsafeRawPointer?, _ size: Int, _ position: UInt32, _ options: Int32
) -> Int32 { 0 }

// Key-value observing.

public struct NSKeyValueObservingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let new = NSKeyValueObservingOptions(rawValue: 1)
    public static let old = NSKeyValueObservingOptions(rawValue: 2)
    public static let initial = NSKeyValueObservingOptions(rawValue: 4)
    public static let prior = NSKeyValueObservingOptions(rawValue: 8)
}

public struct NSKeyValueObservedChange<Value> {
    public let newValue: Value?
    public let oldValue: Value?
    public let isPrior: Bool
}

public class NSKeyValueObservation: NSObject {
    public func invalidate() {}
}

public protocol _KeyValueCodingAndObserving {}
extension NSObject: _KeyValueCodingAndObserving {}
extension _KeyValueCodingAndObserving {
    public func observe<Value>(
        _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping (Self, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation { NSKeyValueObservation() }
}
