internal import DeviceSimCore
import Foundation
internal import LocalData

extension SystemShims {
    /// The keychain as app code uses it by `SecItemAdd` and its like: that of the device whose code is running, the same that LocalData uses there.
    ///
    /// Passwords only, generic ones and those of the internet. Of the attributes those count that LocalData's `KeychainItem` has; labels and dates are not kept.
    /// Names and statuses are Apple's.
    public enum Keychain {
        /// `errSecParam`.
        static let badParameter: Int32 = -50
        /// `errSecUnimplemented`: what a simulated keychain has not.
        static let unimplemented: Int32 = -4

        /// `SecItemAdd`. The result is what the query asks to be returned.
        public static func add(_ attributes: [String: Any], _ result: UnsafeMutablePointer<AnyObject?>?) -> Int32 {
            guard let place = Place(attributes) else { return unimplemented }
            var item = KeychainItem(
                service: place.service ?? "", account: place.account ?? "", accessGroup: place.group,
                isSynchronizable: attributes["sync"] as? Bool ?? false, data: attributes["v_Data"] as? Data ?? Data(),
                generic: attributes["gena"] as? Data)
            let control = attributes["accc"] as? AccessControl
            if let name = attributes["pdmn"] as? String ?? control?.accessibility {
                guard let accessibility = accessibilities[name] else { return badParameter }
                item.accessibility = accessibility
            }
            item.accessControl = control?.kind
            let status = store.add(item).rawValue
            if status == 0 { result?.pointee = returned([item], attributes) }
            return status
        }

        /// `SecItemCopyMatching`.
        public static func copyMatching(_ query: [String: Any], _ result: UnsafeMutablePointer<AnyObject?>?) -> Int32 {
            guard let places = places(query) else { return unimplemented }
            var found: [KeychainItem] = []
            var status = KeychainStatus.itemNotFound
            for place in places {
                for isSynchronizable in kinds(query) {
                    let answer = store.copyMatching(place.query(query, isSynchronizable))
                    if answer.status == .success || status == .itemNotFound { status = answer.status }
                    found += answer.items
                }
            }
            guard !found.isEmpty else { return status.rawValue }
            result?.pointee = returned(found, query)
            return 0
        }

        /// `SecItemUpdate`. An item keeps its service and its account.
        public static func update(_ query: [String: Any], _ changes: [String: Any]) -> Int32 {
            guard let places = places(query), changes["svce"] == nil, changes["acct"] == nil, changes["srvr"] == nil else {
                return unimplemented
            }
            var change = KeychainChange(
                data: changes["v_Data"] as? Data, generic: changes["gena"] as? Data, accessGroup: changes["agrp"] as? String)
            let control = changes["accc"] as? AccessControl
            if let name = changes["pdmn"] as? String ?? control?.accessibility {
                guard let accessibility = accessibilities[name] else { return badParameter }
                change.accessibility = accessibility
            }
            change.accessControl = control?.kind
            return first(
                of: places.flatMap { place in
                    kinds(query).map { store.update(place.query(query, $0, matchesAll: true), to: change) }
                })
        }

        /// `SecItemDelete`, of all items that match.
        public static func delete(_ query: [String: Any]) -> Int32 {
            guard let places = places(query) else { return unimplemented }
            return first(
                of: places.flatMap { place in kinds(query).map { store.delete(place.query(query, $0, matchesAll: true)) } })
        }

        /// Where the items of a query may lie. One keychain holds both classes of passwords here: of a query that names no service, or no server, those of its class are meant.
        private static func places(_ query: [String: Any]) -> [Place]? {
            guard let place = Place(query) else { return nil }
            let isOfInternet = query["class"] as? String == "inet"
            guard isOfInternet ? query["srvr"] == nil : place.service == nil else { return [place] }
            var services: [String] = []
            for isSynchronizable in kinds(query) {
                var all = place.query(query, isSynchronizable, matchesAll: true)
                (all.service, all.returnsData, all.allowsInteraction) = (nil, false, false)
                for item in store.copyMatching(all).items
                where item.service.hasPrefix(Place.internet) == isOfInternet && !services.contains(item.service) {
                    services.append(item.service)
                }
            }
            return services.map { service in
                var named = place
                named.service = service
                return named
            }
        }

        /// `SecRandomCopyBytes`: the random bytes of the device.
        public static func randomBytes(_ count: Int, _ bytes: UnsafeMutableRawPointer) -> Int32 {
            guard let drawn = try? StorageRouter.shared.environment.entropy.bytes(count) else { return -1 }
            drawn.copyBytes(to: UnsafeMutableRawBufferPointer(start: bytes, count: count))
            return 0
        }

        /// What `SecCopyErrorMessageString` says.
        public static func message(of status: Int32) -> String { "OSStatus \(status)" }

        private static var store: any KeychainStore { StorageRouter.shared.environment.keychain }

        private static func first(of statuses: [KeychainStatus]) -> Int32 {
            (statuses.first { $0 == .success } ?? statuses.first { $0 != .itemNotFound } ?? .itemNotFound).rawValue
        }

        /// Whether items that iCloud takes along are meant, those that it does not, or both.
        private static func kinds(_ query: [String: Any]) -> [Bool] {
            if query["sync"] as? String == "syna" { return [false, true] }
            return [query["sync"] as? Bool ?? false]
        }

