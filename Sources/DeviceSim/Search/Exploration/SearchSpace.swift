import DeviceSimCore
import DeviceSimLanguage
import Foundation

/// What an exploration draws its steps over: keys, and the steps of a scenario that it varies, if there is one.
public struct SearchSpace: Sendable {
    /// What the user called it: a file, or `built-in`.
    public let name: String
    /// Keys, start state and knobs; its steps without expectations are what is varied.
    public let base: Scenario
    /// What the app under test can be asked to do.
    let actions: AppActions
    /// Whether the app keeps its values by code of its own, so that nothing that belongs to LocalData is drawn.
    let isOfOwnCode: Bool

    /// - Parameter scenario: Its keys are used, and its steps varied. Its expectations are left out: the invariants are what is checked. So are faults by which
    ///   storage denies what is there (`fails every read with ENOENT`): no answer of LocalData's is right or wrong then.
    public init(_ scenario: Scenario) { self.init(scenario, actions: AppActions(in: [scenario])) }

    /// - Parameters:
    ///   - actions: What the app can be asked to do, in this scenario and in others.
    ///   - isOfOwnCode: Whether the app does not use LocalData. The scenario must have no keys then.
    init(_ scenario: Scenario, actions: AppActions, isOfOwnCode: Bool = false) {
        self.actions = actions
        self.isOfOwnCode = isOfOwnCode
        name = scenario.name
        base = scenario.keeping(
            steps: scenario.steps.filter { !$0.action.isExpectation && !$0.action.deniesWhatIsThere }.map(\.withoutLimit))
    }

    /// Whether some of its keys are drawn beside the others.
    var hasRareKeys: Bool { name == "built-in" }

    /// Keys of every domain, security and sync policy that trouble is known to come from.
    public static let builtIn: SearchSpace? = {
        let path = "built-in"
        let compilation = ScenarioCompiler.compile(path: path, files: .memory([path: builtInSource]))
        return compilation.scenarios.first.map { SearchSpace($0) }
    }()

