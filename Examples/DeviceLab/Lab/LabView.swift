import SwiftUI

/// The probes of this device, what is asked for, and where the log is.
struct LabView: View {
    @State private var model = LabModel.shared

    var body: some View {
        List {
            if let request = model.request {
                Text(request).font(.headline)
                Button("Done") { model.confirm() }
            }
            if let problem = model.problem { Text(problem).foregroundStyle(.red) }
            ForEach(model.probes, id: \.name) { probe in
                Button("\(probe.name): \(model.states[probe.name]?.rawValue ?? "not run")") { model.run(probe.name) }
                Text(probe.title).font(.caption)
            }
            Text("Log: \(model.recorder.log.lastPathComponent)").font(.caption)
        }
    }
}
