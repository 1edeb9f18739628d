import Foundation
import Security

/// Names of Apple's systems as code has them.
public final class Names: NSObject, @unchecked Sendable {
    let log: (String) -> Void
    public init(log: @escaping (String) -> Void) { self.log = log }

    /// As code from before actors calls it: from anywhere.
    public func useFeedback() {
        #if os(iOS)
            UIImpactFeedbackGenerator(style: .light).impactOccurred()
        #endif
        log("felt")
    }

    /// Objects of the system in a value that is compared and is a key. Without equality of theirs it does not compile.
    public func useAsKeys() {
        struct Key: Hashable {
            let queue: DispatchQueue
            let center = NotificationCenter.default
            let defaults = UserDefaults.standard
            let files = FileManager.default
        }
        let queue = DispatchQueue(label: "key")
        let others: Set = [OperationQueue(), OperationQueue()]
        let groups: [DispatchGroup: Int] = [DispatchGroup(): 1]
        let names = [Key(queue: queue): "own", Key(queue: .main): "main"]
        log("keys \(names[Key(queue: queue)] ?? "none") \(names[Key(queue: .main)] ?? "none") \(others.count) \(groups.count)")
        log("another \(names[Key(queue: DispatchQueue(label: "key"))] ?? "none")")
    }

    public func useKeychain() {
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: "notes",
            kSecAttrAccount as String: "token",
            kSecValueData as String: Data("secret".utf8),
            kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
        ]
        log("add \(SecItemAdd(query as CFDictionary, nil))")
        log("again \(SecItemAdd(query as CFDictionary, nil) == errSecDuplicateItem)")
        var search = query
        search[kSecValueData as String] = nil
        search[kSecAttrAccessible as String] = nil
        search[kSecReturnData as String] = kCFBooleanTrue
        search[kSecMatchLimit as String] = kSecMatchLimitOne
        var item: CFTypeRef?
        let status = SecItemCopyMatching(search as CFDictionary, &item)
        log("read \(status) \((item as? Data).map { String(decoding: $0, as: UTF8.self) } ?? "nothing")")
        search[kSecReturnAttributes as String] = true
        search[kSecMatchLimit as String] = kSecMatchLimitAll
        var list: AnyObject?
        _ = SecItemCopyMatching(search as CFDictionary, &list)
        let accounts = (list as? [[String: Any]])?.map { $0[kSecAttrAccount as String] as? String ?? "" } ?? []
        log("all \(accounts)")
        let place: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrService: "notes", kSecAttrAccount: "token"]
        log("update \(SecItemUpdate(place as CFDictionary, [kSecValueData: Data("new".utf8)] as CFDictionary))")
        log("delete \(SecItemDelete(place as CFDictionary))")
        log("gone \(SecItemCopyMatching(place as CFDictionary, nil) == errSecItemNotFound)")
        var bytes = [UInt8](repeating: 0, count: 16)
        log("random \(SecRandomCopyBytes(kSecRandomDefault, bytes.count, &bytes)) \(bytes.contains { $0 != 0 })")
        var error: Unmanaged<CFError>?
        log(
            "control \(SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, [.biometryAny, .or, .devicePasscode], &error) != nil)"
        )
    }

    public func useNames() throws {
        log("\(Bundle.main.bundleIdentifier ?? "none") \(Bundle.main.infoDictionary?["CFBundleShortVersionString"] as? String ?? "none")")
        log("\(ProcessInfo.processInfo.operatingSystemVersion.majorVersion) \(ProcessInfo.processInfo.environment.isEmpty)")
        let paths = NSSearchPathForDirectoriesInDomains(.documentDirectory, .userDomainMask, true)
        log("documents \(paths == FileManager.default.urls(for: .documentDirectory, in: .userDomainMask).map(\.path)) \(paths.count)")
        let file = URL(fileURLWithPath: paths[0]).appendingPathComponent("log.txt")
        try Data("one".utf8).write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        handle.seekToEndOfFile()
        handle.write(Data(" two".utf8))
        handle.closeFile()
        log(String(decoding: try Data(contentsOf: file), as: UTF8.self))
        let reader = try FileHandle(forReadingFrom: file)
        log(
            String(decoding: try reader.read(upToCount: 3) ?? Data(), as: UTF8.self) + "|"
                + String(decoding: reader.readDataToEndOfFile(), as: UTF8.self))
        log("\(CFAbsoluteTimeGetCurrent() == Date().timeIntervalSinceReferenceDate)")
        log(
            "\(arc4random_uniform(1)) \(autoreleasepool { String(localized: "Hello", defaultValue: "Hallo") }) \(NSLocalizedString("Key", comment: ""))"
        )
        let objects = NSHashTable<NSObject>.weakObjects()
        let kept = NSObject()
        autoreleasepool {
            objects.add(NSObject())
            objects.add(kept)
            objects.add(kept)
        }
        log("\(objects.allObjects.count)")
        let map = NSMapTable<NSString, NSObject>.strongToWeakObjects()
        map.setObject(kept, forKey: "a")
        log("\(map.object(forKey: "a") === kept) \(map.count)")
        let pointers = NSPointerArray.weakObjects()
        pointers.addPointer(Unmanaged.passUnretained(kept).toOpaque())
        log("\(pointers.count) \(pointers.allObjects.count)")
        var problem: NSError?
        NSFileCoordinator(filePresenter: nil).coordinate(readingItemAt: file, options: [], error: &problem) { log($0.lastPathComponent) }
    }

    public func useSources() {
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "timer"))
        var count = 0
        timer.schedule(deadline: .now() + 1, repeating: .seconds(2))
        timer.setEventHandler { [self] in
            count += 1
            log("fired \(DispatchTime.now().uptimeNanoseconds / 1_000_000_000)")
            if count == 2 { timer.cancel() }
        }
        timer.setCancelHandler { [self] in log("cancelled") }
        timer.resume()
        let other: DispatchSourceTimer = DispatchSource.makeTimerSource(flags: [], queue: .main)
        other.schedule(deadline: .now() + .milliseconds(100))
        other.setEventHandler { [self] in
            log("once")
            _ = other
        }
        other.activate()
    }

    public func useNetwork() async {
        let url = URL(fileURLWithPath: "/answer")
        do {
            _ = try await URLSession.shared.data(from: url)
        } catch {
            log("offline \((error as? URLError)?.code == .notConnectedToInternet)")
        }
        URLSession.answer { $0.httpMethod == "POST" ? .init(Data("made".utf8), status: 201) : nil }
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        URLSession.shared.dataTask(with: request) { [self] data, response, _ in
            log("\((response as? HTTPURLResponse)?.statusCode ?? 0) \(String(decoding: data ?? Data(), as: UTF8.self))")
        }.resume()
        let task = URLSession.shared.dataTask(with: url) { [self] _, _, error in log("\((error as? URLError)?.code == .cancelled)") }
        task.resume()
        task.cancel()
    }
}
