import Foundation
import LocalData

/// Key material that a server would hold: always the same for one source and name, another for others. Nothing about it is secret.
struct SimulatedKeyMaterial: KeyMaterialProviding {
    let source: KeyMaterialSource

    func keyMaterial(for keyName: String) async throws -> Data {
        Data("\(source.id)\u{0}\(keyName)\u{0}a simulated server's key material".utf8)
    }
}