    static let builtInSource = """
        # What pairsim explores when it is given no scenario.

        key theme: String
            security  none
            sync      automaticSmall
        key volume: Int
            domain    fileSystem documents
            security  none
            sync      automaticSmall
        key note: String
            domain  encryptedFileSystem documents
            sync    automaticSmall
        key draft: String
            domain    fileSystem documents
            security  none
            sync      manual
        key token: String
            domain    keychain
            security  keychain afterFirstUnlock
            sync      automaticSmall
        key code: String
            domain    keychain
            security  keychain whenUnlocked
            sync      automaticSmall
        key pin: String
            domain        keychain
            security      keychain whenUnlocked
            availability  phoneOnly
        key place: String
            domain  fileSystem documents
        key tally: Int
            domain    appGroupFileSystem "group.com.example" documents
            security  none
        key choice: String
            domain    appGroupUserDefaults "group.com.example"
            security  none
            sync      automaticSmall
        key list: String
            domain        appGroupFileSystem "group.com.example" documents
            access group  "group.com.example"
            sync          automaticSmall
            missing key   discard
        key hint: String
            domain        appGroupUserDefaults "group.com.example"
            access group  "group.com.example"
            missing key   discard
        key profile: String
            domain    fileSystem documents
            security  none
            sync      automaticSmall
            migrates  from oldProfile
        key oldProfile: String
            security  none
            until     0.9
        key heading: String
            domain    fileSystem documents
            security  none
            sync      automaticSmall
            migrates  from oldHeading by uppercasing
        key oldHeading: String
            domain    fileSystem caches
            security  none
            until     0.9
        key score: Int
            domain    fileSystem documents
            security  none
            migrates  from oldScore by number
        key oldScore: String
            security  none
            until     0.9
        key total: Int
            domain    fileSystem documents
            sync      automaticSmall
            migrates  from oldWins and oldDraws by adding
        key oldWins: Int
            domain    fileSystem documents
            security  none
            until     0.9
        key oldDraws: Int
            domain    keychain
            security  keychain afterFirstUnlock
            until     0.9
        key person: String
            domain    fileSystem documents
            migrates  from oldGiven and oldFamily by joining awaiting all
        key oldGiven: String
            domain    fileSystem documents
            security  none
            until     0.9
        key oldFamily: String
            domain    fileSystem documents
            until     0.9
        key accent: String
            security  none
            sync      automaticSmall
            migrates  from oldAccent
        key oldAccent: String
            domain    fileSystem documents
            security  none
            until     0.9
        key face: String
            domain    fileSystem documents
            security  none
            sync      automaticSmall
            migrates  from oldFace
            migrates  when device watch
        key oldFace: String
            domain    fileSystem documents
            security  none
            until     0.9
        key cardBefore: String
            name      "card"
            domain    fileSystem documents
            security  none
            sync      automaticSmall
            until     1.9
        key card: String
            domain    fileSystem documents
            security  none
            sync      automaticSmall
            schema    2
            since     2.0
        key badgeBefore: String
            name    "badge"
            domain  fileSystem documents
            sync    automaticSmall
            until   1.9
        key badge: String
            domain  fileSystem documents
            sync    automaticSmall
            schema  2
            since   2.0
        key photo: String
            domain      fileSystem documents
            security    none
            sync        automaticSmall
            watch form  first 3
        key banner: String
            domain    fileSystem documents
            security  none
            sync      automaticSmall
            migrates  from oldBanner
        key oldBanner: String
            name      "banner"
            domain    fileSystem custom "/private/Containers/Data/Application/com.example.app/Documents"
            security  none
            until     0.9
        key ribbon: String
            domain    fileSystem documents
            migrates  from oldRibbon
        key oldRibbon: String
            name      "ribbon"
            domain    fileSystem custom "/private/Containers/Data/Application/com.example.app/Documents"
            security  none
            until     0.9
        key motto: String
            domain    fileSystem documents
            security  none
            since     2.0
            migrates  from mottoBefore
        key mottoBefore: String
            name      "mottoInPreferences"
            security  none
            until     1.9
            migrates  from oldMotto
        key oldMotto: String
            name      "motto"
            domain    fileSystem documents
            security  none
            until     0.9
        key surname: String
            domain    fileSystem documents
            security  none
            migrates  from oldFullName
        key initials: String
            domain    fileSystem documents
            security  none
            migrates  from oldFullName by uppercasing
        key oldFullName: String
            domain    fileSystem documents
            security  none
            until     0.9

        key sealBefore: String
            name      "seal"
            security  none
            sync      automaticSmall
            until     1.9
        key seal: String
            name      "seal"
            formerly  none
            sync      automaticSmall
            since     2.0
        key letterBefore: String
            name      "letter"
            domain    fileSystem documents
            security  none
            until     1.9
        key letter: String
            name      "letter"
            domain    fileSystem documents
            formerly  none
            since     2.0
        key vaultBefore: String
            name      "vault"
            domain    keychain
            security  keychain whenUnlocked
            sync      automaticSmall
            until     1.9
        key vault: String
            name      "vault"
            domain    keychain
            security  keychain afterFirstUnlock
            sync      automaticSmall
            since     2.0
        key lockerBefore: String
            name          "locker"
            domain        keychain
            security      keychain whenUnlocked
            availability  phoneOnly
            until         1.9
        key locker: String
            name          "locker"
            domain        keychain
            security      keychain whenUnlocked userPresence
            availability  phoneOnly
            since         2.0
        key openBefore: String
            name    "open"
            domain  fileSystem documents
            sync    automaticSmall
            until   1.9
        key open: String
            name      "open"
            domain    fileSystem documents
            security  none
            formerly  recommended
            sync      automaticSmall
            since     2.0
        key bareBefore: String
            name   "bare"
            until  1.9
        key bare: String
            name      "bare"
            security  none
            formerly  recommended
            since     2.0
        key memo: String
            domain  fileSystem documents
            sync    automaticSmall
            until   1.9
        key ticket: String
            domain    keychain
            security  keychain afterFirstUnlock
            sync      automaticSmall
            until     1.9
        key stamp: String
            sync      automaticSmall
            until     1.9

        key remote: String
            domain    fileSystem documents
            security  encrypted external "remote.1" hkdf
            sync      automaticSmall
        key diary: String
            security  encrypted aes256 pbkdf2 iterations 10000
            sync      automaticSmall
        key journal: String
            domain    fileSystem documents
            security  encrypted aes256 pbkdf2 iterations 10000
        key crest: String
            domain  userDefaults suite "com.example.crests"
            until   1.9
        key relic: String
            domain  keychain service "com.example.relics"
            until   1.9
        key trinket: String
            domain    userDefaults suite "com.example.trinkets"
            security  none
            until     1.9
        key clip: Data
            domain    fileSystem caches
            security  none
            sync      automaticSmall
        key ballot: String
            domain    keychain service "com.example.ballots"
            sync      automaticSmall
        key figures: [Int]
            domain    userDefaults suite "com.example.figures"
            security  none
            sync      automaticSmall
        key gauge: String
            security  none
            sync      automaticSmall
            migrates  from oldGauge
        key oldGauge: String
            domain    keychain
            security  keychain afterFirstUnlock
            until     0.9
        key locket: String
            domain    keychain
            security  keychain afterFirstUnlock
            sync      automaticSmall
            migrates  from oldLocket
        key oldLocket: String
            domain    userDefaults suite "com.example.former"
            security  none
            until     0.9
        key shelf: String
            domain    appGroupFileSystem "group.com.example" documents
            security  none
            sync      automaticSmall
            migrates  from oldShelf
        key oldShelf: String
            name      "shelf"
            domain    fileSystem custom "/Containers/Shared/AppGroup/group.com.example/Documents"
            security  none
            until     0.9
        key drawer: String
            domain        appGroupFileSystem "group.com.example" documents
            access group  "group.com.example"
            sync          automaticSmall
            migrates      from oldDrawer
        key oldDrawer: String
            name      "drawer"
            domain    fileSystem custom "/private/Containers/Shared/AppGroup/group.com.example/Documents"
            security  none
            until     0.9
        key closet: String
            domain    fileSystem custom "/Containers/Shared/AppGroup/group.com.example/Documents"
            security  none
            sync      automaticSmall
            migrates  from oldCloset
        key oldCloset: String
            name      "closet"
            domain    appGroupFileSystem "group.com.example" documents
            security  none
            until     0.9
        key plaque: String
            domain    fileSystem documents
            security  none
            sync      automaticSmall
            migrates  from oldPlaque
        key oldPlaque: String
            name      "Plaque"
            domain    fileSystem documents
            security  none
            until     0.9
        key medal: String
            domain    fileSystem documents
            sync      automaticSmall
            migrates  from oldMedal
        key oldMedal: String
            name      "Medal"
            domain    fileSystem documents
            security  none
            until     0.9
        key amulet: String
            domain        keychain service "com.example.amulets"
            security      keychain afterFirstUnlock
            access group  "group.com.example"
            sync          automaticSmall
        key charm: String
            domain        keychain service "com.example.charms"
            access group  "group.com.example"
            sync          automaticSmall

        settle
        """
}

