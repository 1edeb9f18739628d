import Foundation

@testable import LocalData

extension PersistedFormat {
    /// What a prewarmed process leaves for the next one.
    static let process = [
        PersistedFormat(file: "process-unlocked.json", meaning: "notFound") {
            let device = prewarmed()
            _ = await storageError { _ = try await device.router().get(ValueKey<String>("theme")) }
            guard let data = device.files.peek(unlockPath) else { throw StorageError(.notFound) }
            return data
        } read: { data in
            let device = prewarmed()
            device.files.put(data, at: unlockPath)
            return await storageError { _ = try await device.router().get(ValueKey<String>("theme")) }?.code.rawValue ?? "a value"
        }
    ]

    private static let unlockPath = "/app/Library/Application Support/LocalData/\(BelievableDefaults.unlockFile)"

    private static func prewarmed() -> TestDevice {
        let device = TestDevice()
        device.description.bootIdentifier = "0C6C63A1-6E9B-4D38-9D2D-2B3C5C1A9F10"
        device.description.wasPrewarmed = true
        return device
    }
}
