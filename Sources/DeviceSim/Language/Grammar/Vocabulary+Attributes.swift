import Foundation
import LocalData

extension Vocabulary {
    static let attributes: [Form] =
        domainForms + securityForms + formerSecurityForms + [
            attribute("name STRING", "the stored name; otherwise the key's own", example: "name \"user.theme\"", "name") { match in
                match.string().map { name in { $0.name = name } }
            },
            attribute("serializer json", "values are stored as JSON (the default)", example: "serializer json", "serializer") { _ in
                { $0.serializer = .json }
            },
            attribute("serializer plist", "values are stored as property lists", example: "serializer plist", "serializer") { _ in
                { $0.serializer = .plist }
            },
            attribute(
                "serializer data", "values are stored as they are; for keys of the type Data", example: "serializer data", "serializer"
            ) { _ in
                { $0.serializer = .data }
            },
            attribute(
                "serializer custom STRING", "values are stored by the app's own code, named so", example: "serializer custom \"reversed\"",
                "serializer"
            ) {
                match in match.string().map { name in { $0.serializer = .custom(name) } }
            },
            attribute(
                "schema COUNT", "the version of the values' form, which older versions of the app must not touch; otherwise 1",
                example: "schema 2", "schema"
            ) { match in match.count().map { version in { $0.schemaVersion = version } } },
            attribute("owner STRING", "who answers for the data; otherwise \"Scenario\"", example: "owner \"Settings\"", "owner") { match in
                match.string().map { owner in { $0.owner = owner } }
            },
            attribute(
                "description STRING", "what the data is for; otherwise the key's name", example: "description \"The chosen theme\"",
                "description"
            ) {
                match in match.string().map { text in { $0.description = text } }
            },
            attribute(
                "availability AVAILABILITY", "the devices that the key exists on; otherwise `all`", example: "availability phoneOnly",
                "availability"
            ) {
                match in
                match.word(.availability).flatMap { PlatformAvailability(rawValue: $0) }.map { value in { $0.availability = value } }
            },
            attribute("sync SYNC", "whether the value travels; otherwise `never`", example: "sync automaticSmall", "sync") { match in
                match.word(.sync).flatMap { SyncPolicy(rawValue: $0) }.map { value in { $0.syncPolicy = value } }
            },
            attribute(
                "access group STRING",
                "the keychain access group that shares the value or its master key with the app's widget; in the keychain only with a service, since without one each process looks under its own bundle identifier",
                example: "access group \"group.com.example\"", "access group"
            ) { match in match.string().map { group in { $0.accessGroup = group } } },
            attribute(
                "watch form first COUNT",
                "the phone sends the watch a smaller form: the first so many characters of a text, bytes of data or elements of a list",
                example: "watch form first 8", "watch form"
            ) { match in match.count().map { length in { $0.watchForm = WatchForm(first: length) } } },
            attribute(
                "missing key report", "reading the value fails where its master key is not on the device (the default)",
                example: "missing key report", "missing"
            ) { _ in
                { $0.missingKeyPolicy = .report }
            },
            attribute(
                "missing key discard", "reading removes a value whose master key is not on the device", example: "missing key discard",
                "missing"
            ) { _ in
                { $0.missingKeyPolicy = .discard }
            },
            attribute(
                "catalog NAME", "the catalog that lists the key; otherwise one that lists all", example: "catalog Settings", "catalog"
            ) { match in
                match.word(.name).map { name in { $0.catalog = name } }
            },
            attribute("unregistered", "no catalog lists the key", example: "unregistered", "catalog") { _ in { $0.catalog = nil } },
            attribute(
                "listed as STRING",
                "the name is made at run time, and the catalog lists what stands for all such names: each part in angle brackets for any text",
                example: "listed as \"draft_<id>\"", "listed as"
            ) { match in
                match.placeholder().map { name in { $0.placeholder = name } }
            },
            attribute("since VERSION", "the first version of the app that has the key", example: "since 2.0", "since") { match in
                match.version().map { version in { $0.since = version } }
            },
            attribute("until VERSION", "the last version of the app that has the key", example: "until 1.9", "until") { match in
                match.version().map { version in { $0.until = version } }
            },
        ] + migrationForms

