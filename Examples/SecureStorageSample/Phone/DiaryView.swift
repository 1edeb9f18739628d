import SwiftUI

struct DiaryView: View {
    @State private var model = DiaryModel.shared
    @State private var passphrase = ""
    @State private var text = ""

    var body: some View {
        Form {
            if model.text == nil {
                SecureField("Passphrase, 16 characters or more", text: $passphrase)
                Button("Open") {
                    Task {
                        await model.open(with: passphrase)
                        passphrase = ""
                        text = model.text ?? ""
                    }
                }
            } else {
                TextField("Dear diary", text: $text)
                Button("Save") { Task { await model.write(text) } }
                Button("Close") { Task { await model.close() } }
            }
            Section("Team") { Text(model.teamNote ?? "") }
            ProblemView(problem: model.problem)
        }
        .task { await model.loadTeamNote() }
    }
}
