import Foundation

let host = Host.process()
CrashGuard.install(environment: host.environment)
let interruptionSources = host.watchForInterruption()
let input = StandardInputText(host.input)
var status = Tool(host: host, engine: .deviceSim(files: .disk.reading("-", from: { input.bytes }))).run(
    Array(CommandLine.arguments.dropFirst()))
if let trouble = host.troubleOfOutput, status == .passed {
    host.errors.write("pairsim: cannot write the output: \(trouble)\n")
    status = .cannotRun
}
// Not `exit`, which takes the process apart while threads may still run a scenario that has no end.
withExtendedLifetime(interruptionSources) { _exit(status.rawValue) }
