import DeviceSimCore
import Foundation

/// The folder of one scenario below the folder that a run was given for real files (`pairsim run --roots DIR`).
///
/// A run empties it first, so that what an earlier run left does not count. So that it never empties what it did not make, it leaves a file
/// there that says whose the folder is: a folder that has files and no such file, or another scenario's, is refused and left alone. So is one that has
/// anything beside that file and the folders of the devices, or in these a file that was not there when the last run had ended, which is noted in another file.
/// Of a run that did not come to its end, such as one that was killed, nobody knows what it wrote: its folder is refused too.
struct RunFolder {
    /// The file that says whose the folder is.
    static let markerName = "pairsim-run.txt"
    /// The file that says what lay in the devices' folders when the last run had ended.
    static let listName = "pairsim-files.json"

    let url: URL
    private let scenarioName: String
    /// The folders, by their paths within this one, that the devices of a run make before its first step, as every run of the scenario does.
    private var startFolders: Set<String> = []

    init(of scenarioName: String, below root: URL) {
        self.scenarioName = scenarioName
        url = root.appendingPathComponent(Self.name(for: scenarioName), isDirectory: true)
    }

    /// Why there is no folder for real files: what is there, and what to do.
    struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    /// Makes the folder, empty but for the file that marks it.
    /// - Throws: ``Refusal``, with nothing removed.
    func prepare() throws(Refusal) {
        let files = FileManager.default
        do {
            // `lstat`: a link is somebody's, wherever it leads.
            if let kind = try? files.attributesOfItem(atPath: url.path)[.type] as? FileAttributeType {
                guard kind == .typeDirectory else {
                    throw Refusal(description: "\(url.path) is there and is no folder; name another folder with --roots")
                }
                try check(try files.contentsOfDirectory(atPath: url.path))
                try files.removeItem(at: url)
            }
            try files.createDirectory(at: url, withIntermediateDirectories: true)
            // Foundation would wait for the host's disk, once for each scenario.
            try RealFolder(url).replace(Self.markerName, with: Data(marker.utf8))
        } catch let refusal as Refusal {
            throw refusal
        } catch {
            throw Refusal(description: "cannot prepare \(url.path): \(error.localizedDescription)")
        }
    }

    /// Notes what is there when the last run of the scenario has ended. Whatever is there later is somebody's own.
    func noteEnd() {
        guard let list = try? JSONEncoder().encode(Array(leftBehind()).sorted()) else { return }
        try? RealFolder(url).replace(Self.listName, with: list)
    }

    /// The paths, within this folder, of the files and links in the folders of the devices.
    private func leftBehind() -> Set<String> {
        let files = FileManager.default
        var paths: Set<String> = []
        for device in Self.deviceNames {
            for path in [device]
                + ((try? files.subpathsOfDirectory(atPath: url.appendingPathComponent(device).path)) ?? []).map({ "\(device)/\($0)" })
            {
                // `lstat`: what a link leads to is not looked at.
                let kind = try? files.attributesOfItem(atPath: url.appendingPathComponent(path).path)[.type] as? FileAttributeType
                guard let kind, kind != .typeDirectory, !path.hasSuffix("/.DS_Store") else { continue }
                paths.insert(path)
            }
        }
        return paths
    }

    /// Notes the folders that are there when the devices of the first run were made.
    mutating func noteStartFolders() {
        startFolders = Set((try? RealFolder(url).folders()) ?? [])
    }

    /// Empties the folder for another run of the scenario, as ``prepare()`` does, but for the folders that the devices would make again at once: hosts may
    /// take milliseconds to remove one, and a scenario that crashes at every operation runs thousands of times.
    /// - Throws: ``Refusal``.
    func prepareAgain() throws(Refusal) {
        do {
            try RealFolder(url).removeAll(but: startFolders.union([Self.markerName]))
        } catch {
            throw Refusal(description: "cannot empty \(url.path): \(ErrorText.of(error))")
        }
    }

    private func check(_ names: [String]) throws {
        guard !names.isEmpty else { return }
        guard names.contains(Self.markerName) else {
            throw Refusal(
                description: "\(url.path) has files that pairsim did not put there, and a run would remove them; "
                    + "name another folder with --roots, or move them away")
        }
        let found = try String(contentsOf: url.appendingPathComponent(Self.markerName), encoding: .utf8)
        guard found == marker else {
            throw Refusal(
                description:
                    "\(url.path) holds the files of another scenario, as its \(Self.markerName) says; name another folder with --roots")
        }
        let left = leftBehind()
        let list = try? JSONDecoder().decode([String].self, from: Data(contentsOf: url.appendingPathComponent(Self.listName)))
        guard let list = list ?? (left.isEmpty ? [] : nil) else {
            throw Refusal(
                description:
                    "a run that wrote into \(url.path) did not come to its end, so that nobody knows which of the files there are its own; "
                    + "name another folder with --roots, or remove this one")
        }
        guard let foreign = (names.filter { !Self.ownNames.contains($0) } + left.subtracting(list)).min() else { return }
        throw Refusal(
            description: "\(url.path) has '\(foreign)', which pairsim did not put there, and a run would remove it; "
                + "name another folder with --roots, or move it away")
    }

    /// What a run leaves in its folder, and a Mac's Finder.
    private static let ownNames = Set([markerName, markerName + ".new", listName, listName + ".new", ".DS_Store"] + deviceNames)
    private static let deviceNames = ["\(DeviceID.phone)", "\(DeviceID.watch)", "\(DeviceID.watch2)"]

    private var marker: String {
        "The devices of a pairsim run store their files here. The next run of this scenario empties the folder, unless a file was put into it.\n"
            + "scenario: \(scenarioName)\n"
    }

    // MARK: Names

    /// `Scenarios/sync/theme.scenario` gets the folder `Scenarios+sync+theme`. Two scenarios never get one: what a name of a folder cannot have, or
    /// stands for something else here, is written as `%` and two digits for each byte.
    static func name(for scenarioName: String) -> String {
        let ending = ".scenario"
        // A row of examples is `theme.scenario[2]`; what ends like one keeps its ending, and what has none is told from what lost it.
        let hasLostEnding = scenarioName.hasSuffix(ending) && !scenarioName.hasSuffix("]" + ending)
        let base = hasLostEnding ? String(scenarioName.dropLast(ending.count)) : scenarioName
        var name = ""
        for byte in base.utf8 {
            switch byte {
            case UInt8(ascii: "/"): name += "+"
            case UInt8(ascii: ".") where name.isEmpty: name += escape(byte)
            case _ where isPlain(byte): name.unicodeScalars.append(Unicode.Scalar(byte))
            default: name += escape(byte)
            }
        }
        if !hasLostEnding, !scenarioName.hasSuffix("]") { name += "+" }
        guard name.utf8.count > maximumLength else { return name }
        return String(name.prefix(maximumLength - 17)) + "+" + TraceFingerprint(of: Array(scenarioName.utf8)).description
    }

    /// What all file systems take: 255 bytes, less what is added to names of temporary files.
    private static let maximumLength = 200

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "["), UInt8(ascii: "]"):
            true
        default: false
        }
    }

    private static func escape(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return "%" + (digits.count == 1 ? "0" : "") + digits
    }
}
