/// How a change is drawn, as SwiftUI has it. Nothing is drawn here.
public struct Animation: Hashable, Sendable {
    /// The usual.
    public static let `default` = Animation()
    /// Slow at both ends.
    public static let easeInOut = Animation()
    /// Slow at the beginning.
    public static let easeIn = Animation()
    /// Slow at the end.
    public static let easeOut = Animation()
    /// Always as fast.
    public static let linear = Animation()
    /// As a spring.
    public static let spring = Animation()

    /// Slow at both ends.
    public static func easeInOut(duration: Double) -> Animation { Animation() }
    /// Slow at the beginning.
    public static func easeIn(duration: Double) -> Animation { Animation() }
    /// Slow at the end.
    public static func easeOut(duration: Double) -> Animation { Animation() }
    /// Always as fast.
    public static func linear(duration: Double) -> Animation { Animation() }
    /// As a spring.
    public static func spring(response: Double = 0.5, dampingFraction: Double = 0.825, blendDuration: Double = 0) -> Animation {
        Animation()
    }
    /// As a spring.
    public static func spring(duration: Double, bounce: Double = 0, blendDuration: Double = 0) -> Animation { Animation() }
    /// As a spring.
    public static func interpolatingSpring(mass: Double = 1, stiffness: Double, damping: Double, initialVelocity: Double = 0) -> Animation {
        Animation()
    }
    /// As a spring.
    public static let bouncy = Animation(), smooth = Animation(), snappy = Animation(), interactiveSpring = Animation()

    /// The same, later.
    public func delay(_ delay: Double) -> Animation { self }
    /// The same, as much faster.
    public func speed(_ speed: Double) -> Animation { self }
    /// The same, so many times.
    public func repeatCount(_ count: Int, autoreverses: Bool = true) -> Animation { self }
    /// The same, again and again.
    public func repeatForever(autoreverses: Bool = true) -> Animation { self }
}

/// Makes a change, which nothing draws here.
public func withAnimation<Result>(_ animation: Animation? = .default, _ body: () throws -> Result) rethrows -> Result { try body() }

/// A colour, as models keep it. It tells itself from others, and is not drawn.
public struct Color: Hashable, Sendable, CustomStringConvertible {
    /// Its name, or its parts.
    public let description: String

    /// What a colour's parts are parts of.
    public enum RGBColorSpace: Hashable, Sendable {
        /// One of the spaces.
        case sRGB, sRGBLinear, displayP3
    }

    private init(named name: String) { description = name }

    /// A colour of the app's assets.
    public init(_ name: String) { description = name }
    /// A colour by its parts, from 0 to 1.
    public init(red: Double, green: Double, blue: Double, opacity: Double = 1) { description = "\(red) \(green) \(blue) \(opacity)" }
    /// A colour by its parts, from 0 to 1.
    public init(_ space: RGBColorSpace, red: Double, green: Double, blue: Double, opacity: Double = 1) {
        self.init(red: red, green: green, blue: blue, opacity: opacity)
    }
    /// A colour by hue, saturation and brightness, from 0 to 1.
    public init(hue: Double, saturation: Double, brightness: Double, opacity: Double = 1) {
        description = "hue \(hue) \(saturation) \(brightness) \(opacity)"
    }
    /// A grey, from 0 to 1.
    public init(white: Double, opacity: Double = 1) { description = "\(white) \(opacity)" }

    /// The same colour, to be seen through.
    public func opacity(_ opacity: Double) -> Color { Color("\(description) \(opacity)") }

    /// A colour of that name.
    public static let red = Color(named: "red"), orange = Color(named: "orange"), yellow = Color(named: "yellow")
    /// A colour of that name.
    public static let green = Color(named: "green"), mint = Color(named: "mint"), teal = Color(named: "teal"), cyan = Color(named: "cyan")
    /// A colour of that name.
    public static let blue = Color(named: "blue"), indigo = Color(named: "indigo"), purple = Color(named: "purple"),
        pink = Color(named: "pink")
    /// A colour of that name.
    public static let brown = Color(named: "brown"), white = Color(named: "white"), gray = Color(named: "gray"),
        black = Color(named: "black")
    /// A colour of that name.
    public static let clear = Color(named: "clear"), primary = Color(named: "primary"), secondary = Color(named: "secondary")
    /// A colour of that name.
    public static let accentColor = Color(named: "accentColor")
}

/// The key of a text that is translated, as SwiftUI has it.
public struct LocalizedStringKey: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// The key.
    public let key: String

    /// A key by its text.
    public init(_ value: String) { key = value }
    public init(stringLiteral value: String) { key = value }
}
