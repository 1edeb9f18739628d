import Foundation
import SwiftOperators
import SwiftParser
import SwiftSyntax

/// Finds the places of a source where a mistake can be planted.
final class PlaceFinder: SyntaxVisitor {
    private let path: String
    private let converter: SourceLocationConverter
    private(set) var found: [Mutation] = []

    static func mutations(of source: String, path: String) -> [Mutation] {
        let parsed = Parser.parse(source: source)
        // What stands beside an operator that the table does not know stays as it was parsed.
        let tree = OperatorTable.standardOperators.foldAll(parsed) { _ in }
        let finder = PlaceFinder(path: path, tree: tree)
        finder.walk(tree)
        var counts: [String: Int] = [:]
        return finder.found.map { place in
            var place = place
            let name = place.identity
            place.ordinal = counts[name, default: 0]
            counts[name] = place.ordinal + 1
            return place
        }
    }

    private init(path: String, tree: Syntax) {
        self.path = path
        converter = SourceLocationConverter(fileName: path, tree: tree)
        super.init(viewMode: .sourceAccurate)
    }

    // MARK: What is passed over

    /// Other platforms' code, texts, and what only a compiler or a debugger looks at.
    override func visit(_: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_: AttributeSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_: ThrowStmtSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind { isText(node.name.text) ? .skipChildren : .visitChildren }

    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
        isText(node.bindings.first?.pattern.trimmedDescription ?? "") ? .skipChildren : .visitChildren
    }

    private func isText(_ name: String) -> Bool {
        let name = name.lowercased()
        return ["description", "explanation", "remedy", "sentence", "text", "title", "word", "hash"].contains { name.contains($0) }
    }

    // MARK: Statements

