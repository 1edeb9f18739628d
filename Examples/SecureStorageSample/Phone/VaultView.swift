import SwiftUI

struct VaultView: View {
    @State private var model = VaultModel.shared
    @State private var secret = ""

    var body: some View {
        NavigationStack {
            List {
                SecureField("A new secret", text: $secret)
                ForEach(VaultItem.allCases) { item in
                    HStack {
                        VStack(alignment: .leading) {
                            Text(item.rawValue)
                            Text(item.accessibility.rawValue).font(.caption)
                            if let control = item.accessControl { Text(control.rawValue).font(.caption) }
                        }
                        Spacer()
                        if model.stored.contains(item) {
                            Button("Show") { Task { await model.show(item) } }
                            Button("Remove", role: .destructive) { Task { await model.remove(item) } }
                        } else {
                            Button("Save") { Task { await model.save(secret, as: item) } }.disabled(secret.isEmpty)
                        }
                    }
                }
                if let shown = model.shown { Text(shown).font(.body.monospaced()) }
                ProblemView(problem: model.problem)
            }
            .navigationTitle("Vault")
        }
        .task { await model.load() }
        .onDisappear { model.hide() }
    }
}
