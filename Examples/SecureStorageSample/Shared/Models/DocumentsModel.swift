import Foundation
import LocalData
import Observation

/// The documents' screen: bytes and lists in files, each in the place that suits it.
@MainActor
@Observable
final class DocumentsModel: ShowsProblems {
    static let shared = DocumentsModel()

    private(set) var scanByteCount = 0
    private(set) var portraitByteCount = 0
    private(set) var previewByteCount = 0
    private(set) var expenses: [Expense] = []
    private(set) var shopping: [String] = []
    var problem: String?

    func load() async {
        await attempt {
            shopping = try await StorageRouter.shared.value(of: StorageKeys.ShoppingKey()) ?? []
            portraitByteCount = try await StorageRouter.shared.value(of: StorageKeys.PortraitKey())?.count ?? 0
            previewByteCount = try await preview().count
            #if os(iOS)
                expenses = try await StorageRouter.shared.value(of: StorageKeys.ExpensesKey()) ?? []
                scanByteCount = try await StorageRouter.shared.value(of: StorageKeys.ScanKey())?.count ?? 0
            #endif
        }
    }

    func keepScan(_ scan: Data) async {
        await attempt {
            try await StorageRouter.shared.set(scan, for: StorageKeys.ScanKey())
            scanByteCount = scan.count
        }
    }

    func choosePortrait(_ portrait: Data) async {
        await attempt {
            try await StorageRouter.shared.set(portrait, for: StorageKeys.PortraitKey())
            try await StorageRouter.shared.remove(StorageKeys.PreviewKey())
            portraitByteCount = portrait.count
            previewByteCount = try await preview().count
        }
    }

    /// From the caches; made again where the system has purged them.
    private func preview() async throws -> Data {
        if let preview = try await StorageRouter.shared.value(of: StorageKeys.PreviewKey()) { return preview }
        guard let portrait = try await StorageRouter.shared.value(of: StorageKeys.PortraitKey()) else { return Data() }
        let preview = portrait.prefix(16)
        try await StorageRouter.shared.set(preview, for: StorageKeys.PreviewKey())
        return preview
    }

    func spend(_ expense: Expense) async {
        await attempt {
            expenses = (try await StorageRouter.shared.value(of: StorageKeys.ExpensesKey()) ?? []) + [expense]
            try await StorageRouter.shared.set(expenses, for: StorageKeys.ExpensesKey())
        }
    }

    func buy(_ thing: String) async {
        await attempt {
            shopping = (try await StorageRouter.shared.value(of: StorageKeys.ShoppingKey()) ?? []) + [thing]
            try await StorageRouter.shared.set(shopping, for: StorageKeys.ShoppingKey())
        }
    }
}