        private static func returned(_ items: [KeychainItem], _ query: [String: Any]) -> AnyObject? {
            let wantsData = query["r_Data"] as? Bool ?? false
            let wantsAttributes = query["r_Attributes"] as? Bool ?? false
            let results: [AnyObject] = items.compactMap { item in
                guard wantsAttributes else { return wantsData ? item.data as NSData : nil }
                let isOfInternet = item.service.hasPrefix(Place.internet)
                var attributes: [String: Any] = [
                    "acct": item.account, "sync": item.isSynchronizable, "class": isOfInternet ? "inet" : "genp",
                    isOfInternet ? "srvr" : "svce": isOfInternet ? String(item.service.dropFirst(Place.internet.count)) : item.service,
                    "pdmn": accessibilities.first { $0.value == item.accessibility }?.key ?? "ak",
                ]
                attributes["gena"] = item.generic
                attributes["agrp"] = item.accessGroup
                if wantsData { attributes["v_Data"] = item.data }
                return attributes as NSDictionary
            }
            return Place.matchesAll(query) ? (results.isEmpty ? nil : results as NSArray) : results.first
        }

        /// `kSecAttrAccessible`'s values.
        private static let accessibilities: [String: KeychainAccessibility] = [
            "ak": .whenUnlocked, "ck": .afterFirstUnlock, "dk": .always, "aku": .whenUnlockedThisDeviceOnly,
            "cku": .afterFirstUnlockThisDeviceOnly, "dku": .alwaysThisDeviceOnly, "akpu": .whenPasscodeSetThisDeviceOnly,
        ]

        /// Where an item lies, as a query says it. `nil` for what is no password.
        private struct Place {
            /// In front of the service of passwords for the internet: one name holds both kinds here.
            static let internet = "internet password: "

            var service: String?
            let account: String?
            let group: String?

            init?(_ query: [String: Any]) {
                switch query["class"] as? String {
                case "genp": service = query["svce"] as? String
                case "inet": service = Self.internet + (query["srvr"] as? String ?? "")
                default: return nil
                }
                account = query["acct"] as? String
                group = query["agrp"] as? String
            }

            static func matchesAll(_ query: [String: Any]) -> Bool {
                query["m_Limit"] as? String == "m_LimitAll" || (query["m_Limit"] as? Int).map { $0 > 1 } == true
            }

            func query(_ query: [String: Any], _ isSynchronizable: Bool, matchesAll: Bool? = nil) -> KeychainQuery {
                KeychainQuery(
                    service: service, account: account, accessGroup: group, isSynchronizable: isSynchronizable,
                    accessibility: (query["pdmn"] as? String).flatMap { Keychain.accessibilities[$0] },
                    returnsData: query["r_Data"] as? Bool ?? false, matchesAll: matchesAll ?? Self.matchesAll(query),
                    allowsInteraction: !["u_AuthUIF", "u_AuthUIS"].contains(query["u_AuthUI"] as? String))
            }
        }
    }

    /// `SecAccessControl`: when an item can be read, and what a person must do for it.
    public final class AccessControl: Sendable {
        let accessibility: String
        let kind: KeychainAccessControl?

        /// - Parameters:
        ///   - accessibility: A value of `kSecAttrAccessible`.
        ///   - flags: What a person must do; `nil` for flags that a simulated keychain has not.
        public init?(_ accessibility: String, _ flags: AccessControlFlags) {
            self.accessibility = accessibility
            guard !flags.isEmpty else {
                kind = nil
                return
            }
            guard let kind = Self.kinds.first(where: { $0.0 == flags })?.1 else { return nil }
            self.kind = kind
        }

        private static let kinds: [(AccessControlFlags, KeychainAccessControl)] = [
            (.userPresence, .userPresence), (.biometryAny, .biometryAny), (.biometryCurrentSet, .biometryCurrentSet),
            (.devicePasscode, .devicePasscode), ([.biometryAny, .or, .devicePasscode], .biometryAnyOrDevicePasscode),
            ([.biometryCurrentSet, .or, .devicePasscode], .biometryCurrentSetOrDevicePasscode),
        ]
    }

    /// `SecAccessControlCreateFlags`.
    public struct AccessControlFlags: OptionSet, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// Biometry or passcode.
        public static let userPresence = AccessControlFlags(rawValue: 1 << 0)
        /// Any enrolled biometry.
        public static let biometryAny = AccessControlFlags(rawValue: 1 << 1)
        /// The biometry enrolled when the item was stored.
        public static let biometryCurrentSet = AccessControlFlags(rawValue: 1 << 3)
        /// The older name of ``biometryAny``.
        public static let touchIDAny = biometryAny
        /// The older name of ``biometryCurrentSet``.
        public static let touchIDCurrentSet = biometryCurrentSet
        /// The device's passcode.
        public static let devicePasscode = AccessControlFlags(rawValue: 1 << 4)
        /// One of those named is enough.
        public static let or = AccessControlFlags(rawValue: 1 << 14)
        /// All that are named are needed.
        public static let and = AccessControlFlags(rawValue: 1 << 15)
    }
}
