import Foundation

extension SystemShims {
    /// `NSHashTable` as app code uses it: a set of objects that it does not keep, in the order in which they came.
    public final class NSHashTable<ObjectType: AnyObject>: NSObject, @unchecked Sendable {
        /// Foundation's own. Whether objects are kept.
        public struct Options: OptionSet, Sendable {
            public let rawValue: UInt
            public init(rawValue: UInt) { self.rawValue = rawValue }
            /// They are kept.
            public static var strongMemory: Options { Options(rawValue: 0) }
            /// They are not kept.
            public static var weakMemory: Options { Options(rawValue: 5) }
            /// Objects are told apart by their identity.
            public static var objectPointerPersonality: Options { Options(rawValue: 1 << 9) }
        }

        private final class Entry {
            weak var object: ObjectType?
            let kept: ObjectType?

            init(_ object: ObjectType, isKept: Bool) {
                self.object = object
                kept = isKept ? object : nil
            }
        }

        private var entries: [Entry] = []
        private let keeps: Bool

        /// A table that keeps its objects, or does not.
        public init(options: Options = [], capacity: Int = 0) {
            keeps = !options.contains(.weakMemory)
        }

        /// A table that does not keep its objects.
        public static func weakObjects() -> NSHashTable<ObjectType> { NSHashTable(options: .weakMemory) }

        /// The objects that there are.
        public var allObjects: [ObjectType] { entries.compactMap(\.object) }
        /// How many there are.
        public var count: Int { allObjects.count }
        /// One of them.
        public var anyObject: ObjectType? { allObjects.first }
        /// Adds an object, if it is not there.
        public func add(_ object: ObjectType?) {
            entries.removeAll { $0.object == nil }
            guard let object, !contains(object) else { return }
            entries.append(Entry(object, isKept: keeps))
        }
        /// Takes an object out.
        public func remove(_ object: ObjectType?) { entries.removeAll { $0.object == nil || $0.object === object } }
        /// Takes all out.
        public func removeAllObjects() { entries.removeAll() }
        /// Whether an object is there.
        public func contains(_ object: ObjectType?) -> Bool { allObjects.contains { $0 === object } }
        /// Goes through the objects that there are.
        public func objectEnumerator() -> NSEnumerator { NSArray(array: allObjects).objectEnumerator() }
    }

    /// `NSMapTable` as app code uses it: by the identity of its keys, or what an `NSObject` says of its equality; it keeps neither side, one, or both.
    public final class NSMapTable<KeyType: AnyObject, ObjectType: AnyObject>: NSObject, @unchecked Sendable {
        private final class Entry {
            weak var key: KeyType?
            weak var object: ObjectType?
            let kept: (KeyType?, ObjectType?)

            init(_ key: KeyType, _ object: ObjectType, _ keeps: (key: Bool, object: Bool)) {
                self.key = key
                self.object = object
                kept = (keeps.key ? key : nil, keeps.object ? object : nil)
            }
        }

        private var entries: [Entry] = []
        private let keeps: (key: Bool, object: Bool)

        private init(keepsKeys: Bool, keepsObjects: Bool) {
            keeps = (keepsKeys, keepsObjects)
        }

        /// Keeps both.
        public static func strongToStrongObjects() -> NSMapTable { NSMapTable(keepsKeys: true, keepsObjects: true) }
        /// Keeps the values.
        public static func weakToStrongObjects() -> NSMapTable { NSMapTable(keepsKeys: false, keepsObjects: true) }
        /// Keeps the keys.
        public static func strongToWeakObjects() -> NSMapTable { NSMapTable(keepsKeys: true, keepsObjects: false) }
        /// Keeps neither.
        public static func weakToWeakObjects() -> NSMapTable { NSMapTable(keepsKeys: false, keepsObjects: false) }

        private func matches(_ entry: Entry, _ key: KeyType) -> Bool {
            entry.key === key || (entry.key as? NSObject).map { $0.isEqual(key) } == true
        }
        private func trim() { entries.removeAll { $0.key == nil || $0.object == nil } }

        /// How many pairs there are.
        public var count: Int { entries.count { $0.key != nil && $0.object != nil } }
        /// The value of a key.
        public func object(forKey key: KeyType?) -> ObjectType? { key.flatMap { key in entries.first { matches($0, key) }?.object } }
        /// Sets or replaces the value of a key.
        public func setObject(_ object: ObjectType?, forKey key: KeyType?) {
            guard let object, let key else { return }
            removeObject(forKey: key)
            entries.append(Entry(key, object, keeps))
        }
        /// Takes a key out.
        public func removeObject(forKey key: KeyType?) {
            trim()
            if let key { entries.removeAll { matches($0, key) } }
        }
        /// Takes all out.
        public func removeAllObjects() { entries.removeAll() }
        /// Goes through the values.
        public func objectEnumerator() -> NSEnumerator? { NSArray(array: entries.compactMap(\.object)).objectEnumerator() }
        /// Goes through the keys.
        public func keyEnumerator() -> NSEnumerator { NSArray(array: entries.compactMap(\.key)).objectEnumerator() }
    }

    /// `NSPointerArray` as app code uses it: a list of objects that it does not keep.
    public final class NSPointerArray: NSObject, @unchecked Sendable {
        private final class Entry {
            weak var object: AnyObject?
            init(_ object: AnyObject?) { self.object = object }
        }

        private var entries: [Entry] = []

        /// A list that does not keep its objects.
        public static func weakObjects() -> NSPointerArray { NSPointerArray() }

        /// How many places there are, those of objects that are gone among them.
        public var count: Int { entries.count }
        /// The objects that there are.
        public var allObjects: [Any] { entries.compactMap(\.object) }
        /// Adds an object, as `Unmanaged.passUnretained(_:).toOpaque()` gives it.
        public func addPointer(_ pointer: UnsafeMutableRawPointer?) {
            entries.append(Entry(pointer.map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }))
        }
        /// The object at a place; `nil` where it is gone.
        public func pointer(at index: Int) -> UnsafeMutableRawPointer? {
            entries[index].object.map { Unmanaged.passUnretained($0).toOpaque() }
        }
        /// Takes a place out.
        public func removePointer(at index: Int) { entries.remove(at: index) }
        /// Takes the places out whose objects are gone.
        public func compact() { entries.removeAll { $0.object == nil } }
    }
}
