import Foundation
import LocalData

/// Between scenario values and the types of keys that an embedding test registered, by way of `AnyCodable`.
extension ScenarioValue {
    package init(encoding value: some Encodable) throws {
        let data = try JSONEncoder().encode(value)
        self = try JSONDecoder().decode(AnyCodable.self, from: data).scenarioValue
    }

    package func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
        guard let any = AnyCodable(self) else {
            throw StorageError(.encodingFailed, facts: ["JSON cannot say this value"])
        }
        return try JSONDecoder().decode(type, from: JSONEncoder().encode(any))
    }
}
