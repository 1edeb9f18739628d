/// Leaves types out that are of a user interface: views, scenes, widgets, controllers, their extensions, previews, and members that return views. No host
/// draws them, and what shared files need beside them is compiled.
struct InterfaceCutter {
    /// What a type conforms to, or inherits from, that is of an interface.
    static let types: Set<Substring> = [
        // SwiftUI
        "App", "ButtonStyle", "Commands", "DynamicViewContent", "GaugeStyle", "InsettableShape", "LabelStyle", "Layout", "PreviewProvider",
        "PrimitiveButtonStyle", "ProgressViewStyle", "Scene", "Shape", "TextFieldStyle", "ToggleStyle", "ToolbarContent", "View",
        "ViewModifier",
        "NSViewControllerRepresentable", "NSViewRepresentable", "UIViewControllerRepresentable", "UIViewRepresentable",
        "WKInterfaceObjectRepresentable",
        // WidgetKit and ClockKit
        "AppIntentTimelineProvider", "ControlWidget", "IntentTimelineProvider", "TimelineEntry", "TimelineProvider", "Widget",
        "WidgetBundle",
        "CLKComplicationDataSource",
        // UIKit and WatchKit
        "UIButton", "UICollectionViewCell", "UICollectionViewController", "UIControl", "UIHostingController", "UIImageView", "UILabel",
        "UINavigationController", "UIPageViewController", "UISplitViewController", "UIStackView", "UITabBarController", "UITableViewCell",
        "UITableViewController", "UIView", "UIViewController", "UIWindow", "WKHostingController", "WKInterfaceController",
        "WKUserNotificationHostingController", "WKUserNotificationInterfaceController",
    ]

    /// A part of a file that is left out.
    struct Cut: Equatable {
        /// In tokens.
        let tokens: Range<Int>
        /// `ContentView`, or `#Preview`.
        let name: String
        /// What makes it one of an interface.
        let reason: String
        /// Whether the session calls it as well.
        let isSessionDelegate: Bool
    }

    /// The names of all types of a module that are left out: those that conform to one of ``types``, and those that inherit from them.
    ///
    /// - Parameter keeping: Types that are kept all the same.
    static func names(among declarations: [TypeDeclaration], keeping: Set<String> = []) -> Set<Substring> {
        // What the module declares itself is not the system's type of that name.
        let own = Set(declarations.filter { $0.keyword != "extension" && $0.isAtTopLevel }.map(\.name.text))
        let system = types.subtracting(own)
        var cut: Set<Substring> = []
        while true {
            let more = declarations.filter { declaration in
                declaration.keyword != "protocol" && !cut.contains(declaration.name.text)
                    && !keeping.contains(String(declaration.name.text))
                    && declaration.inherited.contains { system.contains($0) || cut.contains($0) }
            }
            if more.isEmpty { return cut.union(system) }
            cut.formUnion(more.map(\.name.text))
        }
    }

    /// What is left out of a file.
    /// - Parameter names: Those of ``names(among:keeping:)``, of all files of the module.
    static func cuts(in tokens: [Token], names: Set<Substring>, keeping: Set<String> = []) -> [Cut] {
        var cuts = TypeDeclaration.all(in: tokens).compactMap { declaration -> Cut? in
            guard declaration.keyword != "typealias", !keeping.contains(String(declaration.name.text)) else { return nil }
            let isNamed =
                names.contains(declaration.name.text) && (declaration.keyword == "extension" || !types.contains(declaration.name.text))
            let interface = declaration.inherited.first { names.contains($0) }
            guard isNamed || interface != nil else { return nil }
            let reason = interface.map { "is \("AEIO".contains($0.prefix(1)) ? "an" : "a") \($0)" } ?? "is of the user interface"
            return Cut(
                tokens: declaration.tokens, name: "\(declaration.keyword == "extension" ? "extension " : "")\(declaration.name.text)",
                reason: reason, isSessionDelegate: declaration.inherited.contains("WCSessionDelegate"))
        }
        cuts += members(in: tokens, names: names) + previews(in: tokens)
        cuts.sort { ($0.tokens.lowerBound, -$0.tokens.upperBound) < ($1.tokens.lowerBound, -$1.tokens.upperBound) }
        var end = 0
        return cuts.filter { cut in
            guard cut.tokens.lowerBound >= end, hasWholeConditions(tokens[cut.tokens]) else { return false }
            end = cut.tokens.upperBound
            return true
        }
    }

    /// Functions and properties that return `some View`.
    private static func members(in tokens: [Token], names: Set<Substring>) -> [Cut] {
        tokens.indices.compactMap { index in
            guard tokens[index].isWord("func") || tokens[index].isWord("var"), index + 1 < tokens.count else { return nil }
            var position = index + 1
            var depth = 0
            var returned: Substring?
            while position < tokens.count {
                let token = tokens[position]
                if depth == 0, token.isSign("{") { break }
                if depth == 0, token.isSign("}") || token.isSign("=") || token.isWord("func") || token.isWord("var") || token.isWord("let")
                {
                    return nil
                }
                if token.isSign("(") || token.isSign("[") { depth += 1 }
                if token.isSign(")") || token.isSign("]") { depth -= 1 }
                if token.isWord("some"), position + 1 < tokens.count {
                    var name = position + 1
                    while name + 2 < tokens.count, tokens[name + 1].isSign("."), tokens[name + 2].kind == .word { name += 2 }
                    if names.contains(tokens[name].text) { returned = tokens[name].text }
                }
                position += 1
            }
            guard let returned, let end = tokens.closing(of: position) else { return nil }
            return Cut(
                tokens: tokens.startOfDeclaration(at: index)..<(end + 1), name: String(tokens[index + 1].text),
                reason: "is some \(returned)",
                isSessionDelegate: false)
        }
    }

    private static func previews(in tokens: [Token]) -> [Cut] {
        tokens.indices.compactMap { index in
            guard tokens[index].kind == .directive, tokens[index].text == "#Preview" else { return nil }
            var position = index + 1
            if position < tokens.count, tokens[position].isSign("("), let close = tokens.closing(of: position) { position = close + 1 }
            guard position < tokens.count, tokens[position].isSign("{"), let end = tokens.closing(of: position) else { return nil }
            return Cut(tokens: index..<(end + 1), name: "#Preview", reason: "is a preview", isSessionDelegate: false)
        }
    }

    /// Whether conditions of compilation begin and end in it.
    static func hasWholeConditions(_ tokens: ArraySlice<Token>) -> Bool {
        var depth = 0
        for token in tokens where token.kind == .directive {
            switch token.text {
            case "#if": depth += 1
            case "#endif": depth -= 1
            case "#else", "#elseif": if depth == 0 { return false }
            default: break
            }
            if depth < 0 { return false }
        }
        return depth == 0
    }
}

/// Takes `@main` and its older forms off: a made module is a library, whose tests are the program.
enum EntryPointRewriter {
    private static let attributes: Set<Substring> = ["main", "UIApplicationMain", "NSApplicationMain"]

    static func edits(for tokens: [Token]) -> [SourceEdit] {
        tokens.indices.dropFirst().compactMap { index in
            guard tokens[index].kind == .word, attributes.contains(tokens[index].text), tokens[index - 1].isSign("@"),
                tokens[index - 1].range.upperBound == tokens[index].range.lowerBound
            else { return nil }
            return SourceEdit(range: tokens[index - 1].range.lowerBound..<tokens[index].range.upperBound, text: "")
        }
    }
}
