#if !canImport(Security)
    import Foundation

    /// The operating system's generator: `getentropy`, which on Linux is the kernel's.
    struct SystemEntropy: EntropySource {
        func bytes(_ count: Int) throws -> Data {
            var data = Data(count: count)
            try data.withUnsafeMutableBytes { buffer in
                var offset = 0
                while offset < buffer.count {
                    // At most 256 bytes a call.
                    let part = UnsafeMutableRawBufferPointer(rebasing: buffer[offset..<min(offset + 256, buffer.count)])
                    guard let base = part.baseAddress, getentropy(base, part.count) == 0 else {
                        throw StorageError(.inputOutput, facts: ["errno \(errno) at getentropy"])
                    }
                    offset += part.count
                }
            }
            return data
        }
    }
#endif
