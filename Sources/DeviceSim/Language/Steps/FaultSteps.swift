import DeviceSimCore
import Foundation
import LocalData

/// Something goes wrong on a device, or stops going wrong.
public struct FaultStep: Sendable, Hashable {
    /// On which device.
    public let device: DeviceID
    /// What goes wrong, or no longer does.
    public let action: Action

    /// A fault of a device.
    public init(_ device: DeviceID, _ action: Action) {
        self.device = device
        self.action = action
    }

    /// What can go wrong.
    public enum Action: Sendable, Hashable {
        /// Operations of the disk fail.
        case disk(DiskOperation, FaultTrigger, ErrnoName)
        /// Operations of the keychain fail.
        case keychain(KeychainOperation, FaultTrigger, KeychainStatus)
        /// Operations of preferences fail.
        case preferences(PreferencesOperation, FaultTrigger, ErrnoName)
        /// Puts a symbolic link at a path of the disk, where nothing is yet.
        case link(at: String, to: String)
        /// Takes back all faults of the disk, the keychain or the preferences.
        case clearDisk
        /// Takes back all faults of the keychain.
        case clearKeychain
        /// Takes back all faults of preferences.
        case clearPreferences
        /// What a power loss leaves of what was not synchronized, from now on.
        case powerLossLeaves(PowerLossRemainder)
        /// How the person answers authentication prompts from now on.
        case person(PersonAnswer)
        /// Changes the stored bytes of a key behind LocalData's back.
        case damage(KeyReference, Damage)
        /// A false snapshot arrives from the counterpart.
        case lie(CounterpartLie, by: LieCarrier = .context)
    }

    /// Which operations of the disk a fault is about.
    public enum DiskOperation: String, Sendable, Hashable, CaseIterable {
        /// One of the calls that LocalData's file system has.
        case create, write, close, rename, read, attributes, remove, exclude, list, createDirectory
        /// Extended attributes of files.
        case setAttribute, readAttribute
        /// What makes a file or a directory durable.
        case syncFile, syncDirectory
        /// Of a file or a directory.
        case sync
        /// Any of them.
        case operation
    }

    /// Which operations of preferences a fault is about.
    public enum PreferencesOperation: String, Sendable, Hashable, CaseIterable {
        /// A value is read or set, the keys of a suite are listed, or changes are handed to the system.
        case read, set, list, sync
        /// Any of them.
        case operation
    }

    /// Which operations of the keychain a fault is about.
    public enum KeychainOperation: String, Sendable, Hashable, CaseIterable {
        /// One of the four calls of SecItem.
        case add, read, update, delete
        /// Any of them.
        case operation
    }

    /// What a person does when asked to authenticate.
    public enum PersonAnswer: String, Sendable, Hashable, CaseIterable {
        /// Is recognized.
        case authenticates
        /// Is not recognized.
        case fails
        /// Dismisses the prompt.
        case cancels
        /// Is not there: the system takes the prompt away after a while.
        case away
    }

    /// What becomes of stored bytes.
    public enum Damage: Sendable, Hashable {
        /// Inverts the last byte.
        case flip
        /// Cuts them off.
        case truncate(toByteCount: Int)
        /// Puts the bytes stored for another key in its place.
        case copy(of: KeyReference)
        /// Puts other bytes in their place.
        case overwrite(ScenarioValue)
        /// Puts a text into the attribute beside a keychain item's secret, as other code of the app may.
        case attribute(String)
    }
}

/// Which of the matching operations fail, counted from the step on.
public enum FaultTrigger: Sendable, Hashable {
    /// The n-th one (1-based), once. The next one is 1.
    case once(Int)
    /// Every one from the n-th on.
    case always(from: Int)
}

/// The `errno`s that a scenario can name. Their numbers are the host's own.
public enum ErrnoName: String, Sendable, Hashable, CaseIterable {
    /// Errors of POSIX by their names, since their numbers differ among hosts.
    case EACCES, EDQUOT, EEXIST, EFBIG, EINTR, EINVAL, EIO, EISDIR, EMFILE, ENAMETOOLONG, ENFILE, ENODEV, ENOENT, ENOSPC, ENOTDIR,
        /// Further errors of POSIX by their names.
        EPERM, EROFS, ESTALE, ETXTBSY

