import SwiftUI

struct JournalView: View {
    @State private var model = JournalModel.shared
    @State private var text = ""

    var body: some View {
        NavigationStack {
            List {
                ForEach(model.entries, id: \.self) { Text($0) }
                Section("Today") {
                    TextField("What happened?", text: $text)
                    Button("Keep") { Task { await model.keepDraft(text, of: "today") } }
                    Button("Add") {
                        Task {
                            await model.keepDraft(text, of: "today")
                            await model.finishDraft(of: "today")
                            text = model.draft
                        }
                    }
                }
                ProblemView(problem: model.problem)
            }
            .navigationTitle("Journal")
            .toolbar { Button("Export") { Task { await model.export() } } }
        }
        .task {
            await model.loadDraft(of: "today")
            text = model.draft
        }
    }
}