extension ScenarioStep {
    /// Coming to rest without a time in which it must be: other steps and other knobs take another time.
    fileprivate var withoutLimit: ScenarioStep {
        guard case .time(.settle(limit: _?)) = action else { return self }
        return ScenarioStep(.time(.settle(limit: nil)), range: range, source: source, phase: phase, block: block)
    }
}

extension ScenarioStep.Action {
    var isExpectation: Bool {
        if case .expect = self { true } else { false }
    }

    /// Whether storage says from now on that what it has is not there.
    fileprivate var deniesWhatIsThere: Bool {
        guard case .fault(let step) = self else { return false }
        return switch step.action {
        case .disk(_, _, let error), .preferences(_, _, let error): error == .ENOENT || error == .ENOTDIR
        case .keychain(_, _, let status): status == .itemNotFound
        default: false
        }
    }
}

extension Scenario {
    /// The same with other steps, and another order if one is given.
    func keeping(
        steps: [ScenarioStep], order: ReadyOrder? = nil, seed: UInt64? = nil, knobs: Knobs? = nil, start: StartState? = nil
    ) -> Scenario {
        Scenario(
            name: name, path: path, header: header, row: row, keys: keys, catalogs: catalogs, start: start ?? self.start,
            knobs: knobs ?? self.knobs,
            seed: seed ?? self.seed, order: order ?? self.order, steps: steps)
    }
}
