import Foundation

let host = Host.process()
CrashGuard.install(environment: host.environment)
let interruptionSource = host.watchForInterruption()
var status = Tool(host: host, engine: .deviceSim()).run(Array(CommandLine.arguments.dropFirst()))
if let trouble = host.troubleOfOutput, status == .passed {
    host.errors.write("pairsim: cannot write the output: \(trouble)\n")
    status = .cannotRun
}
withExtendedLifetime(interruptionSource) { exit(status.rawValue) }
