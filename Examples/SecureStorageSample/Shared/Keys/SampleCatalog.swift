import LocalData

/// Everything that the app stores. What is not listed is refused, so nothing is stored that nobody knows of.
struct SampleCatalog: StorageKeyCatalog {
    var allKeys: [AnyStorageKey] {
        settings + vault + documents
    }

    private var settings: [AnyStorageKey] {
        [
            .key(StorageKeys.ThemeKey()), .key(StorageKeys.ProfileKey()), .key(StorageKeys.GoalKey()), .key(StorageKeys.RemindersKey()),
            .key(StorageKeys.HapticsKey()),
        ]
    }

    private var vault: [AnyStorageKey] {
        VaultItem.allCases.map { .key(StorageKeys.VaultKey(item: $0)) } + [
            .key(StorageKeys.AccountTokenKey()), .key(StorageKeys.UnlockCodeKey()),
        ]
    }

    private var documents: [AnyStorageKey] {
        [
            .key(StorageKeys.JournalKey()), .key(StorageKeys.ScanKey()), .key(StorageKeys.PreviewKey()), .key(StorageKeys.PortraitKey()),
            .key(StorageKeys.ExpensesKey()), .key(StorageKeys.ShoppingKey()), .key(StorageKeys.ExportKey()), .key(StorageKeys.DiaryKey()),
            .key(StorageKeys.TeamNoteKey()),
        ]
    }

    /// Names that are made at run time: the placeholder stands for all of them.
    static var allKeys: [StorageKeyDescriptor] {
        [.from(StorageKeys.DraftKey(id: "<entry>"), notes: "one for each entry that is not finished")]
    }
}
