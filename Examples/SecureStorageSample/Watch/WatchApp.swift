import SwiftUI

@main
struct SecureStorageSampleWatchApp: App {
    @WKApplicationDelegateAdaptor private var delegate: WatchDelegate

    var body: some Scene {
        WindowGroup {
            TabView {
                WatchJournalView()
                WatchSettingsView()
                WatchVaultView()
            }
        }
    }
}

struct WatchJournalView: View {
    @State private var model = JournalModel.shared
    @State private var text = ""

    var body: some View {
        List {
            ForEach(model.entries, id: \.self) { Text($0) }
            TextField("What happened?", text: $text)
            Button("Add") {
                Task {
                    await model.add(text)
                    text = ""
                }
            }
            if let problem = model.problem { Text(problem).foregroundStyle(.red) }
        }
    }
}

struct WatchSettingsView: View {
    @State private var model = SettingsModel.shared
    @State private var documents = DocumentsModel.shared

    var body: some View {
        List {
            Text("\(model.profile.firstName) \(model.profile.lastName)")
            Text("Theme: \(model.theme.rawValue)")
            Text("\(model.goal) entries a day")
            Button(model.haptics ? "Haptics off" : "Haptics on") { Task { await model.setHaptics(!model.haptics) } }
            ForEach(documents.shopping, id: \.self) { Text($0) }
        }
        .task {
            await model.load()
            await documents.load()
        }
    }
}

struct WatchVaultView: View {
    @State private var model = VaultModel.shared

    var body: some View {
        VStack {
            if let shown = model.shown { Text(shown).font(.title) }
            Button("Show the code") { Task { await model.showUnlockCode() } }
            if let problem = model.problem { Text(problem).foregroundStyle(.red) }
        }
        .onDisappear { model.hide() }
    }
}
