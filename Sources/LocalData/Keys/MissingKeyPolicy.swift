/// What becomes of a sealed value whose master key verifiably is not on this device, such as after a backup was restored to another device and the
/// keychain did not come along.
///
/// A key that is merely out of reach, on a locked device or with a failing keychain, is not missing: nothing is decided then. Neither is anything
/// decided about key material of a provider (``KeyMaterialProviding``), which may supply it later.
///
/// Neither is anything decided where another process may have the key: in an App Group, outside of the app's own container, and of a key with a
/// ``StorageKey/accessGroup``. Such a value is reported, whatever the policy.
///
/// Whatever the policy, a synced value is healed: any version that the counterpart holds takes the place of one that nobody can open any more.
public enum MissingKeyPolicy: String, Sendable, Hashable, CaseIterable {
    /// Reading throws ``StorageError/Code/keyMissing`` until the app sets or removes the value, or the counterpart's version arrives.
    case report
    /// Reading removes what cannot be opened, and finds no value. That is no deletion: the counterpart keeps its value, and gives it back.
    case discard
}
