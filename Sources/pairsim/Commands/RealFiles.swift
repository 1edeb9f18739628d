import Foundation

/// The host's file system.
struct RealFiles: FileAccess {
    func kind(of path: String) throws(FileError) -> FileKind? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            // A link that leads nowhere, or around in a circle, is as good as missing; a forbidden folder on the way is not.
            guard errno == ENOENT || errno == ENOTDIR || errno == ELOOP else { throw Self.trouble(path) }
            return nil
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return .folder(identity: "\(status.st_dev):\(status.st_ino)")
        case S_IFREG: return .file
        default: return .other
        }
    }

    func identity(of path: String) -> String? {
        var status = stat()
        return stat(path, &status) == 0 ? "\(status.st_dev):\(status.st_ino)" : nil
    }

    func place(of path: String) -> String {
        // One part after the other, from the root on; a link is replaced by what it says, also where that leads nowhere.
        var place = ""
        var rest = Array(Self.parts(of: path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path).reversed())
        var linkCount = 0
        while let part = rest.popLast() {
            guard part != ".." else {
                place = String(place[..<(place.lastIndex(of: "/") ?? place.startIndex)])
                continue
            }
            let next = place + "/" + part
            guard linkCount < 40, let target = Self.target(of: next) else {
                place = next
                continue
            }
            linkCount += 1
            if target.hasPrefix("/") { place = "" }
            rest += Self.parts(of: target).reversed()
        }
        return place.isEmpty ? "/" : place
    }

    private static func parts(of path: String) -> [String] { path.split(separator: "/").filter { $0 != "." }.map(String.init) }

    /// What a link says; `nil` where there is none.
    private static func target(of path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }

    var ownScenarios: String? {
        guard let tool = Bundle.main.executableURL?.resolvingSymlinksInPath() else { return nil }
        let folder = tool.deletingLastPathComponent().appendingPathComponent(ScenarioFinder.defaultFolder).path
        if case .folder? = try? kind(of: folder) { return folder }
        return nil
    }

    func stamp(of path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        return "\(status.st_ino) \(status.st_size) \(time.tv_sec) \(time.tv_nsec)"
    }

    func names(in folder: String) throws(FileError) -> [String] {
        // Foundation leaves out names that are not UTF-8, and does not pass on why a folder cannot be read.
        guard let stream = opendir(folder) else { throw Self.trouble(folder) }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else { throw Self.trouble(folder) }
                return names
            }
            let name = Self.name(of: entry)
            if name != ".", name != ".." { names.append(name) }
        }
    }

    private static func name(of entry: UnsafeMutablePointer<dirent>) -> String {
        withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    func obstacle(toWritingIn folder: String) -> FileError? {
        var path = folder.isEmpty ? "." : folder
        while true {
            var status = stat()
            if stat(path, &status) == 0 {
                guard status.st_mode & S_IFMT == S_IFDIR else { return Self.trouble(path, code: ENOTDIR) }
                return access(path, W_OK | X_OK) == 0 ? nil : Self.trouble(path)
            }
            // A link that leads nowhere is there, and no folder can be made in its place.
            guard errno == ENOENT, lstat(path, &status) != 0 else { return Self.trouble(path, code: errno == 0 ? ENOENT : errno) }
            let parent = Self.folder(of: path)
            guard parent != path else { return Self.trouble(path, code: ENOENT) }
            path = parent
        }
    }

    func makeFolder(_ path: String) throws(FileError) {
        guard mkdir(path, 0o777) != 0 else { return }
        let code = errno
        if code == EEXIST, case .folder? = try kind(of: path) { return }
        guard code == ENOENT else { throw Self.trouble(path, code: code) }
        let parent = Self.folder(of: path)
        guard parent != path else { throw Self.trouble(path, code: ENOENT) }
        try makeFolder(parent)
        guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw Self.trouble(path) }
    }

    func write(_ data: Data, to path: String) throws(FileError) {
        // Through a link, the file that it leads to is replaced, not the link; where that leads nowhere yet, the file is made there.
        let target = realpath(path, nil).map { pointer in
            defer { free(pointer) }
            return String(cString: pointer)
        }
        if target == nil, errno == ELOOP { throw Self.trouble(path) }
        let path = target ?? (Self.target(of: path) == nil ? path : place(of: path))
        switch try kind(of: path) {
        // A pipe that nobody has open would be waited for, and no signal ends that.
        case .other: return try Self.write(data, to: path, flags: O_WRONLY | O_CLOEXEC | O_NONBLOCK, mode: 0)
        case .folder: throw Self.trouble(path, code: EISDIR)
        case .file, nil: break
        }
        try makeFolder(Self.folder(of: path))
        var status = stat()
        let isThere = stat(path, &status) == 0
        // The folder would allow to replace it; who made it read-only wants it as it is.
        guard !isThere || (status.st_mode & 0o222 != 0 && access(path, W_OK) == 0) else { throw Self.trouble(path, code: EACCES) }
        let mode = isThere ? status.st_mode & 0o7777 : 0o666
        let temporary = try Self.writeBeside(path, data, mode: mode)
        do throws(FileError) {
            if isThere, status.st_nlink > 1 { return try Self.rewrite(path, with: data, besides: temporary) }
            guard rename(temporary, path) == 0 else { throw Self.trouble(path) }
        } catch {
            unlink(temporary)
            throw FileError(path: path, reason: error.reason)
        }
    }

    /// Writes into a file that has other names too, which a new file in its place would cut off. What is to be written lies beside it already, so
    /// that it is not lost where that fails.
    private static func rewrite(_ path: String, with data: Data, besides copy: String) throws(FileError) {
        do throws(FileError) {
            try write(data, to: path, flags: O_WRONLY | O_TRUNC | O_CLOEXEC, mode: 0)
        } catch {
            let kept = path + ".new"
            let isKept = link(copy, kept) == 0
            throw FileError(path: path, reason: error.reason + (isKept ? "; what was to be written lies in \(kept)" : ""))
        }
        unlink(copy)
    }

    func alone(at path: String, _ work: () -> Void) {
        let folder = Self.folder(of: path)
        try? makeFolder(folder)
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        // The lock ends with the process that has it, but that may have been stopped; and some network folders have none.
        for _ in 0..<200 where descriptor >= 0 {
            guard flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK || errno == EINTR else { break }
            usleep(10_000)
        }
        work()
    }

    func append(_ data: Data, to path: String) throws(FileError) {
        try makeFolder(Self.folder(of: path))
        try Self.write(data, to: path, flags: O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, mode: 0o666)
    }

    func create(_ data: Data, at path: String) throws(FileError) -> Bool {
        try makeFolder(Self.folder(of: path))
        let temporary = try Self.writeBeside(path, data, mode: 0o666)
        defer { unlink(temporary) }
        // A link is made only where nothing is, also when another process tries the same at this moment.
        if link(temporary, path) == 0 { return true }
        guard errno == EEXIST else { throw Self.trouble(path) }
        return false
    }

    /// Writes a new file beside another, to take its place. Its name is drawn: processes of two containers may have the same number, and where others may write
    /// into the folder, one that can be guessed may be a link of theirs to any file.
    /// - Returns: Its path.
    private static func writeBeside(_ path: String, _ data: Data, mode: mode_t) throws(FileError) -> String {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<100 {
            let temporary = path + ".pairsim-" + String(UInt32.random(in: UInt32(1 << 28)...UInt32.max, using: &random), radix: 16)
            let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
            guard descriptor >= 0 else {
                guard errno == EEXIST else { throw trouble(path) }
                continue
            }
            do throws(FileError) {
                try write(data, to: descriptor, of: path, isNew: true)
                return temporary
            } catch {
                unlink(temporary)
                throw error
            }
        }
        throw trouble(path, code: EEXIST)
    }

    /// More than any report or log has: 512 MiB.
    static let maximumByteCount = 512 << 20

    func read(_ path: String) throws(FileError) -> Data {
        let data = try Self.read(path, upTo: Self.maximumByteCount + 1)
        guard data.count <= Self.maximumByteCount else { throw Self.tooLarge(path) }
        return data
    }

    func read(_ path: String, first count: Int) throws(FileError) -> Data { try Self.read(path, upTo: count) }

    private static func read(_ path: String, upTo limit: Int) throws(FileError) -> Data {
        var status = stat()
        guard stat(path, &status) == 0 else { throw trouble(path) }
        guard hasAnEnd(status.st_mode, path) else { throw FileError(path: path, reason: "it is not a regular file") }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw trouble(path) }
        defer { close(descriptor) }
        guard fstat(descriptor, &status) == 0 else { throw trouble(path) }
        // It may have become another since it was looked at.
        guard hasAnEnd(status.st_mode, path) else { throw FileError(path: path, reason: "it is not a regular file") }
        guard limit <= maximumByteCount || status.st_size <= maximumByteCount else { throw tooLarge(path) }
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while data.count < limit {
            let wanted = min(buffer.count, limit - data.count)
            let count = buffer.withUnsafeMutableBytes { Foundation.read(descriptor, $0.baseAddress, wanted) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw trouble(path) }
            guard count > 0 else { break }
            data.append(contentsOf: buffer[..<count])
        }
        return data
    }

    /// Whether it can be read without waiting for somebody who may never come, and to an end: no pipe, and no device such as `/dev/zero`. The pipes that a
    /// shell hands over lie below `/dev`. A folder is complained of by who reads it.
    private static func hasAnEnd(_ mode: mode_t, _ path: String) -> Bool {
        switch mode & S_IFMT {
        case S_IFREG, S_IFDIR: true
        case S_IFIFO, S_IFSOCK: path.hasPrefix("/dev/") || path.hasPrefix("/proc/")
        default: false
        }
    }

    private static func tooLarge(_ path: String) -> FileError {
        FileError(path: path, reason: "it has more than \(maximumByteCount >> 20) MiB, and no more is read of a file")
    }

    private static func write(_ data: Data, to path: String, flags: Int32, mode: mode_t) throws(FileError) {
        let descriptor = open(path, flags, mode)
        guard descriptor >= 0 else {
            guard errno == ENXIO, flags & O_NONBLOCK != 0 else { throw trouble(path) }
            throw FileError(path: path, reason: "nobody reads it; start what is to read it first")
        }
        // What opens at once is then written at the reader's pace.
        if flags & O_NONBLOCK != 0 { _ = fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK) }
        try write(data, to: descriptor, of: path, isNew: flags & O_CREAT != 0)
    }

    /// Writes all of it and closes the file.
    private static func write(_ data: Data, to descriptor: Int32, of path: String, isNew: Bool) throws(FileError) {
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: data)
            // A full disk or a network folder may say so only now.
            if isNew { try handle.synchronize() }
        } catch {
            throw FileError(path: path, reason: "the file cannot be written in full")
        }
    }

    static func folder(of path: String) -> String {
        let parts = path.split(separator: "/").dropLast()
        let start = path.hasPrefix("/") ? "/" : ""
        return parts.isEmpty ? (start.isEmpty ? "." : start) : start + parts.joined(separator: "/")
    }

    private static func trouble(_ path: String, code: Int32 = errno) -> FileError {
        let text = String(cString: strerror(code))
        return FileError(path: path, reason: text.prefix(1).lowercased() + text.dropFirst())
    }
}
