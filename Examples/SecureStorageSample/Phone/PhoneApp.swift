import SwiftUI

@main
struct SecureStorageSampleApp: App {
    @UIApplicationDelegateAdaptor private var delegate: PhoneDelegate

    var body: some Scene {
        WindowGroup {
            TabView {
                SettingsView().tabItem { Label("Settings", systemImage: "gear") }
                VaultView().tabItem { Label("Vault", systemImage: "key") }
                JournalView().tabItem { Label("Journal", systemImage: "book") }
                DocumentsView().tabItem { Label("Documents", systemImage: "doc") }
                DiaryView().tabItem { Label("Diary", systemImage: "lock") }
                SyncView().tabItem { Label("Watch", systemImage: "applewatch") }
                SecurityView().tabItem { Label("Keys", systemImage: "key.rotate") }
                AuditView().tabItem { Label("Audit", systemImage: "checklist") }
            }
        }
    }
}

/// What went wrong last, where something did.
struct ProblemView: View {
    let problem: String?

    var body: some View {
        if let problem { Text(problem).foregroundStyle(.red) }
    }
}
