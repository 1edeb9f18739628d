/// Numbers as reports write them: the same in every locale.
enum Decimals {
    static func fixed(_ value: Double, places: Int) -> String {
        let scale = (0..<places).reduce(1) { scale, _ in scale * 10 }
        let units = (max(0, value) * Double(scale)).rounded()
        guard units < Double(Int.max / 2) else { return "\(value)" }
        let (whole, part) = Int(units).quotientAndRemainder(dividingBy: scale)
        guard places > 0 else { return "\(whole)" }
        let digits = String(part)
        return "\(whole)." + String(repeating: "0", count: places - digits.count) + digits
    }
}
