#if canImport(Security)
    import Foundation
    import Security
    #if os(iOS) || os(macOS)
        import LocalAuthentication
    #endif

    /// The system's keychain: each call is one SecItem call.
    ///
    /// The access control of an item cannot be read back from the system, so items that are returned carry none.
    struct SecItemKeychain: KeychainStore {
        private let own: OwnAccessGroup

        /// - Parameter bundleIdentifier: Of the process, which names its own access group.
        init(bundleIdentifier: String) {
            own = OwnAccessGroup(bundleIdentifier: bundleIdentifier)
        }

        var ownAccessGroup: String? { own.name }

        /// An item without a group goes into the process's own. The system's default is the first group of the Keychain Sharing capability, which
        /// other apps of the team may have too. Where the own group cannot be told for now, nothing is added.
        func add(_ item: KeychainItem) -> KeychainStatus {
            guard item.accessGroup == nil else { return add(item, to: item.accessGroup) }
            let (told, group) = own.lookup
            guard told == .success else { return told }
            guard let name = group else { return add(item, to: nil) }
            let status = add(item, to: name)
            return status == .missingEntitlement ? add(item, to: nil) : status
        }

        private func add(_ item: KeychainItem, to accessGroup: String?) -> KeychainStatus {
            var attributes = primaryKey(
                service: item.service, account: item.account, accessGroup: accessGroup, isSynchronizable: item.isSynchronizable)
            attributes[kSecValueData] = item.data
            if let generic = item.generic { attributes[kSecAttrGeneric] = generic }
            guard protect(&attributes, accessibility: item.accessibility, accessControl: item.accessControl) else {
                return KeychainStatus(rawValue: errSecParam)
            }
            return KeychainStatus(rawValue: SecItemAdd(attributes as CFDictionary, nil))
        }

        func copyMatching(_ query: KeychainQuery) -> (status: KeychainStatus, items: [KeychainItem]) {
            var attributes = matching(query)
            attributes[kSecReturnAttributes] = true
            attributes[kSecReturnData] = query.returnsData
            attributes[kSecMatchLimit] = query.matchesAll ? kSecMatchLimitAll : kSecMatchLimitOne
            var result: CFTypeRef?
            let status = KeychainStatus(rawValue: SecItemCopyMatching(attributes as CFDictionary, &result))
            guard status == .success else { return (status, []) }
            // One dictionary for one match, an array of them for all.
            let found: [[String: Any]] =
                if let dictionary = result as? [String: Any] { [dictionary] } else { result as? [[String: Any]] ?? [] }
            let items = found.map(item).sorted { ($0.service, $0.account) < ($1.service, $1.account) }
            return (status, items)
        }

        func update(_ query: KeychainQuery, to change: KeychainChange) -> KeychainStatus {
            var attributes: [CFString: Any] = [:]
            if let data = change.data { attributes[kSecValueData] = data }
            if let generic = change.generic { attributes[kSecAttrGeneric] = generic }
            if let accessGroup = change.accessGroup { attributes[kSecAttrAccessGroup] = accessGroup }
            if change.accessibility != nil || change.accessControl != nil || change.removesAccessControl {
                var accessibility = change.accessibility
                if accessibility == nil {
                    // Access control includes an accessibility; one that is to stay has to be looked up.
                    var current = query
                    current.returnsData = false
                    current.matchesAll = false
                    let (status, items) = copyMatching(current)
                    guard status == .success else { return status }
                    accessibility = items.first?.accessibility
                }
                guard
                    protect(
                        &attributes, accessibility: accessibility ?? .whenUnlocked, accessControl: change.accessControl,
                        removesAccessControl: change.removesAccessControl)
                else { return KeychainStatus(rawValue: errSecParam) }
            }
            let status = SecItemUpdate(matching(query) as CFDictionary, attributes as CFDictionary)
            guard status == errSecParam, change.removesAccessControl, change.accessControl == nil, let accessibility = change.accessibility,
                isKnownToBeUnbound(query)
            else { return KeychainStatus(rawValue: status) }
            // A system that takes no access control without flags. This item has none that would have to go.
            attributes[kSecAttrAccessControl] = nil
            attributes[kSecAttrAccessible] = accessibility.attribute
            return KeychainStatus(rawValue: SecItemUpdate(matching(query) as CFDictionary, attributes as CFDictionary))
        }

        /// Whether LocalData noted beside the item that it is bound to nobody.
        private func isKnownToBeUnbound(_ query: KeychainQuery) -> Bool {
            var current = query
            (current.returnsData, current.matchesAll, current.allowsInteraction) = (false, false, false)
            guard let note = copyMatching(current).items.first?.generic.map(KeychainItemMetadata.init(stored:)) else { return false }
            return note.isMarked && note.accessControl == nil
        }

        func delete(_ query: KeychainQuery) -> KeychainStatus {
            KeychainStatus(rawValue: SecItemDelete(matching(query) as CFDictionary))
        }

        private func primaryKey(
            service: String?, account: String?, accessGroup: String?, isSynchronizable: Bool
        ) -> [CFString: Any] {
            var attributes: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword,
                kSecAttrSynchronizable: isSynchronizable,
                // On a Mac the keychain of the other systems, not the file-based one with its own rules.
                kSecUseDataProtectionKeychain: true,
            ]
            if let service { attributes[kSecAttrService] = service }
            if let account { attributes[kSecAttrAccount] = account }
            if let accessGroup { attributes[kSecAttrAccessGroup] = accessGroup }
            return attributes
        }

        private func matching(_ query: KeychainQuery) -> [CFString: Any] {
            var attributes = primaryKey(
                service: query.service, account: query.account, accessGroup: query.accessGroup, isSynchronizable: query.isSynchronizable)
            if let accessibility = query.accessibility { attributes[kSecAttrAccessible] = accessibility.attribute }
            #if os(iOS) || os(macOS)
                if !query.allowsInteraction {
                    let context = LAContext()
                    context.interactionNotAllowed = true
                    attributes[kSecUseAuthenticationContext] = context
                }
            #else
                // `interactionNotAllowed` is not to be had on a watch, which asks for its passcode. The values of kSecUseAuthenticationUI and
                // kSecUseAuthenticationUIFail, whose names warn of their deprecation.
                if !query.allowsInteraction { attributes["u_AuthUI" as CFString] = "u_AuthUIF" as CFString }
            #endif
            return attributes
        }

        /// Accessibility alone, or within access control: the system takes one of the two attributes.
        ///
        /// An update keeps every attribute that it does not name, access control among them (Apple's published source, `SecDbItemCopyWithUpdates`). So
        /// it is taken away by one without flags: "If no flags are set then all operations are allowed" (SecAccessControl.h).
        private func protect(
            _ attributes: inout [CFString: Any], accessibility: KeychainAccessibility, accessControl: KeychainAccessControl?,
            removesAccessControl: Bool = false
        ) -> Bool {
            guard accessControl != nil || removesAccessControl else {
                attributes[kSecAttrAccessible] = accessibility.attribute
                return true
            }
            guard let control = SecAccessControlCreateWithFlags(nil, accessibility.attribute, accessControl?.flags ?? [], nil) else {
                return false
            }
            attributes[kSecAttrAccessControl] = control
            return true
        }

        private func item(_ attributes: [String: Any]) -> KeychainItem {
            KeychainItem(
                service: attributes[kSecAttrService as String] as? String ?? "",
                account: attributes[kSecAttrAccount as String] as? String ?? "",
                accessGroup: attributes[kSecAttrAccessGroup as String] as? String,
                isSynchronizable: attributes[kSecAttrSynchronizable as String] as? Bool ?? false,
                data: attributes[kSecValueData as String] as? Data ?? Data(),
                generic: attributes[kSecAttrGeneric as String] as? Data,
                accessibility: (attributes[kSecAttrAccessible as String] as? String).flatMap { KeychainAccessibility(attribute: $0) }
                    ?? .whenUnlocked)
        }
    }

    extension KeychainAccessibility {
        /// The value of `kSecAttrAccessible`.
        fileprivate var attribute: CFString {
            switch self {
            case .whenUnlocked: kSecAttrAccessibleWhenUnlocked
            case .afterFirstUnlock: kSecAttrAccessibleAfterFirstUnlock
            case .whenUnlockedThisDeviceOnly: kSecAttrAccessibleWhenUnlockedThisDeviceOnly
            case .afterFirstUnlockThisDeviceOnly: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
            case .whenPasscodeSetThisDeviceOnly: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly
            // The values of kSecAttrAccessibleAlways and kSecAttrAccessibleAlwaysThisDeviceOnly, whose names warn of their deprecation:
            // here the audit does.
            case .always: "dk" as CFString
            case .alwaysThisDeviceOnly: "dku" as CFString
            }
        }

        fileprivate init?(attribute: String) {
            guard let match = Self.allCases.first(where: { $0.attribute as String == attribute }) else { return nil }
            self = match
        }
    }

    extension KeychainAccessControl {
        fileprivate var flags: SecAccessControlCreateFlags {
            switch self {
            case .userPresence: .userPresence
            case .biometryAny: .biometryAny
            case .biometryCurrentSet: .biometryCurrentSet
            case .devicePasscode: .devicePasscode
            case .biometryAnyOrDevicePasscode: [.biometryAny, .or, .devicePasscode]
            case .biometryCurrentSetOrDevicePasscode: [.biometryCurrentSet, .or, .devicePasscode]
            }
        }
    }
#endif
