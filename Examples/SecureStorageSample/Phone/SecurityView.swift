import SwiftUI

struct SecurityView: View {
    @State private var model = SecurityModel.shared

    var body: some View {
        Form {
            Button("New master key") { Task { await model.rotate() } }
            Button("Seal as declared") { Task { await model.reseal() } }
            Button("Remove old keys") { Task { await model.retire() } }
            Section("To be sealed anew") {
                ForEach(model.due, id: \.self) { Text($0) }
            }
            Section("Old keys are needed by") {
                ForEach(model.keptKeys, id: \.self) { Text($0) }
            }
            ProblemView(problem: model.problem)
        }
        .task { await model.load() }
    }
}

struct AuditView: View {
    @State private var model = AuditModel.shared

    var body: some View {
        NavigationStack {
            List {
                Section("Warnings") { ForEach(model.warnings, id: \.self) { Text($0) } }
                Section("Leaves the device") { ForEach(model.leaving, id: \.self) { Text($0) } }
                Section("Left over") { ForEach(model.leftovers, id: \.self) { Text($0) } }
                Section("Report") { Text(model.text).font(.caption.monospaced()) }
            }
            .navigationTitle("Audit")
        }
        .task { await model.load() }
    }
}