    /// The host's own number of it.
    public var number: Int32 {
        switch self {
        case .EACCES: Foundation.EACCES
        case .EDQUOT: Foundation.EDQUOT
        case .EEXIST: Foundation.EEXIST
        case .EFBIG: Foundation.EFBIG
        case .EINTR: Foundation.EINTR
        case .EINVAL: Foundation.EINVAL
        case .EIO: Foundation.EIO
        case .EISDIR: Foundation.EISDIR
        case .EMFILE: Foundation.EMFILE
        case .ENAMETOOLONG: Foundation.ENAMETOOLONG
        case .ENFILE: Foundation.ENFILE
        case .ENODEV: Foundation.ENODEV
        case .ENOENT: Foundation.ENOENT
        case .ENOSPC: Foundation.ENOSPC
        case .ENOTDIR: Foundation.ENOTDIR
        case .EPERM: Foundation.EPERM
        case .EROFS: Foundation.EROFS
        case .ESTALE: Foundation.ESTALE
        case .ETXTBSY: Foundation.ETXTBSY
        }
    }
}

extension Vocabulary {
    static let faults: [Form] = [
        disk(
            "DEVICE disk fails next DISK-OPERATION with ERRNO", "fails the next one, once",
            example: "phone disk fails next write with ENOSPC"
        ) { _ in .once(1) },
        disk(
            "DEVICE disk fails DISK-OPERATION COUNT with ERRNO", "fails the n-th one from now, once",
            example: "phone disk fails sync 2 with EIO"
        ) { $0.count().map { .once($0) } },
        disk(
            "DEVICE disk fails every DISK-OPERATION [from COUNT] with ERRNO", "fails them all, or from the n-th on",
            example: "phone disk fails every rename with EIO"
        ) { .always(from: $0.count() ?? 1) },
        Form(
            .fault, "DEVICE disk links STRING to STRING",
            "puts a symbolic link where nothing is yet; from then on the first path leads to the second",
            example: "phone disk links \"/Containers/Shared/AppGroup/group.app/old\" to \"/Containers/Shared/AppGroup/group.app/Documents\""
        ) { match in
            guard let path = match.string(0), let destination = match.string(1) else { return nil }
            return step(match, .link(at: path, to: destination))
        },
        diagnose("DEVICE disk works", "takes back all faults of the disk", example: "phone disk works", .clearDisk),
        keychain(
            "DEVICE keychain fails next KEYCHAIN-OPERATION with STATUS", "fails the next one, once",
            example: "phone keychain fails next add with errSecNotAvailable"
        ) { _ in .once(1) },
        keychain(
            "DEVICE keychain fails KEYCHAIN-OPERATION COUNT with STATUS", "fails the n-th one from now, once",
            example: "phone keychain fails read 2 with errSecIO"
        ) { $0.count().map { .once($0) } },
        keychain(
            "DEVICE keychain fails every KEYCHAIN-OPERATION [from COUNT] with STATUS", "fails them all, or from the n-th on",
            example: "phone keychain fails every operation with errSecMissingEntitlement"
        ) { .always(from: $0.count() ?? 1) },
        diagnose("DEVICE keychain works", "takes back all faults of the keychain", example: "phone keychain works", .clearKeychain),
        preferences(
            "DEVICE preferences fail next PREFERENCES-OPERATION with ERRNO", "fails the next one, once",
            example: "phone preferences fail next set with EIO"
        ) { _ in .once(1) },
        preferences(
            "DEVICE preferences fail PREFERENCES-OPERATION COUNT with ERRNO", "fails the n-th one from now, once",
            example: "phone preferences fail read 2 with EIO"
        ) { $0.count().map { .once($0) } },
        preferences(
            "DEVICE preferences fail every PREFERENCES-OPERATION [from COUNT] with ERRNO", "fails them all, or from the n-th on",
            example: "phone preferences fail every sync with ENOSPC"
        ) { .always(from: $0.count() ?? 1) },
        diagnose(
            "DEVICE preferences work", "takes back all faults of the preferences", example: "phone preferences work", .clearPreferences),
        Form(
            .fault, "DEVICE power loss leaves REMAINDER",
            "what a power loss leaves of what was not synchronized, from now on; otherwise `nothing`",
            example: "phone power loss leaves garbage"
        ) { match in match.word(.remainder).flatMap { PowerLossRemainder(rawValue: $0) }.flatMap { step(match, .powerLossLeaves($0)) } },
        lie(
            "DEVICE is lied to about LIE",
            "a false context arrives, made of the counterpart's last one, as of a counterpart that is broken or lies",
            example: "phone is lied to about counters", .context),
        lie(
            "DEVICE is lied to about LIE by message", "the same arrives as a message that wants no reply",
            example: "phone is lied to about counters by message", .message),
        lie(
            "DEVICE is lied to about LIE by user info", "the same arrives as a user info",
            example: "phone is lied to about counters by user info", .userInfo),
        lie(
            "DEVICE is lied to about LIE by next reply", "the same arrives in the place of the next reply to a message of the app",
            example: "watch is lied to about counters by next reply", .nextReply),
        diagnose(
            "DEVICE person authenticates", "the person answers authentication prompts", example: "phone person authenticates",
            .person(.authenticates)),
        diagnose("DEVICE person fails", "the person fails authentication prompts", example: "phone person fails", .person(.fails)),
        diagnose("DEVICE person cancels", "the person cancels authentication prompts", example: "phone person cancels", .person(.cancels)),
        diagnose("DEVICE person is away", "nobody answers authentication prompts", example: "phone person is away", .person(.away)),
        damage("DEVICE damage KEY", "inverts the last byte of what is stored", example: "phone damage token") { _ in .flip },
        damage("DEVICE truncate KEY to BYTES", "cuts what is stored", example: "phone truncate token to 10 bytes") {
            $0.count(.bytes).map { .truncate(toByteCount: $0) }
        },
        damage(
            "DEVICE overwrite attribute of KEY with STRING",
            "other code of the app puts a text into the attribute `kSecAttrGeneric` of the keychain item",
            example: "phone overwrite attribute of token with \"com.example.app.tokenkey\""
        ) { $0.string().map { .attribute($0) } },
        Form(
            .fault, "DEVICE overwrite KEY with VALUE", "puts other bytes in its place: data, or the bytes of a text",
            example: "phone overwrite token with data(64 bytes)"
        ) { match in
            guard let value = match.value(), let capture = match.capture(.value), let key = match.key() else { return nil }
            switch value {
            case .data, .string: return step(match, .damage(key, .overwrite(value)))
            default:
                match.diagnose(
                    capture.range, "what is stored is bytes, and this is \(value.kindName)",
                    hint: "write `data(64 bytes)`, `base64(\"…\")` or a text")
                return nil
            }
        },
        Form(
            .fault, "DEVICE copy KEY over KEY", "puts the bytes stored for the first key in the place of the second",
            example: "phone copy token over secret"
        ) { match in
            guard let source = match.key(0), let target = match.key(1) else { return nil }
            return step(match, .damage(target, .copy(of: source)))
        },
    ]

