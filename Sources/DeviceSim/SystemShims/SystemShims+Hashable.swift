// Objects that code keeps in sets, as keys, and in values that are compared: on Apple's systems each is the object that it is, and so it is here.

extension SystemShims.DispatchGroup: Hashable {
    public static func == (left: SystemShims.DispatchGroup, right: SystemShims.DispatchGroup) -> Bool { left === right }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension SystemShims.DispatchQueue: Hashable {
    public static func == (left: SystemShims.DispatchQueue, right: SystemShims.DispatchQueue) -> Bool { left === right }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension SystemShims.DispatchSemaphore: Hashable {
    public static func == (left: SystemShims.DispatchSemaphore, right: SystemShims.DispatchSemaphore) -> Bool { left === right }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension SystemShims.FileManager: Hashable {
    public static func == (left: SystemShims.FileManager, right: SystemShims.FileManager) -> Bool { left === right }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension SystemShims.NotificationCenter: Hashable {
    public static func == (left: SystemShims.NotificationCenter, right: SystemShims.NotificationCenter) -> Bool { left === right }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension SystemShims.Operation: Hashable {
    public static func == (left: SystemShims.Operation, right: SystemShims.Operation) -> Bool { left === right }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension SystemShims.OperationQueue: Hashable {
    public static func == (left: SystemShims.OperationQueue, right: SystemShims.OperationQueue) -> Bool { left === right }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension SystemShims.Timer: Hashable {
    public static func == (left: SystemShims.Timer, right: SystemShims.Timer) -> Bool { left === right }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension SystemShims.UserDefaults: Hashable {
    public static func == (left: SystemShims.UserDefaults, right: SystemShims.UserDefaults) -> Bool { left === right }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
