import DeviceSimCore

extension Scenario {
    /// Who is to be asked for what goes wrong, where devices run an app of the catalogue: such an app syncs by code of its own. `nil` where none does.
    package var noteOnApps: String? {
        let devices: [(DeviceID, String)] = ([.phone, .watch] + (start.watch2 == nil ? [] : [.watch2])).compactMap { device in
            start[device].app.map { (device, $0) }
        }
        guard let first = devices.first else { return nil }
        let whose = "whose own code decides what it sends and what it keeps: it hands LocalData nothing of what it receives"
        guard devices.contains(where: { $0.1 != first.1 }) else {
            let names = devices.map { "the \($0.0)" }.joined(separator: " and ")
            return "\(names) run\(devices.count == 1 ? "s" : "") the app `\(first.1)`, \(whose)"
        }
        return devices.map { "the \($0.0) runs the app `\($0.1)`" }.joined(separator: " and ") + ", \(whose)"
    }
}
