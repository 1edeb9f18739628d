extension Vocabulary {
    static let keyForms: [Form] = [
        Form(
            .expect, "EXPECT DEVICE KEY sealed by primary key [TIMING]", "the value is sealed with the master key that seals new values",
            example: "expect phone token sealed by primary key"
        ) { keyed($0) { .sealed($0, $1, .primaryKey) } },
        Form(
            .expect, "EXPECT DEVICE KEY sealed by old key [TIMING]", "the value is sealed with another master key, be it there or not",
            example: "expect phone token sealed by old key"
        ) { keyed($0) { .sealed($0, $1, .oldKey) } },
        Form(
            .expect, "EXPECT DEVICE KEY sealed by source STRING [TIMING]", "the value is sealed with external key material of that source",
            example: "expect phone token sealed by source \"remote.1\""
        ) { match in
            match.string().flatMap { source in keyed(match) { .sealed($0, $1, .source(source)) } }
        },
        Form(
            .expect, "EXPECT DEVICE has NUMBER master (key | keys) [TIMING]", "so many master keys are in the keychain",
            example: "expect phone has 1 master key"
        ) { match in
            match.count(.number).flatMap { count in onDevice(match) { .masterKeys($0, count) } }
        },
    ]
}
