// Core Foundation's types, as far as code that calls SecItem needs them. On Apple's systems they are bridged to Foundation's; on Linux the
// compiler does not bridge, so the tool writes `asString` where code says `as String` of a Security constant.

public final class CFString: Hashable, ExpressibleByStringLiteral, Sendable {
    public let asString: String

    public init(stringLiteral value: String) { asString = value }

    public static func == (left: CFString, right: CFString) -> Bool { left.asString == right.asString }

    public func hash(into hasher: inout Hasher) { hasher.combine(asString) }
}

public let kCFPreferencesCurrentUser: CFString = "kCFPreferencesCurrentUser"
public let kCFPreferencesAnyHost: CFString = "kCFPreferencesAnyHost"

public func CFPreferencesCopyValue(
    _ key: CFString, _ applicationID: CFString, _ userName: CFString, _ hostName: CFString
) -> CFPropertyList? { nil }

public typealias CFPropertyList = AnyObject
public final class CFError {}
public final class CFAllocator {}
public typealias CFDictionary = [CFString: Any]
public typealias CFTypeRef = AnyObject
public typealias CFOptionFlags = UInt
public typealias OSStatus = Int32
