/// The remedy of P8: sends when the session says that it is activated.
final class PatientSenderApp: EagerSenderApp, @unchecked Sendable {
    override func launched() {}

    override func activated() {
        send()
    }
}
