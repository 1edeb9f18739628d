// Keychain services and random bytes of Apple's Security framework, as its public documentation declares them.

@_exported import CoreFoundationStandIn

nonisolated(unsafe) public let kSecClass: CFString = "class"
nonisolated(unsafe) public let kSecClassGenericPassword: CFString = "genp"
nonisolated(unsafe) public let kSecUseDataProtectionKeychain: CFString = "nleg"
nonisolated(unsafe) public let kSecAttrSynchronizable: CFString = "sync"
nonisolated(unsafe) public let kSecAttrSynchronizableAny: CFString = "syna"
nonisolated(unsafe) public let kSecAttrService: CFString = "svce"
nonisolated(unsafe) public let kSecAttrAccount: CFString = "acct"
nonisolated(unsafe) public let kSecAttrAccessGroup: CFString = "agrp"
nonisolated(unsafe) public let kSecAttrAccessible: CFString = "pdmn"
nonisolated(unsafe) public let kSecAttrAccessControl: CFString = "accc"
nonisolated(unsafe) public let kSecAttrGeneric: CFString = "gena"
nonisolated(unsafe) public let kSecAttrLabel: CFString = "labl"
nonisolated(unsafe) public let kSecAttrDescription: CFString = "desc"
nonisolated(unsafe) public let kSecAttrComment: CFString = "icmt"
nonisolated(unsafe) public let kSecAttrCreationDate: CFString = "cdat"
nonisolated(unsafe) public let kSecAttrModificationDate: CFString = "mdat"
nonisolated(unsafe) public let kSecValueData: CFString = "v_Data"
nonisolated(unsafe) public let kSecReturnAttributes: CFString = "r_Attributes"
nonisolated(unsafe) public let kSecReturnData: CFString = "r_Data"
nonisolated(unsafe) public let kSecReturnPersistentRef: CFString = "r_PersistentRef"
nonisolated(unsafe) public let kSecMatchLimit: CFString = "m_Limit"
nonisolated(unsafe) public let kSecMatchLimitAll: CFString = "m_LimitAll"
nonisolated(unsafe) public let kSecMatchLimitOne: CFString = "m_LimitOne"

@available(iOS 9.0, macOS 10.11, watchOS 2.0, *)
nonisolated(unsafe) public let kSecUseAuthenticationContext: CFString = "u_AuthCtx"

@available(iOS, introduced: 9.0, deprecated: 14.0, message: "Use an LAContext that does not allow interaction")
@available(macOS, introduced: 10.11, deprecated: 11.0, message: "Use an LAContext that does not allow interaction")
@available(watchOS, introduced: 2.0, deprecated: 7.0, message: "Use an LAContext that does not allow interaction")
nonisolated(unsafe) public let kSecUseAuthenticationUI: CFString = "u_AuthUI"

nonisolated(unsafe) public let kSecAttrAccessibleWhenUnlocked: CFString = "ak"
nonisolated(unsafe) public let kSecAttrAccessibleAfterFirstUnlock: CFString = "ck"
nonisolated(unsafe) public let kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString = "aku"
nonisolated(unsafe) public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku"
nonisolated(unsafe) public let kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: CFString = "akpu"

@available(iOS, introduced: 4.0, deprecated: 12.0, message: "Use another accessibility")
@available(macOS, introduced: 10.9, deprecated: 10.14, message: "Use another accessibility")
@available(watchOS, introduced: 2.0, deprecated: 5.0, message: "Use another accessibility")
nonisolated(unsafe) public let kSecAttrAccessibleAlways: CFString = "dk"

@available(iOS, introduced: 4.0, deprecated: 12.0, message: "Use another accessibility")
@available(macOS, introduced: 10.9, deprecated: 10.14, message: "Use another accessibility")
@available(watchOS, introduced: 2.0, deprecated: 5.0, message: "Use another accessibility")
nonisolated(unsafe) public let kSecAttrAccessibleAlwaysThisDeviceOnly: CFString = "dku"

public var errSecSuccess: OSStatus { 0 }
public var errSecParam: OSStatus { -50 }
public var errSecUserCanceled: OSStatus { -128 }
public var errSecNotAvailable: OSStatus { -25291 }
public var errSecAuthFailed: OSStatus { -25293 }
public var errSecDuplicateItem: OSStatus { -25299 }
public var errSecItemNotFound: OSStatus { -25300 }
public var errSecInteractionNotAllowed: OSStatus { -25308 }
public var errSecDecode: OSStatus { -26275 }
public var errSecMissingEntitlement: OSStatus { -34018 }

@available(iOS, unavailable)
@available(watchOS, unavailable)
public final class SecTask {}

@available(iOS, unavailable)
@available(watchOS, unavailable)
public func SecTaskCreateFromSelf(_ allocator: CFAllocator?) -> SecTask? { nil }

@available(iOS, unavailable)
@available(watchOS, unavailable)
public func SecTaskCopyValueForEntitlement(
    _ task: SecTask, _ entitlement: CFString, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFTypeRef? { nil }

public final class SecAccessControl {}

public struct SecAccessControlCreateFlags: OptionSet, Sendable {
    public let rawValue: CFOptionFlags

    public init(rawValue: CFOptionFlags) { self.rawValue = rawValue }

    public static var userPresence: Self { Self(rawValue: 1 << 0) }
    public static var biometryAny: Self { Self(rawValue: 1 << 1) }
    public static var biometryCurrentSet: Self { Self(rawValue: 1 << 3) }
    public static var devicePasscode: Self { Self(rawValue: 1 << 4) }
    public static var or: Self { Self(rawValue: 1 << 14) }
    public static var and: Self { Self(rawValue: 1 << 15) }
    public static var privateKeyUsage: Self { Self(rawValue: 1 << 30) }
    public static var applicationPassword: Self { Self(rawValue: 1 << 31) }
}

public func SecAccessControlCreateWithFlags(
    _ allocator: CFAllocator?, _ protection: CFTypeRef, _ flags: SecAccessControlCreateFlags,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecAccessControl? { nil }

@discardableResult
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus { 0 }
@discardableResult
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus { 0 }
@discardableResult
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus { 0 }
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus { 0 }

public typealias SecRandomRef = OpaquePointer
nonisolated(unsafe) public let kSecRandomDefault: SecRandomRef? = nil
public func SecRandomCopyBytes(_ rnd: SecRandomRef?, _ count: Int, _ bytes: UnsafeMutableRawPointer) -> Int32 { 0 }