    private static func disk(
        _ pattern: String, _ help: String, example: String, _ trigger: @escaping @Sendable (Match) -> FaultTrigger?
    ) -> Form {
        Form(.fault, pattern, help, example: example) { match in
            guard let operation = match.word(.diskOperation).flatMap({ FaultStep.DiskOperation(rawValue: $0) }),
                let number = match.word(.errno).flatMap({ ErrnoName(rawValue: $0) }), let trigger = trigger(match)
            else { return nil }
            return step(match, .disk(operation, trigger, number))
        }
    }

    private static func preferences(
        _ pattern: String, _ help: String, example: String, _ trigger: @escaping @Sendable (Match) -> FaultTrigger?
    ) -> Form {
        Form(.fault, pattern, help, example: example) { match in
            guard let operation = match.word(.preferencesOperation).flatMap({ FaultStep.PreferencesOperation(rawValue: $0) }),
                let number = match.word(.errno).flatMap({ ErrnoName(rawValue: $0) }), let trigger = trigger(match)
            else { return nil }
            return step(match, .preferences(operation, trigger, number))
        }
    }

    private static func keychain(
        _ pattern: String, _ help: String, example: String, _ trigger: @escaping @Sendable (Match) -> FaultTrigger?
    ) -> Form {
        Form(.fault, pattern, help, example: example) { match in
            guard let operation = match.word(.keychainOperation).flatMap({ FaultStep.KeychainOperation(rawValue: $0) }),
                let name = match.word(.status).flatMap({ KeychainStatusName(rawValue: $0) }), let trigger = trigger(match)
            else { return nil }
            return step(match, .keychain(operation, trigger, name.status))
        }
    }

