import DeviceSimCore
import DeviceSimLanguage
import LocalData

extension ScenarioRun {
    /// Does what happens to a watch only.
    func perform(_ change: WatchChange, on device: Device) throws -> AppOperation<Void>? {
        switch change {
        case .wristDown: return try device.lowerWrist()
        case .wristUp: return try device.raiseWrist()
        case .crown: return try device.pressCrown()
        case .covered: return try device.coverDisplay()
        case .takenOff: return try device.takeOff()
        case .putOn: return try device.putOn()
        case .frontmostTime(let time): try device.setFrontmostTime(time)
        case .starts(let session): try device.begin(session)
        case .ends(let session): try device.end(session)
        case .complicationLoads: try device.loadComplication()
        case .refreshes: try device.refreshInBackground()
        case .computes(let time): try device.spendProcessorTime(time)
        }
        return nil
    }
}
