import SwiftUI

struct DocumentsView: View {
    @State private var model = DocumentsModel.shared
    @State private var thing = ""
    @State private var purpose = ""

    var body: some View {
        Form {
            Section("Pictures") {
                Text("Scan of the passport: \(model.scanByteCount) bytes")
                Text("Portrait: \(model.portraitByteCount) bytes")
                Text("Preview: \(model.previewByteCount) bytes")
            }
            Section("Shopping") {
                ForEach(model.shopping, id: \.self) { Text($0) }
                TextField("What else?", text: $thing)
                Button("Add") { Task { await model.buy(thing) } }
            }
            Section("Expenses") {
                ForEach(Array(model.expenses.enumerated()), id: \.offset) { _, expense in
                    Text("\(expense.cents) \(expense.purpose)")
                }
                TextField("What for?", text: $purpose)
                Button("Add 10.00") { Task { await model.spend(Expense(cents: 1000, purpose: purpose)) } }
            }
            ProblemView(problem: model.problem)
        }
        .task { await model.load() }
    }
}
