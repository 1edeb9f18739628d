import DeviceSimCore

/// The remedy of P46: what may be larger than 2 147 483 647 is an `Int64`, on both devices.
final class WideNumberApp: NarrowNumberApp, @unchecked Sendable {
    override func size(of any: Any?) -> Int64? { any as? Int64 }
}
