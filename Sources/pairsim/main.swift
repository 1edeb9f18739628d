import Foundation

let host = Host.process()
CrashGuard.install(environment: host.environment)
let interruptionSource = host.watchForInterruption()
let status = Tool(host: host, engine: .deviceSim).run(Array(CommandLine.arguments.dropFirst()))
withExtendedLifetime(interruptionSource) { exit(status.rawValue) }
