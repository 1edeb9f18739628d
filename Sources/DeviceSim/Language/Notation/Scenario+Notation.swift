import DeviceSimCore

extension Scenario {
    /// The scenario as a file in canonical layout; compiled, it gives an equal scenario but for its header, name and places.
    ///
    /// Includes, variables and examples are gone: this is the one run that they made.
    /// - Parameter header: The comment block at the head, without the `#`.
    public func notation(header: [String]) -> String {
        var lines = header.map { $0.isEmpty ? "#" : "# \($0)" } + [""]
        lines += catalogs.map { "catalog \($0)" }
        for key in keys {
            if let notation = key.notation { lines += [notation] }
        }
        let settings = start.notation + knobs.notation + (seed.map { ["seed \($0)"] } ?? []) + (order.map { ["order \"\($0)\""] } ?? [])
        if !settings.isEmpty { lines += [""] + settings }
        var phase: String?
        lines.append("")
        for step in steps {
            if step.phase != phase, let next = step.phase { lines += ["", "# \(next)"] }
            phase = step.phase
            lines.append(step.action.notation)
        }
        let text = lines.joined(separator: "\n") + "\n"
        guard let source = try? SourceText(path: path, bytes: Array(text.utf8)),
            case .success(let formatted) = ScenarioFormatter.format(source)
        else { return text }
        return formatted
    }
}

extension Knobs {
    /// The `knob` lines: what differs from the defaults.
    var notation: [String] {
        let plain = Knobs()
        return Self.table.filter { self[$0] != plain[$0] }.map { "knob \($0.name) \(self[$0])" }
    }
}
