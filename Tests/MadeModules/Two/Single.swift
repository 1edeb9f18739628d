#if canImport(MyAppCore)
    import MyAppCore
#endif

/// A file that is named by itself.
public let standard = MyAppCore.Operation(name: "standard")
