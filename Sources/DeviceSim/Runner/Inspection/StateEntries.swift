import DeviceSimCore

/// What a device was like, as lines that a page can show and compare: a group, a name, and what is to be said.
package enum StateEntries {
    package typealias Entry = (group: String, name: String, text: String)

    package static func of(_ device: DeviceSnapshot, in look: RunSnapshot) -> [Entry] {
        keys(device) + pending(device) + held(device) + app(device) + hardware(device, look) + session(device) + stored(device)
    }

    private static func hardware(_ device: DeviceSnapshot, _ look: RunSnapshot) -> [Entry] {
        var entries: [Entry] = [("device", "link", look.isLinkUp ? "up" : "down")]
        entries.append(("device", "power", device.isPoweredOn ? "on" : "off"))
        let lock =
            switch device.lock {
            case .beforeFirstUnlock: "before first unlock"
            case .locked: "locked"
            case .unlocked: "unlocked"
            }
        entries.append(("device", "lock", lock))
        if !device.hasPasscode { entries.append(("device", "passcode", "none")) }
        if device.clockSkew != .zero { entries.append(("device", "clock", "ahead by \(device.clockSkew)")) }
        if device.id.isPhone, look.devices.count > 2 { entries.append(("device", "active watch", "\(look.activeWatch)")) }
        return entries
    }

    private static func app(_ device: DeviceSnapshot) -> [Entry] {
        let app = device.app
        let state = app.isInstalled ? app.state.map { "\($0.rawValue) #\(app.process ?? 0)" } ?? "not running" : "not installed"
        return [("app", "state", state), ("app", "version", app.version)] + (device.widget.map { [("app", "widget", $0.rawValue)] } ?? [])
    }

    private static func session(_ device: DeviceSnapshot) -> [Entry] {
        device.session.map { fact in
            switch fact.value {
            case .text(let text): ("session", fact.name, text)
            case .number(let number): ("session", fact.name, "\(number)")
            case .flag(let flag): ("session", fact.name, "\(flag)")
            case .list(let list): ("session", fact.name, list.isEmpty ? "empty" : list.joined(separator: " "))
            }
        }
    }

    private static func held(_ device: DeviceSnapshot) -> [Entry] {
        device.held.map { item in
            let way = item.place == .arrived ? "from" : "to"
            var text = item.place.rawValue
            if item.byteCount > 0 { text += ", \(Self.bytes(item.byteCount))" }
            if !item.summary.isEmpty { text += ": " + item.summary }
            return ("in transit", "\(item.channel.rawValue) \(item.number) \(way) \(item.counterpart)", text)
        }
    }

    private static func pending(_ device: DeviceSnapshot) -> [Entry] {
        guard let pending = device.pending else { return [] }
        return pending.map { ("to be sent", $0.key, $0.because) }
    }

    private static func keys(_ device: DeviceSnapshot) -> [Entry] {
        device.keys.map { key in
            var text: String
            switch key.content {
            case .missing: text = "missing"
            case .unreadable(let error): text = "unreadable: \(error)"
            case .stored(let mark, let isOpened, let bytes, let value):
                text = "\(letters(mark)) \(value ?? Self.bytes(bytes))" + (isOpened ? "" : ", not opened")
            }
            if let version = key.version {
                text +=
                    " v\(version.announcedCounter ?? version.counter) of \((version.announcedWriter ?? version.writer).split(separator: ".").first ?? "")"
                if version.announcedCounter != nil {
                    text += ", announced"
                } else if version.content != .value {
                    text += ", \(version.content.rawValue)"
                }
                if version.isReduced { text += ", smaller form" }
            }
            return ("keys", key.identifier, text)
        }
    }

    private static func stored(_ device: DeviceSnapshot) -> [Entry] {
        device.stored.map { thing in
            let group =
                switch thing.kind {
                case .file: "files"
                case .preference: "preferences"
                case .keychain: "keychain"
                }
            var text = "content \(thing.content), \(Self.bytes(thing.bytes))"
            if !thing.protection.isEmpty { text += ", \(thing.protection)" }
            if !thing.isSynchronized { text += ", a power loss takes it" }
            return (group, thing.name, text)
        }
    }

    /// 1 is A, 26 is Z, 27 is AA.
    package static func letters(_ number: Int) -> String {
        var rest = number
        var text = ""
        while rest > 0 {
            let (quotient, remainder) = (rest - 1).quotientAndRemainder(dividingBy: 26)
            text = String(UnicodeScalar(UInt8(ascii: "A") + UInt8(remainder))) + text
            rest = quotient
        }
        return text
    }

    private static func bytes(_ count: Int) -> String { count == 1 ? "1 byte" : "\(count) bytes" }
}
