import Foundation

extension Serializer {
    public static var json: Serializer {
        Serializer(
            name: "json",
            encode: { try JSONEncoder().encode($0) },
            decode: { try JSONDecoder().decode(Value.self, from: $0) }
        )
    }
}
