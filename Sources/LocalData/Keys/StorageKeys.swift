/// The namespace that apps extend with their keys, after the pattern of `Notification.Name`.
///
/// ```swift
/// extension StorageKeys {
///     struct ThemeKey: StorageKey { … }
/// }
/// ```
public enum StorageKeys {}
