/// `any` as a `Value`, if that is exactly its type: no bridging, no conversion, no subclass.
///
/// A conditional cast looks for every conversion that Swift and Foundation know between two types, which costs thousands of instructions where the types
/// are not equal and hundreds where they are. The dictionaries that sessions hand out are made of exact values, so their readings ask for these first.
@inlinable
package func exactly<Value>(_ any: Any, as type: Value.Type = Value.self) -> Value? {
    func open<Actual>(_ actual: Actual) -> Value? {
        // The types are the same, so the bits are.
        Actual.self == Value.self ? unsafeBitCast(actual, to: Value.self) : nil
    }
    return _openExistential(any, do: open)
}
