import Foundation
import Testing

/// A folder of the host for one test, removed with it.
final class ScratchFolder {
    let url: URL

    init() throws {
        var template = Array(NSTemporaryDirectory().utf8CString.dropLast()) + Array("/devicesim.XXXXXX".utf8CString)
        let isMade = template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { mkdtemp($0) } != nil }
        try #require(isMade, "no temporary folder")
        url = URL(fileURLWithPath: String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self), isDirectory: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }
}
