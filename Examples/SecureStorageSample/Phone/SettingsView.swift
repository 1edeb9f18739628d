import SwiftUI

struct SettingsView: View {
    @State private var model = SettingsModel.shared
    @State private var first = ""
    @State private var last = ""
    @State private var time = ""

    var body: some View {
        Form {
            Section("Appearance") {
                ForEach(Theme.allCases, id: \.self) { theme in
                    Button(theme.rawValue) { Task { await model.choose(theme) } }.disabled(theme == model.theme)
                }
            }
            Section("Profile") {
                TextField("First name", text: $first)
                TextField("Last name", text: $last)
                Button("Save") { Task { await model.rename(first: first, last: last) } }
            }
            Section("Goal") {
                Text("\(model.goal) entries a day")
                Button("More") { Task { await model.setGoal(model.goal + 1) } }
                Button("Fewer") { Task { await model.setGoal(model.goal - 1) } }.disabled(model.goal == 0)
            }
            Section("Reminders") {
                ForEach(model.reminders, id: \.self) { Text($0) }
                TextField("When?", text: $time)
                Button("Add") { Task { await model.setReminders(model.reminders + [time]) } }
            }
            ProblemView(problem: model.problem)
        }
        .task {
            await model.load()
            first = model.profile.firstName
            last = model.profile.lastName
        }
    }
}
