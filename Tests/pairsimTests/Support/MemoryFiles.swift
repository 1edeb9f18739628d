import DeviceSim
import Foundation
import Synchronization

@testable import PairsimTool

/// A file system in memory, with folders that may not be entered and links that lead in circles.
final class MemoryFiles: FileAccess {
    private let state = Mutex(State())

    let ownScenarios: String?

    private struct State {
        var files: [String: Data] = [:]
        var unreadable: Set<String> = []
        var unwritable: Set<String> = []
        var links: [String: String] = [:]
    }

    init(
        _ paths: [String] = [], unreadable: Set<String> = [], unwritable: Set<String> = [], links: [String: String] = [:],
        ownScenarios: String? = nil
    ) {
        self.ownScenarios = ownScenarios
        state.withLock { state in
            for path in paths { state.files[path] = Data() }
            state.unreadable = unreadable
            state.unwritable = unwritable
            state.links = links
        }
    }

    subscript(path: String) -> Data? { state.withLock { $0.files[path] } }

    func text(_ path: String) -> String? { self[path].map { String(decoding: $0, as: UTF8.self) } }

    func forbidWriting(_ path: String) { state.withLock { _ = $0.unwritable.insert(path) } }

    var paths: [String] { state.withLock { $0.files.keys.sorted() } }

    func identity(of path: String) -> String? {
        state.withLock { state in
            let path = Self.resolve(path, state.links)
            return state.files[path] == nil ? nil : path
        }
    }

    func place(of path: String) -> String {
        var parts: [Substring] = []
        for part in state.withLock({ Self.resolve(path, $0.links) }).split(separator: "/") where part != "." {
            if part == "..", let last = parts.last, last != ".." { parts.removeLast() } else { parts.append(part) }
        }
        return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
    }

    func stamp(of path: String) -> String? {
        self[path].map { "\(TraceFingerprint(of: Array($0)))" }
    }

    func kind(of path: String) throws(FileError) -> FileKind? {
        let (path, isFile, isFolder) = state.withLock { state in
            let path = Self.resolve(path, state.links)
            return (
                path, state.files[path] != nil,
                path == "." || state.files.keys.contains { $0.hasPrefix(path + "/") } || state.unreadable.contains(path)
            )
        }
        return isFile ? .file : isFolder ? .folder(identity: path) : nil
    }

    func names(in folder: String) throws(FileError) -> [String] {
        let names: [String]? = state.withLock { state in
            let folder = Self.resolve(folder, state.links)
            guard !state.unreadable.contains(folder) else { return nil }
            let start = folder == "." ? "" : folder + "/"
            let all = Array(state.files.keys) + Array(state.links.keys) + Array(state.unreadable)
            let below = all.filter { $0.hasPrefix(start) }.compactMap {
                $0.dropFirst(start.count).split(separator: "/").first.map(String.init)
            }
            // Folders come in no order; the reverse of the right one finds who relies on it.
            return Set(below).sorted(by: >)
        }
        guard let names else { throw FileError(path: folder, reason: "permission denied") }
        return names
    }

    func append(_ data: Data, to path: String) throws(FileError) {
        let before = try kind(of: path) == nil ? Data() : read(path)
        try write(before + data, to: path)
    }

    func write(_ data: Data, to path: String) throws(FileError) {
        let isWritten = state.withLock { state in
            guard !state.unwritable.contains(where: { path == $0 || path.hasPrefix($0 + "/") }) else { return false }
            state.files[path] = data
            return true
        }
        guard isWritten else { throw FileError(path: path, reason: "permission denied") }
    }

    func create(_ data: Data, at path: String) throws(FileError) -> Bool {
        guard self[path] == nil else { return false }
        try write(data, to: path)
        return true
    }

    func read(_ path: String) throws(FileError) -> Data {
        guard let data = self[path] else { throw FileError(path: path, reason: "no such file or directory") }
        return data
    }

    func read(_ path: String, first count: Int) throws(FileError) -> Data { try read(path).prefix(count) }

    func alone(at path: String, _ work: () -> Void) { work() }

    func obstacle(toWritingIn folder: String) -> FileError? {
        if self[folder] != nil { return FileError(path: folder, reason: "not a directory") }
        return state.withLock { $0.unwritable.contains { folder == $0 || folder.hasPrefix($0 + "/") } }
            ? FileError(path: folder, reason: "permission denied") : nil
    }

    func makeFolder(_ path: String) throws(FileError) {
        guard !state.withLock({ $0.unwritable.contains(path) }) else { throw FileError(path: path, reason: "permission denied") }
    }

    /// Follows links in the path, one after the other.
    private static func resolve(_ path: String, _ links: [String: String]) -> String {
        var path = path
        for _ in 0..<40 {
            guard let link = links.keys.first(where: { path == $0 || path.hasPrefix($0 + "/") }), let target = links[link] else { break }
            path = target + path.dropFirst(link.count)
        }
        return path
    }
}
