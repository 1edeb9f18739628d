import DeviceSim
import Foundation
import TestSupport
import Testing

@testable import documents

@Suite struct SessionRuleTests {
    @Test func theTableIsInOrderAndComplete() {
        let numbers = SessionRule.table.map(\.number)
        #expect(numbers == Array(Set(numbers)).sorted())
        for topic in SessionRule.topics { #expect(topic.rules.map(\.number) == topic.rules.map(\.number).sorted(), "\(topic.title)") }
        for rule in SessionRule.table {
            #expect(rule.sentence.hasSuffix("."), "\(rule.name)")
            #expect(!rule.evidence.isEmpty, "\(rule.name)")
            #expect(
                rule.standing.remark.map { !$0.isEmpty && !$0.hasSuffix(".") } ?? true, "\(rule.name): a remark goes on where it stands")
            #expect(SessionRule(named: rule.name) == rule)
        }
    }

    /// What is called documented or observed names what says so; a dispute gives every version of it; and nobody's machine is a source.
    @Test(arguments: SessionRule.table) func citesItsSources(_ rule: SessionRule) {
        for evidence in rule.evidence {
            switch evidence.kind {
            case .documented, .observed, .inferred: #expect(evidence.source?.isEmpty == false)
            case .open: #expect(evidence.source == nil && evidence.says?.isEmpty == false)
            case .disputed: #expect(evidence.source?.isEmpty == false && evidence.says?.isEmpty == false)
            }
            #expect(!evidence.phrase.hasSuffix(".") && !evidence.phrase.contains("://") && !evidence.phrase.contains("/work"))
        }
        let versions = rule.evidence.filter { $0.kind == .disputed }
        #expect(versions.count != 1 && Set(versions.map(\.says)).count == versions.count, "each of its versions")
        #expect(rule.citations.count == rule.kinds.count)
    }

    @Test(arguments: SessionRule.table) func isCovered(_ rule: SessionRule) {
        let count = (RuleCoverage.scenarios[rule.name]?.count ?? 0) + (RuleCoverage.suites[rule.name]?.count ?? 0)
        if case .leftOut = rule.standing {
            #expect(count == 0, "the table says that it is left out")
            return
        }
        #expect(count > 0, "no scenario has \(rule.name) in its `# Rules:`, and no test's title begins with it")
    }

    @Test func scenariosNameRulesThatExist() {
        for (name, files) in RuleCoverage.scenarios {
            #expect(SessionRule(named: name) != nil || KnownTrouble(named: name) != nil, "\(name) of \(files)")
        }
    }

    @Test func testsNameRulesThatExist() {
        for (name, suites) in RuleCoverage.suites {
            #expect(SessionRule(named: name) != nil, "\(name) of \(suites.sorted())")
        }
    }

    /// Where nobody knows, or sources contradict each other, a person can choose; but for these, where a device could hardly do otherwise, or where
    /// nothing that an app may rely on differs.
    @Test func whatIsNotKnownHasAKnob() {
        let decided: Set = ["W6", "W103", "W120", "W121"]
        for rule in SessionRule.table where rule.kinds.contains(.open) || rule.kinds.contains(.disputed) {
            if case .leftOut = rule.standing { continue }
            #expect(rule.knobs.isEmpty == decided.contains(rule.name), "\(rule.name)")
        }
    }

    @Test func knobsNameRulesThatExist() {
        for knob in Knobs.table {
            guard let rule = knob.rule else { continue }
            #expect(SessionRule(named: rule) != nil || KnownTrouble(named: rule) != nil, "\(knob.name): \(rule)")
        }
    }

    /// Each row of what is published has its rule, and something that covers it or says what the citation is now.
    @Test func publishedClaimsAreCovered() throws {
        let claims = PublishedClaim.topics.flatMap(\.claims)
        for claim in claims {
            for rule in claim.rules { #expect(SessionRule(named: "W\(rule)") != nil, "\(claim.claim)") }
            #expect(!(claim.scenarios.isEmpty && claim.tests.isEmpty && claim.note == nil), "\(claim.claim)")
            #expect(!claim.rules.isEmpty || !claim.scenarios.isEmpty, "\(claim.claim)")
            for path in claim.scenarios {
                #expect(FileManager.default.fileExists(atPath: repository.appendingPathComponent("Scenarios/\(path)").path), "\(path)")
            }
            let suites = Set(claim.rules.flatMap { RuleCoverage.suites["W\($0)"] ?? [] })
            // What LocalData makes of a rule is no test of the rule.
            #expect(suites.union(["SyncStatusTests"]).isSuperset(of: claim.tests), "\(claim.claim): \(claim.tests), \(suites.sorted())")
        }
    }
}
