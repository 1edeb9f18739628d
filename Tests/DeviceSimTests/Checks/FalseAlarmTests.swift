import DeviceSim
import DeviceSimLanguage
import Testing

@testable import DeviceSimSearch

/// Runs in which LocalData does as it should, and which a search once called failing. Each was found among 10,000 runs over a folder of scenarios.
@Suite struct FalseAlarmTests {
    @Test(arguments: [
        (
            "a key at the place that another key's value comes from",
            """
            key before: String
                name      "vault"
                domain    fileSystem documents
                security  none
                until     3.9
            key mine: String
                security  none
                since     4.0
                migrates  from before
            key vault: String
                domain        fileSystem documents
                security      none
                availability  phoneOnly
                since         4.0

            start phone version 3.9
            start watch version 3.9

            phone update to 4.0
            phone launch
            phone set mine "first"
            together
                phone set vault "first"
                phone get vault
            """
        ),
        (
            "audit of a secret that went with a face",
            """
            key diary: String
                security  none
            key old: String
                domain    keychain service "z"
                security  keychain whenUnlocked biometryCurrentSet
                until     1.9

            start phone with biometry
            start phone version 1.9

            phone plant old "first"
            phone overwrite attribute of old with "com.example.app.item.of.an.older.version"
            phone update to 2.0
            phone launch
            phone biometry changed
            settle
            """
        ),
        (
            "choice for the name in an earlier version",
            """
            key settings: Any
                domain    keychain service "com.example.shared"
                security  none
                sync      automaticSmall
                access    group "group.com.example"
                since     2.0
            key settingsBefore: Any
                name      "settings"
                domain    keychain service "com.example.shared"
                security  none
                sync      automaticSmall
                access    group "group.com.example"
                until     1.9

            start phone version 2.0

            watch overrides sync of settingsBefore with never
            watch set settingsBefore "first"
            settle
            """
        ),
        (
            "version that a restore brings back",
            """
            key accent: String
                security  none
                sync      automaticSmall
                since     2.0

            start phone version 2.0

            phone set accent "first"
            watch backup as strewn2
            watch update to 2.0
            watch restore from strewn2

            watch unlock
            watch launch
            """
        ),
        (
            "choice for what a key is moved from",
            """
            key v1: String
                name      "val"
                security  none
                sync      automaticSmall
                until     1.9
            key v2: String
                name      "VAL"
                security  none
                sync      automaticSmall
                since     2.0
                migrates  from v1

            watch set v1 "first"
            phone update to 2.0
            phone launch
            watch overrides sync of v1 with never
            watch update to 2.0
            watch launch
            settle
            """
        ),
        (
            "migration that waits for a person",
            """
            key pin: String
                security  none
                until     1.9
            key pinNow: String
                domain    keychain
                security  keychain whenUnlocked biometryAny
                since     2.0
                migrates  from pin

            start phone with biometry

            phone set pin "first"
            phone person is away
            phone update to 2.0
            phone launch
            phone migrate pinNow
            """
        ),
        (
            "choice before an update",
            """
            key before: String
                name      "note"
                domain    appGroupFileSystem "group.app" documents
                security  none
                sync      automaticSmall
                until     1.9
            key note: String
                domain    appGroupFileSystem "group.app" documents
                security  none
                formerly  none
                sync      automaticSmall
                since     2.0

            start phone version 1.9

            watch update to 2.0
            watch launch
            phone overrides sync of before with never
            phone set before "first"
            phone update to 2.0
            phone launch
            settle
            """
        ),
        (
            "sealing anew of what nobody opens",
            """
            key before: String
                name      "vault"
                domain    keychain
                security  keychain whenUnlocked biometryCurrentSet
                until     1.9
            key vault: String
                domain    keychain
                security  keychain whenUnlocked biometryAny
                since     2.0

            start phone with biometry
            start phone version 1.9

            phone set before "first"
            phone biometry changed
            phone update to 2.0
            phone launch
            phone reseal values
            settle
            phone get vault
            """
        ),
        (
            "list of places that the app wrote over",
            """
            key draft: String
                domain  userDefaults suite "old"
                until   1.9
            key draftAgain: String
                name      "draft"
                security  none
                since     3.0
            key own: String
                security  none

            phone set draft "first"
            phone write file "Library/Application Support/LocalData/places.json" base64("Quk/YNUWlkfgvA==")
            phone update to 2.0
            phone launch
            settle
            """
        ),
        (
            "choice for keys of some versions",
            """
            key pin: String
                security  none
                until     1.9
            key pin3: String
                name      "pin"
                security  none
                since     3.0

            phone overrides sync of pin with automaticSmall
            watch overrides sync of pin with automaticSmall
            phone set pin "first"
            settle
            """
        ),
        (
            "name of a kind",
            """
            key text: String
                name      "count"
                domain    fileSystem documents
                security  none
                listed    as "<id>"

            watch write file "Documents/own1" "own "
            settle
            """
        ),
        (
            "key that comes back without its value",
            """
            key card1: String
                name      "card"
                domain    fileSystem documents
                security  none
                sync      automaticSmall
                until     1.9
            key card2: String
                name      "card"
                domain    fileSystem caches
                security  none
                sync      automaticSmall
                since     2.0
                until     2.9
                migrates  from card1
            key card3: String
                name      "card"
                domain    fileSystem documents
                security  none
                sync      automaticSmall
                since     3.0
                schema    2

            start phone version 3.0

            phone set card3 "first"
            settle
            phone set card3 "second"
            phone terminate
            phone launch
            phone set card3 "second"
            watch update to 2.0
            watch launch
            settle

            watch update to 3.0
            watch launch
            settle
            """
        ),
        (
            "value that cannot be stored beside a link that comes and goes",
            """
            key note: String
                domain    fileSystem documents
                security  none
                sync      automaticSmall

            knob reachability.flapAfter 20s
            knob reachability.flapEndsByItself true

            phone disk fails every syncFile from 3 with EACCES
            watch set note "first"
            settle
            watch set note "first"
            wait 1h
            """
        ),
        (
            "place that apps use under another declaration",
            """
            key k2: String
                name      "n2"
                security  none
                sync      automaticSmall
                since     2.0
                until     2.9
            key k3: String
                name      "n3"
                domain    keychain
                security  keychain whenUnlocked
                sync      automaticSmall
                since     3.0
                until     3.9
                migrates  from p2
            key k4: String
                name      "n4"
                domain    keychain
                security  keychain whenUnlocked
                sync      automaticSmall
                since     4.0
                until     4.9
                migrates  from p3
            key k5: String
                name      "n5"
                security  none
                sync      automaticSmall
                since     5.0
                migrates  from p4
            key p2: String
                name      "n2"
                security  none
                until     0.9
            key p3: String
                name      "n3"
                domain    keychain
                security  keychain whenUnlocked
                until     0.9
            key p4: String
                name      "n4"
                domain    keychain
                security  keychain whenUnlocked
                until     0.9

            phone plant p2 "first"
            watch plant p4 "first"
            phone update to 3.0
            phone launch
            phone remove k3
            phone update to 4.0
            phone launch
            settle
            phone update to 5.0
            phone launch
            watch update to 5.0
            watch launch
            settle
            """
        ),
    ])
    func nothingIsWrong(_ what: String, _ text: String) throws {
        let compilation = ScenarioCompiler.compile(path: "a", files: .memory(["a": text + "\nsettle\n"]))
        let violation = CheckedRun.covered(try #require(compilation.scenarios.first, "\(compilation.diagnostics)")).violation
        #expect(violation == nil, "\(what): \(violation?.explanation ?? [])")
    }
}
