import Foundation
import TestSupport
import Testing

/// A document of the repository.
struct Page: Sendable, CustomTestStringConvertible {
    let path: String
    let blocks: [Block]
    /// Everything outside of code blocks.
    let prose: String

    var testDescription: String { path }

    /// A fenced block.
    struct Block: Sendable {
        let language: String
        let text: String
        /// Of the fence, from 1.
        let line: Int

        var isManifest: Bool { text.hasPrefix("// swift-tools-version") }
        /// The lines without indentation and without empty ones.
        var code: [String] { Sources.lines(of: text) }
    }

    static let root = repository

    static func text(_ path: String) throws -> String { try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8) }

    /// The pages at the top, beside benchmarks, examples and scenarios, and the articles. Made pages are checked by what makes them, but for their links.
    static let all: [Page] = {
        let top = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
        let articles = (try? FileManager.default.subpathsOfDirectory(atPath: root.path + "/Sources")) ?? []
        let paths =
            top + [
                "Benchmarks/README.md", "Scenarios/README.md", "Scenarios/GRAMMAR.md", "Examples/CI/README.md",
                "Examples/SecureStorageSample/README.md",
            ]
            + articles.filter { $0.contains(".docc/") }.map { "Sources/\($0)" }
        return paths.filter { $0.hasSuffix(".md") }.sorted().compactMap { path in (try? text(path)).map { Page(path: path, text: $0) } }
    }()

    /// The scenario files that are run by a test of their own, with an app of their own.
    static let scenarioFiles: Set<String> = {
        let folder = "Tests/DocumentationTests/Scenarios"
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: root.appendingPathComponent(folder).path)) ?? []
        return Set(names.filter { $0.hasSuffix(".scenario") }.compactMap { try? text("\(folder)/\($0)") })
    }()

    init(path: String, text: String) {
        self.path = path
        var (blocks, prose, code): ([Block], [String], [String]) = ([], [], [])
        var fence: (language: String, line: Int)?
        for (index, line) in text.components(separatedBy: "\n").enumerated() {
            let bare = line.trimmingCharacters(in: .whitespaces)
            if bare.hasPrefix("```") {
                if let open = fence {
                    blocks.append(Block(language: open.language, text: code.joined(separator: "\n") + "\n", line: open.line))
                    fence = nil
                } else {
                    fence = (String(bare.dropFirst(3)), index + 1)
                }
                code = []
            } else if fence == nil {
                prose.append(line)
            } else {
                code.append(line)
            }
        }
        self.blocks = blocks
        self.prose = prose.joined(separator: "\n")
    }
}

/// The files whose code pages may show.
struct Sources: Sendable {
    let lines: [String]

    static let all: [Sources] = {
        let folders = ["Tests/DocumentationTests", "Examples", "Sources/DeviceSim/Core/ReferenceApp"]
        return folders.flatMap { folder in
            ((try? FileManager.default.subpathsOfDirectory(atPath: Page.root.appendingPathComponent(folder).path)) ?? []).sorted()
                .filter { $0.hasSuffix(".swift") && !$0.contains(".build/") }
                .compactMap { try? Page.text("\(folder)/\($0)") }.map { Sources(lines: lines(of: $0)) }
        }
    }()

    /// Lines without indentation and without empty ones.
    static func lines(of text: String) -> [String] {
        text.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    func contains(_ code: [String]) -> Bool {
        guard let first = code.first, code.count <= lines.count else { return false }
        return lines.indices.dropLast(code.count - 1).contains { lines[$0] == first && Array(lines[$0..<$0 + code.count]) == code }
    }
}
