/// A keychain whose absences can be believed.
///
/// Before the first unlock prewarmed apps were seen to be told that items which exist are not there (−25300), instead of being refused (−25308). Whatever
/// is concluded from such an answer loses data: a key minted anew, a value discarded or migrated over, a deletion announced. So until the device was
/// unlocked "not found" is a refusal. The state is looked at *before* the call: an unlock between the two would make an earlier answer look believable.
///
/// The keychain has no memory of when a process began, so nothing has to be done after the unlock.
struct BelievableKeychain: KeychainStore {
    let base: any KeychainStore
    let device: any DeviceDescribing
    private let unlock = UnlockWitness()

    init(_ base: any KeychainStore, on device: any DeviceDescribing) {
        self.base = base
        self.device = device
    }

    /// The environment's keychain, made believable if it is not yet.
    static func around(_ environment: StorageEnvironment) -> BelievableKeychain {
        environment.keychain as? BelievableKeychain ?? BelievableKeychain(environment.keychain, on: environment.device)
    }

    func add(_ item: KeychainItem) -> KeychainStatus { base.add(item) }

    func copyMatching(_ query: KeychainQuery) -> (status: KeychainStatus, items: [KeychainItem]) {
        believable({ base.copyMatching(query) }, status: \.status, refusal: (.interactionNotAllowed, []))
    }

    func update(_ query: KeychainQuery, to change: KeychainChange) -> KeychainStatus {
        believable({ base.update(query, to: change) }, status: \.self, refusal: .interactionNotAllowed)
    }

    func delete(_ query: KeychainQuery) -> KeychainStatus {
        believable({ base.delete(query) }, status: \.self, refusal: .interactionNotAllowed)
    }

    var ownAccessGroup: String? { base.ownAccessGroup }

    private func believable<Answer>(_ call: () -> Answer, status: (Answer) -> KeychainStatus, refusal: Answer) -> Answer {
        let isBelievable = unlock.isSeen(on: device)
        let answer = call()
        return status(answer) == .itemNotFound && !isBelievable ? refusal : answer
    }
}
