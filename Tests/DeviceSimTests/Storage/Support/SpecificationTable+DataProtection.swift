/// The tables of the specification of data protection, as printed there.
extension SpecificationTable {
    static let deviceStates = SpecificationTable(
        """
        | state | values |
        | --- | --- |
        | power | on · off |
        | boot phase | before first unlock · after first unlock (a reboot with a passcode set goes back to *before*) |
        | lock | locked · unlocked (without a passcode always unlocked) |
        | passcode | set · none |
        | biometry | none · enrolled, with a set identity that changes with every edit |
        | device identity | decides what "this device only" means after a restore |
        | grace | class-A keys are discarded about 10 s after locking |
        """)

    static let keychainAccessibility = SpecificationTable(
        """
        | class | before first unlock | locked | unlocked | no passcode | restored, same device | restored, other device | passcode removed |
        | --- | --- | --- | --- | --- | --- | --- | --- |
        | whenUnlocked (default) | −25308 | −25308 | ok | ok | ok | ok from an encrypted backup | kept |
        | afterFirstUnlock | −25308 | ok | ok | ok | ok | ok from an encrypted backup | kept |
        | always (deprecated) | ok | ok | ok | ok | ok | ok | kept |
        | whenUnlockedThisDeviceOnly | −25308 | −25308 | ok | ok | ok | missing | kept |
        | afterFirstUnlockThisDeviceOnly | −25308 | ok | ok | ok | ok | missing | kept |
        | alwaysThisDeviceOnly (deprecated) | ok | ok | ok | ok | ok | missing | kept |
        | whenPasscodeSetThisDeviceOnly | −25308 | −25308 | ok | add gives −25293 | missing (K) | missing | deleted, for good |
        """)

    static let keychainOperations = SpecificationTable(
        """
        | situation | add | read | update | delete |
        | --- | --- | --- | --- | --- |
        | no such item | ok | −25300 | −25300 | −25300 |
        | item exists | −25299 | ok | ok | ok |
        | exists, the query names another accessibility | −25299 | −25300 | −25300 | −25300 |
        | its class is locked | −25308 | −25308, also for a mere existence query | −25308 | **ok** |
        | access-controlled, no interaction allowed | ok | −25308 | −25308 | ok |
        | access-controlled, user cancels | – | −128 | −128 | – |
        | access-controlled, authentication fails or nothing enrolled | – | −25293 | −25293 | – |
        | no entitlement, or a group without one | −34018 | −34018 | −34018 | −34018 |
        | store full | −25291 | | −25291 | |
        """)

    static let accessControl = SpecificationTable(
        """
        | policy | satisfied by | nothing enrolled | enrolment edited | all biometry removed |
        | --- | --- | --- | --- | --- |
        | userPresence | biometry or passcode | passcode works | works | works |
        | biometryAny | any enrolled biometry | −25293 | works | unreadable until enrolled again |
        | biometryCurrentSet | the same set as at creation | −25293 | **invalid for ever** | invalid for ever |
        | devicePasscode | passcode | works | works | works |
        | biometryAnyOrDevicePasscode | either | passcode | works | passcode |
        | biometryCurrentSetOrDevicePasscode | either | passcode | passcode only | passcode only |
        """)

    static let files = SpecificationTable(
        """
        | class | before first unlock | locked | unlocked | create while locked | handle open at lock |
        | --- | --- | --- | --- | --- | --- |
        | complete | EPERM | EPERM | ok | no | reads and writes begin to fail |
        | completeUnlessOpen | EPERM if it exists | EPERM if it exists | ok | yes | keeps working |
        | completeUntilFirstUserAuthentication (default) | EPERM | ok | ok | ok after first unlock | ok |
        | none | ok | ok | ok | ok | ok |
        """)
}
