import SwiftUI

struct SyncView: View {
    @State private var model = SyncModel.shared

    var body: some View {
        Form {
            Button(model.syncsJournal ? "Keep the journal on this device" : "Journal on both devices") {
                Task { await model.setSyncsJournal(!model.syncsJournal) }
            }
            Button("Send the profile") { Task { await model.send() } }
            Section("Waiting") {
                ForEach(model.waiting, id: \.self) { Text($0) }
            }
            ProblemView(problem: model.problem)
        }
        .task { await model.load() }
    }
}
