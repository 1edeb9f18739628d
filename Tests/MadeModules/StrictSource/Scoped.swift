// Parts of a module can be imported by name.
internal import struct Foundation.Date
internal import class Foundation.NSString

nonisolated func name(of path: String, at date: Date = Date()) -> String {
    (path as NSString).lastPathComponent
}