    override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
        guard let item = node.item.as(ExprSyntax.self) else {
            // A function that ends before something that is no call.
            if node.item.is(ExpressionStmtSyntax.self) { early(node) }
            return .visitChildren
        }
        guard !Self.isResult(node) else { return .visitChildren }
        let (call, isTried) = Self.call(in: item)
        if call?.is(FunctionCallExprSyntax.self) == true {
            guard !Self.isPassedOver(call) else { return .skipChildren }
            wrap(.dropped, node.item, "if !# { ", " }")
            if isTried, !item.trimmedDescription.contains("try?") {
                let swallowed = Self.oneLine(item).replacingOccurrences(of: "try ", with: "try? ")
                add(.swallowed, item, [edit(item, before: "if # { _ = \(swallowed) } else { "), edit(item, after: " }")])
            }
            early(node)
        } else if let assignment = item.as(InfixOperatorExprSyntax.self), Self.assigns(assignment) {
            wrap(.unset, node.item, "if !# { ", " }")
            early(node)
        }
        return .visitChildren
    }

    /// Whether it is all that a closure or a function with a result says.
    private static func isResult(_ node: CodeBlockItemSyntax) -> Bool {
        guard let list = node.parent?.as(CodeBlockItemListSyntax.self), list.count == 1, let around = list.parent else { return false }
        return around.is(ClosureExprSyntax.self) || around.is(AccessorBlockSyntax.self)
            || (around.parent?.is(FunctionDeclSyntax.self) == true && function(around: Syntax(node))?.returns != nil)
    }

    private static func call(in expression: ExprSyntax) -> (ExprSyntax?, isTried: Bool) {
        if let tried = expression.as(TryExprSyntax.self) { return (call(in: tried.expression).0, tried.questionOrExclamationMark == nil) }
        if let awaited = expression.as(AwaitExprSyntax.self) { return call(in: awaited.expression) }
        if let infix = expression.as(InfixOperatorExprSyntax.self), assigns(infix), infix.leftOperand.is(DiscardAssignmentExprSyntax.self) {
            return call(in: infix.rightOperand)
        }
        return (expression, false)
    }

    private static func assigns(_ node: InfixOperatorExprSyntax) -> Bool {
        if node.operator.is(AssignmentExprSyntax.self) { return true }
        let text = node.operator.trimmedDescription
        return text.hasSuffix("=") && !["==", "!=", "<=", ">=", "===", "!=="].contains(text)
    }

    private static func isPassedOver(_ call: ExprSyntax?) -> Bool {
        guard let name = call?.as(FunctionCallExprSyntax.self)?.calledExpression.trimmedDescription else { return false }
        return ["precondition", "preconditionFailure", "assert", "assertionFailure", "fatalError"].contains(name)
            || name.lowercased().contains("log")
    }

    /// Of a function without a result: it ends here.
    private func early(_ node: CodeBlockItemSyntax) {
        guard let function = Self.function(around: Syntax(node)), function.returns == nil else { return }
        add(.early, node.item, [edit(node.item, before: "if # { return }; ")])
    }

    private static func function(around node: Syntax) -> (returns: TypeSyntax?, isFunction: Bool)? {
        var parent = node.parent
        while let at = parent {
            if at.is(ClosureExprSyntax.self) || at.is(AccessorDeclSyntax.self) || at.is(InitializerDeclSyntax.self) { return nil }
            if let function = at.as(FunctionDeclSyntax.self) {
                let type = function.signature.returnClause?.type
                return (type?.trimmedDescription == "Void" ? nil : type, true)
            }
            if let variable = at.as(PatternBindingSyntax.self), variable.accessorBlock != nil {
                return (variable.typeAnnotation?.type, false)
            }
            parent = at.parent
        }
        return nil
    }

    override func visit(_ node: ReturnStmtSyntax) -> SyntaxVisitorContinueKind {
        guard let value = node.expression, let type = Self.function(around: Syntax(node))?.returns else { return .visitChildren }
        result(value, of: type)
        return .visitChildren
    }

    private func result(_ value: ExprSyntax, of type: TypeSyntax) {
        let text = value.trimmedDescription
        if type.is(OptionalTypeSyntax.self), text != "nil" {
            wrap(.absent, value, "(# ? nil : (", "))")
        } else if type.is(ArrayTypeSyntax.self) || type.trimmedDescription.hasPrefix("Set<"), text != "[]" {
            wrap(.empty, value, "(# ? [] : (", "))")
        } else if type.is(DictionaryTypeSyntax.self), text != "[:]" {
            wrap(.empty, value, "(# ? [:] : (", "))")
        } else if type.trimmedDescription == "Bool", text != "true", text != "false" {
            wrap(.negated, value, "(# != (", "))")
        }
    }

    override func visit(_ node: ForStmtSyntax) -> SyntaxVisitorContinueKind {
        guard node.awaitKeyword == nil else { return .visitChildren }
        let text = Self.oneLine(node.sequence)
        add(
            .first, node.sequence,
            [edit(node.sequence, before: "(# ? Array((\(text)).dropFirst()) : Array("), edit(node.sequence, after: "))")])
        add(
            .last, node.sequence,
            [edit(node.sequence, before: "(# ? Array(Array(\(text)).dropLast()) : Array("), edit(node.sequence, after: "))")])
        return .visitChildren
    }

    override func visit(_ node: SwitchCaseLabelSyntax) -> SyntaxVisitorContinueKind {
        guard let item = node.caseItems.last, item.whereClause == nil, Self.hasDefault(node) else { return .visitChildren }
        let edits = node.caseItems.filter { $0.whereClause == nil }.map { edit($0.pattern, after: " where !#") }
        add(.never, node, edits)
        return .visitChildren
    }

    private static func hasDefault(_ label: SwitchCaseLabelSyntax) -> Bool {
        guard let cases = label.parent?.parent?.as(SwitchCaseListSyntax.self) else { return false }
        return cases.contains { $0.as(SwitchCaseSyntax.self)?.label.is(SwitchDefaultLabelSyntax.self) == true }
    }

    // MARK: Conditions

    override func visit(_ node: ConditionElementSyntax) -> SyntaxVisitorContinueKind {
        if let condition = node.condition.as(ExprSyntax.self) {
            wrap(.negated, condition, "(# != (", "))")
            if node.parent?.parent?.is(GuardStmtSyntax.self) == true { wrap(.unless, condition, "(# || (", "))") }
        } else if let binding = node.condition.as(OptionalBindingConditionSyntax.self) {
            if let value = binding.initializer?.value {
                wrap(.absent, value, "(# ? nil : (", "))")
            } else {
                let name = binding.pattern.trimmedDescription
                add(.absent, binding.pattern, [edit(binding.pattern, after: " = (# ? nil : \(name))")])
            }
        }
        return .visitChildren
    }

    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        let name = node.operator.trimmedDescription
        let others = ["<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&", "+": "-", "-": "+"]
        if let other = others[name] {
            let kind: Mutation.Operator =
                switch name {
                case "==", "!=": .unequal
                case "&&", "||": .logic
                case "+", "-": .sign
                default: .bound
                }
            let mutated = "(\(Self.oneLine(node.leftOperand)) \(other) \(Self.oneLine(node.rightOperand)))"
            add(kind, node, [edit(node, before: "(# ? \(mutated) : ("), edit(node, after: "))")])
        } else if name == "??" {
            add(.fallback, node, [edit(node, before: "(# ? (\(Self.oneLine(node.rightOperand))) : ("), edit(node, after: "))")])
        }
        return .visitChildren
    }

    override func visit(_ node: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        guard let number = Int(node.literal.text), number < 1_000, let parent = node.parent else { return .visitChildren }
        let context = parent.parent?.parent ?? parent
        add(.offByOne, node, [edit(node, before: "(# ? \(number + 1) : "), edit(node, after: ")")], shown: Self.oneLine(context))
        return .visitChildren
    }

    override func visit(_ node: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        guard let parent = node.parent else { return .visitChildren }
        let isTrue = node.literal.text == "true"
        add(
            .flipped, node, [edit(node, before: "(# ? \(!isTrue) : "), edit(node, after: ")")], shown: Self.oneLine(parent.parent ?? parent)
        )
        return .visitChildren
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        let name = node.calledExpression.trimmedDescription
        guard name == "min" || name == "max" else { return .visitChildren }
        let other = (name == "min" ? "max" : "min") + Self.oneLine(node).dropFirst(3)
        add(.extreme, node, [edit(node, before: "(# ? \(other) : "), edit(node, after: ")")])
        return .visitChildren
    }

    // MARK: Noting

    private func wrap(_ kind: Mutation.Operator, _ node: some SyntaxProtocol, _ before: String, _ after: String) {
        add(kind, node, [edit(node, before: before), edit(node, after: after)])
    }

    private func edit(_ node: some SyntaxProtocol, before text: String) -> Mutation.Edit {
        let place = node.positionAfterSkippingLeadingTrivia.utf8Offset
        return Mutation.Edit(begin: place, end: place, text: text)
    }

    private func edit(_ node: some SyntaxProtocol, after text: String) -> Mutation.Edit {
        let place = node.endPositionBeforeTrailingTrivia.utf8Offset
        return Mutation.Edit(begin: place, end: place, text: text)
    }

    private func add(_ kind: Mutation.Operator, _ node: some SyntaxProtocol, _ edits: [Mutation.Edit], shown: String? = nil) {
        let first = converter.location(for: node.positionAfterSkippingLeadingTrivia).line
        let last = converter.location(for: node.endPositionBeforeTrailingTrivia).line
        let text = shown ?? Self.oneLine(node)
        found.append(
            Mutation(
                kind: kind, path: path, declaration: Self.declaration(around: Syntax(node)),
                original: text.count > 90 ? text.prefix(88) + " …" : text, lines: first...last, edits: edits))
    }

    private static func declaration(around node: Syntax) -> String {
        var names: [String] = []
        var parent = node.parent
        while let at = parent {
            if let function = at.as(FunctionDeclSyntax.self) { names.append(function.name.text) }
            if at.is(InitializerDeclSyntax.self) { names.append("init") }
            if at.is(SubscriptDeclSyntax.self) { names.append("subscript") }
            if let binding = at.as(PatternBindingSyntax.self),
                binding.accessorBlock != nil || at.parent?.parent?.parent?.is(MemberBlockItemSyntax.self) == true
            {
                names.append(binding.pattern.trimmedDescription)
            }
            if let type = at.asProtocol(NamedDeclSyntax.self), at.isProtocol(DeclGroupSyntax.self) { names.append(type.name.text) }
            if let type = at.as(ExtensionDeclSyntax.self) { names.append(type.extendedType.trimmedDescription) }
            parent = at.parent
        }
        return names.reversed().joined(separator: ".")
    }

    /// Without comments and line breaks.
    private static func oneLine(_ node: some SyntaxProtocol) -> String {
        var text = ""
        for token in node.tokens(viewMode: .sourceAccurate) {
            let isSpaced = token.leadingTrivia.contains {
                if case .spaces = $0 { true } else if case .newlines = $0 { true } else { false }
            }
            if isSpaced, !text.isEmpty, !text.hasSuffix(" ") { text += " " }
            text += token.text
            if !token.trailingTrivia.isEmpty { text += " " }
        }
        return text.trimmingCharacters(in: [" "])
    }
}
