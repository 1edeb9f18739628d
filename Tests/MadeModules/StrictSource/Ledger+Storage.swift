@preconcurrency public import Foundation

nonisolated extension Ledger {
    public static let group = DispatchGroup()

    /// Kept by the process whose code runs.
    public static var count: Int {
        get { UserDefaults.standard.integer(forKey: "count") }
        set { UserDefaults.standard.set(newValue, forKey: "count") }
    }

    public func save(in files: FileManager = .default, as name: String = "ledger", defaults: UserDefaults = .standard) throws -> URL {
        let folder = try files.url(for: .documentDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
        let file = folder.appendingPathComponent(name)
        try JSONEncoder().encode(entries.map(\.date)).write(to: file, options: .atomic)
        defaults.set(entries.count, forKey: name)
        return file
    }
}
