/// The module Security as app code uses it for passwords. `CFDictionary` and its like are what they are bridged to: a host has no Core Foundation to use.
extension SystemNames {
    static let keychain = """
        public typealias CFString = String
        public typealias CFDictionary = [String: Any]
        public typealias CFData = Data
        public typealias CFTypeRef = AnyObject
        public typealias CFError = NSError
        public typealias CFTimeInterval = Double
        public typealias CFAbsoluteTime = Double
        public typealias OSStatus = Int32

        @discardableResult
        @usableFromInline nonisolated func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
            SystemShims.Keychain.add(attributes, result)
        }
        @usableFromInline nonisolated func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
            SystemShims.Keychain.copyMatching(query, result)
        }
        @discardableResult
        @usableFromInline nonisolated func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
            SystemShims.Keychain.update(query, attributesToUpdate)
        }
        @discardableResult
        @usableFromInline nonisolated func SecItemDelete(_ query: CFDictionary) -> OSStatus { SystemShims.Keychain.delete(query) }
        @usableFromInline nonisolated func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? {
            SystemShims.Keychain.message(of: status)
        }
        @usableFromInline nonisolated var kSecRandomDefault: OpaquePointer? { nil }
        @discardableResult
        @usableFromInline nonisolated func SecRandomCopyBytes(_ source: OpaquePointer?, _ count: Int, _ bytes: UnsafeMutableRawPointer) -> Int32 {
            SystemShims.Keychain.randomBytes(count, bytes)
        }
        @usableFromInline nonisolated func SecAccessControlCreateWithFlags(
            _ allocator: OpaquePointer?, _ protection: CFString, _ flags: SystemShims.AccessControlFlags, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
        ) -> SystemShims.AccessControl? { SystemShims.AccessControl(protection, flags) }
        @usableFromInline nonisolated var kCFBooleanTrue: Bool! { true }
        @usableFromInline nonisolated var kCFBooleanFalse: Bool! { false }

        """ + constants.map { "@usableFromInline nonisolated let \($0.name): CFString = \"\($0.value)\"\n" }.joined()
        + statuses.map { "@usableFromInline nonisolated let \($0.name): OSStatus = \($0.value)\n" }.joined()

    private static let constants: [(name: String, value: String)] = [
        ("kSecClass", "class"), ("kSecClassGenericPassword", "genp"), ("kSecClassInternetPassword", "inet"), ("kSecClassKey", "keys"),
        ("kSecClassCertificate", "cert"), ("kSecClassIdentity", "idnt"), ("kSecAttrService", "svce"), ("kSecAttrAccount", "acct"),
        ("kSecAttrServer", "srvr"), ("kSecAttrGeneric", "gena"), ("kSecAttrAccessGroup", "agrp"), ("kSecAttrSynchronizable", "sync"),
        ("kSecAttrSynchronizableAny", "syna"), ("kSecAttrLabel", "labl"), ("kSecAttrDescription", "desc"), ("kSecAttrComment", "icmt"),
        ("kSecAttrCreationDate", "cdat"), ("kSecAttrModificationDate", "mdat"), ("kSecAttrAccessControl", "accc"),
        ("kSecAttrAccessible", "pdmn"), ("kSecAttrAccessibleWhenUnlocked", "ak"), ("kSecAttrAccessibleAfterFirstUnlock", "ck"),
        ("kSecAttrAccessibleAlways", "dk"), ("kSecAttrAccessibleWhenUnlockedThisDeviceOnly", "aku"),
        ("kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly", "cku"), ("kSecAttrAccessibleAlwaysThisDeviceOnly", "dku"),
        ("kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly", "akpu"), ("kSecValueData", "v_Data"), ("kSecReturnData", "r_Data"),
        ("kSecReturnAttributes", "r_Attributes"), ("kSecReturnRef", "r_Ref"), ("kSecReturnPersistentRef", "r_PersistentRef"),
        ("kSecMatchLimit", "m_Limit"), ("kSecMatchLimitOne", "m_LimitOne"), ("kSecMatchLimitAll", "m_LimitAll"),
        ("kSecUseDataProtectionKeychain", "nleg"), ("kSecUseAuthenticationContext", "u_AuthCtx"),
        ("kSecUseAuthenticationUI", "u_AuthUI"), ("kSecUseAuthenticationUIFail", "u_AuthUIF"),
        ("kSecUseAuthenticationUISkip", "u_AuthUIS"), ("kSecUseAuthenticationUIAllow", "u_AuthUIA"),
        ("kSecUseOperationPrompt", "u_OpPrompt"),
    ]

    private static let statuses: [(name: String, value: Int)] = [
        ("errSecSuccess", 0), ("errSecUnimplemented", -4), ("errSecDiskFull", -34), ("errSecIO", -36), ("errSecParam", -50),
        ("errSecAllocate", -108), ("errSecUserCanceled", -128), ("errSecBadReq", -909), ("errSecNotAvailable", -25291),
        ("errSecAuthFailed", -25293), ("errSecDuplicateItem", -25299), ("errSecItemNotFound", -25300),
        ("errSecInteractionNotAllowed", -25308),
        ("errSecDecode", -26275), ("errSecMissingEntitlement", -34018),
    ]
}