    private static let domainForms: [Form] = [
        domain(
            "domain userDefaults [suite STRING]", "in the app's preferences (the default), or those of a suite",
            example: "domain userDefaults"
        ) {
            .userDefaults(suite: $0.string())
        },
        domain(
            "domain appGroupUserDefaults STRING", "in preferences that apps share",
            example: "domain appGroupUserDefaults \"group.com.example\""
        ) {
            $0.string().map { .appGroupUserDefaults(identifier: $0) }
        },
        domain("domain keychain [service STRING]", "in the keychain; the service is the app's own otherwise", example: "domain keychain") {
            .keychain(service: $0.string())
        },
        domain("domain fileSystem DIRECTORY", "in a file", example: "domain fileSystem documents") {
            directory($0).map { .fileSystem(directory: $0) }
        },
        domain(
            "domain fileSystem custom STRING", "in a file of a directory given by its absolute path",
            example: "domain fileSystem custom \"/data\""
        ) {
            customDirectory($0).map { .fileSystem(directory: $0) }
        },
        domain("domain encryptedFileSystem DIRECTORY", "in a file of complete protection", example: "domain encryptedFileSystem documents")
        {
            directory($0).map { .encryptedFileSystem(directory: $0) }
        },
        domain(
            "domain encryptedFileSystem custom STRING", "in such a file of a directory given by its absolute path",
            example: "domain encryptedFileSystem custom \"/data\""
        ) { customDirectory($0).map { .encryptedFileSystem(directory: $0) } },
        domain(
            "domain appGroupFileSystem STRING DIRECTORY", "in a file that apps share",
            example: "domain appGroupFileSystem \"group.com.example\" documents"
        ) { match in
            guard let group = match.string(), let directory = directory(match) else { return nil }
            return .appGroupFileSystem(identifier: group, directory: directory)
        },
        domain(
            "domain appGroupFileSystem STRING custom STRING", "in such a file of a directory given by its absolute path",
            example: "domain appGroupFileSystem \"group.com.example\" custom \"/Containers/Shared/AppGroup/group.com.example/notes\""
        ) { match in
            guard let group = match.string(0), let directory = customDirectory(match, 1) else { return nil }
            return .appGroupFileSystem(identifier: group, directory: directory)
        },
    ]

    private static func domain(
        _ pattern: String, _ help: String, example: String, _ domain: @escaping @Sendable (Match) -> StorageDomain?
    ) -> Form {
        attribute(pattern, help, example: example, "domain") { match in domain(match).map { domain in { $0.domain = domain } } }
    }

    private static func directory(_ match: Match) -> FileDirectory? {
        match.word(.directory).map { $0 == "caches" ? .caches : .documents }
    }

    private static func customDirectory(_ match: Match, _ index: Int = 0) -> FileDirectory? {
        guard let path = match.string(index), let capture = match.capture(.string, index) else { return nil }
        guard path.hasPrefix("/"), !path.split(separator: "/").contains("..") else {
            match.diagnose(capture.range, "a directory of one's own is an absolute path without `..`", hint: "such as \"/data\"")
            return nil
        }
        return .custom(URL(fileURLWithPath: path, isDirectory: true))
    }

    /// A line of a key's block. `change` gives `nil` for a line that means nothing, and reports that.
    static func attribute(
        _ pattern: String, _ help: String, example: String, _ aspect: String,
        _ change: @escaping @Sendable (Match) -> ((inout KeyDeclaration) -> Void)?
    ) -> Form {
        Form(.attribute, pattern, help, example: example) { match in
            change(match).map { .attribute(KeyAttribute(aspect: aspect, range: match.range, apply: $0)) }
        }
    }
}