    private static func damage(
        _ pattern: String, _ help: String, example: String, _ damage: @escaping @Sendable (Match) -> FaultStep.Damage?
    ) -> Form {
        Form(.fault, pattern, help, example: example) { match in
            guard let key = match.key(), let damage = damage(match) else { return nil }
            return step(match, .damage(key, damage))
        }
    }

    private static func lie(_ pattern: String, _ help: String, example: String, _ carrier: LieCarrier) -> Form {
        Form(.fault, pattern, help, example: example) { match in
            match.word(.lie).flatMap { CounterpartLie(rawValue: $0) }.flatMap { step(match, .lie($0, by: carrier)) }
        }
    }

    private static func diagnose(_ pattern: String, _ help: String, example: String, _ action: FaultStep.Action) -> Form {
        Form(.fault, pattern, help, example: example) { step($0, action) }
    }

    private static func step(_ match: Match, _ action: FaultStep.Action) -> Meaning? {
        match.device.map { .step(.fault(FaultStep($0, action))) }
    }
}

extension FaultStep.Action {
    /// Without the device.
    var notation: String {
        switch self {
        case .disk(let operation, let trigger, let number): "disk fails \(trigger.notation(operation.rawValue)) with \(number.rawValue)"
        case .keychain(let operation, let trigger, let status):
            "keychain fails \(trigger.notation(operation.rawValue)) with \(KeychainStatusName(status)?.rawValue ?? "errSecIO")"
        case .clearDisk: "disk works"
        case .clearKeychain: "keychain works"
        case .preferences(let operation, let trigger, let number):
            "preferences fail \(trigger.notation(operation.rawValue)) with \(number.rawValue)"
        case .clearPreferences: "preferences work"
        case .powerLossLeaves(let remainder): "power loss leaves \(remainder.rawValue)"
        case .lie(let lie, .context): "is lied to about \(lie.rawValue)"
        case .lie(let lie, let carrier): "is lied to about \(lie.rawValue) by \(carrier.rawValue)"
        case .person(.away): "person is away"
        case .person(let answer): "person \(answer.rawValue)"
        case .link(let path, let destination): "disk links \(ScenarioValue.quoted(path)) to \(ScenarioValue.quoted(destination))"
        case .damage(let key, .flip): "damage \(key.identifier)"
        case .damage(let key, .truncate(let count)): "truncate \(key.identifier) to \(count.bytesNotation)"
        case .damage(let key, .copy(let source)): "copy \(source.identifier) over \(key.identifier)"
        case .damage(let key, .attribute(let text)): "overwrite attribute of \(key.identifier) with \(ScenarioValue.quoted(text))"
        case .damage(let key, .overwrite(let value)): "overwrite \(key.identifier) with \(value.notation)"
        }
    }
}

extension FaultTrigger {
    fileprivate func notation(_ operation: String) -> String {
        switch self {
        case .once(1): "next \(operation)"
        case .once(let number): "\(operation) \(number)"
        case .always(1): "every \(operation)"
        case .always(let number): "every \(operation) from \(number)"
        }
    }
}
