import DeviceSimCore
import DeviceSimLanguage

/// A step of a kind, made in a situation: the form's example, behind what leads there.
struct StepProposal {
    let form: Form
    let isOfWidget: Bool

    /// All kinds of steps there are.
    static let all: [StepProposal] = {
        let steps = Vocabulary.forms.filter { form in
            [.device, .link, .session, .transfer, .data, .fault, .time].contains(form.topic)
        }
        return steps.flatMap { form -> [StepProposal] in
            let hasBoth = form.pattern.text.contains("[widget]")
            let isWidgets = form.pattern.text.hasPrefix("DEVICE widget ")
            return [StepProposal(form: form, isOfWidget: isWidgets)] + (hasBoth ? [StepProposal(form: form, isOfWidget: true)] : [])
        }
    }()

    var kind: String { form.stepKind(isOfWidget: isOfWidget) }

    /// The example, of the app or of the widget.
    private var example: [String] {
        if form.pattern.text == "together" { return ["together", "    phone set theme \"dark\"", "    phone set theme \"light\""] }
        // `fails locked` and the like say what comes of it elsewhere.
        var line = form.example
        if let place = line.range(of: " fails "), form.pattern.text.contains("OUTCOME") { line = String(line[..<place.lowerBound]) }
        if let place = line.range(of: " crashes at "), form.pattern.text.contains("OUTCOME") { line = String(line[..<place.lowerBound]) }
        line = line.replacing("oldTheme", with: "theme").replacing("copy token over secret", with: "copy note over secret")
        if form.pattern.text.contains("[widget]") {
            line = line.replacing(" widget ", with: " ")
            if isOfWidget, let space = line.firstIndex(of: " ") { line.replaceSubrange(space...space, with: " widget ") }
        }
        return [line]
    }

    /// The device that makes it; the phone for one that none makes.
    private var device: String { example[0].hasPrefix("watch") && !example[0].hasPrefix("watch2") ? "watch" : "phone" }

    /// What the example speaks of and another step must have made.
    private var prelude: [String] {
        let line = example[0]
        var lines: [String] = []
        if line.contains("watch2") || line.hasPrefix("phone switches") { lines.append("start second watch") }
        if line.contains(" registers ") {
            lines += ["start \(device) registers Scenario later", "\(device == "phone" ? "watch" : "phone") set theme \"light\""]
        }
        if line.contains(" cancel t1") { lines.append("phone transfer user info {\"n\": 1} as t1") }
        if line.contains("snapshot old") {
            // One's own is refused.
            lines.append("\(device == "phone" ? "watch" : "phone") take snapshot as old")
        }
        if line.contains(" app does \"") { lines.append("start devices with app answers-by-context") }
        if line.contains("from monday") { lines.append("\(device) backup as monday") }
        if line.contains("file \"Documents/photo\"") && line.contains("transfer") {
            lines.append("\(device) write file \"Documents/photo\" data(100 bytes)")
        }
        if line.contains("is lied to") { lines += ["\(device == "phone" ? "watch" : "phone") set theme \"light\"", "settle"] }
        if line.hasSuffix(" ends") { lines.append(line.replacing(" ends", with: " starts")) }
        if line.contains("complication loads") { lines.append("\(device) complication on") }
        for key in ["token", "secret", "note"]
        where line.contains("get \(key)") || line.contains("damage \(key)") || line.contains("truncate \(key)")
            || line.contains("overwrite") && line.contains(key) || line.contains("copy \(key)")
        {
            lines.append("\(device) set \(key) \"a765f-61cd\"")
        }
        return lines
    }

    /// - Parameter situation: `nil`: as scenarios start.
    func scenario(in situation: StepSituation?) -> ProposedScenario {
        let situated = situation.map { Self.leading(to: $0, on: device, isOfWidget: isOfWidget) } ?? []
        let own = isOfWidget && situation == nil && !example[0].hasSuffix("widget launch") ? ["\(device) widget launch"] : []
        let title = "\(kind)\(situation.map { ": \($0.name)" } ?? "")"
        let proposed = ProposedScenario(title: title, lines: prelude + own + situated + example)
        return form.pattern.text.contains("OUTCOME") ? proposed.withItsOutcome : proposed
    }

    private static func leading(to situation: StepSituation, on device: String, isOfWidget: Bool) -> [String] {
        let part = isOfWidget ? "\(device) widget" : device
        let launches = isOfWidget ? "\(device) widget launch" : "\(device) launch in background"
        var lines: [String] = []
        switch situation.link {
        case .up: break
        case .down: lines.append("link down")
        case .unpaired: lines.append("devices unpair")
        }
        switch (situation.lock, situation.app) {
        case (_, .notInstalled): lines.append("\(device) uninstall")
        case (.beforeFirstUnlock, _), (.off, _): break
        case (_, .notRunning): if !isOfWidget { lines.append("\(device) terminate") }
        case (.unlocked, .background) where !isOfWidget, (.unlocked, .suspended) where !isOfWidget: lines.append("\(device) background")
        default: break
        }
        switch situation.lock {
        case .off: lines.append("\(device) power off")
        case .beforeFirstUnlock: lines.append("\(device) reboot")
        case .locked: lines.append("\(device) lock")
        case .unlocked: break
        }
        let runs = situation.app == .background || situation.app == .suspended
        if runs, isOfWidget || situation.lock == .beforeFirstUnlock { lines.append(launches) }
        if situation.app == .suspended { lines.append("\(part) suspend") }
        return lines
    }

    /// The situations in which such a step can be made, as far as ``scenario(in:)`` leads there.
    var situations: [StepSituation] {
        StepSituation.all.filter { situation in
            // A watch that is unpaired is erased, and a widget shows nothing of itself.
            if situation.link == .unpaired, device == "watch" { return false }
            if isOfWidget, situation.app == .foreground { return false }
            return StepNeed.of(self).isMet(in: situation)
        }
    }
}
