import Foundation
import WatchConnectivity

extension LabProbe {
    /// What needs a person: closing apps, leaving the range, restarting, lowering the wrist.
    static let hands = [
        LabProbe(
            "watch-app-closed", "The watch app is closed, and opened again",
            rules: ["W9", "W10", "W31", "W33", "W34", "W41", "W44", "W60", "W63", "W82", "W110", "W142"], side: .phone, needsHand: true
        ) { lab in
            try await lab.needReachable()
            await lab.ask("Close DeviceLab on the watch: press the crown twice, and swipe it away", step: "watch swipe away")
            let isLost = await lab.until(30) { !WCSession.default.isReachable }
            lab.saw("W33", if: isLost, "not reachable once the watch app is in the background")
            lab.saw("W31", if: isLost, "the phone reaches a watch app in front only")
            let code = await lab.tell(counterpart: "note")
            if isLost {
                lab.saw("W60", if: code == 7007, "a message to a counterpart that is not reachable: \(code ?? 0)")
                await lab.pause(10)
                lab.saw("W63", if: !WCSession.default.isReachable, "the message did not wake the watch app")
            }
            try lab.recorder.updateApplicationContext(["id": lab.nextID("c")])
            lab.recorder.transferUserInfo(["id": lab.nextID("u")])
            await lab.pause(20)
            await lab.ask("Open DeviceLab on the watch", step: "watch foreground")
            lab.saw("W34", if: await lab.until(30) { WCSession.default.isReachable }, "reachable again")
            await lab.pause(5)
            _ = await lab.counterpartInbox("userInfo")
        },
        LabProbe(
            "phone-app-closed", "The phone app is swiped away, and woken", rules: ["W30", "W32", "W62", "W70", "W71", "W111"], side: .watch,
            needsHand: true
        ) { lab in
            try await lab.needReachable()
            await lab.ask("Swipe DeviceLab away on the phone", step: "phone swipe away")
            await lab.pause(5)
            lab.saw("W32", if: WCSession.default.isReachable, "the phone is reachable without its app")
            lab.saw("W30", if: WCSession.default.isReachable, "a watch app in front reaches a phone in range")
            lab.recorder.transferUserInfo(["id": lab.nextID("u")])
            try lab.recorder.updateApplicationContext(["id": lab.nextID("c")])
            await lab.pause(20)
            if case .success = await lab.ask(counterpart: "reply") {
                lab.saw("W62", true, "a message launched the phone app")
            }
            await lab.pause(5)
        },
        LabProbe(
            "out-of-range", "The phone leaves the range, and comes back",
            rules: ["W34", "W41", "W42", "W60", "W68", "W69", "W81", "W88", "W140"], side: .phone, needsHand: true
        ) { lab in
            try await lab.needReachable()
            await lab.ask("Turn on airplane mode on the phone, and turn Bluetooth off", step: "link down")
            _ = await lab.until(120) { !WCSession.default.isReachable }
            let code = await lab.tell(counterpart: "note")
            lab.saw("W60", if: code == 7007, "a message out of range: \(code ?? 0)")
            for _ in 0..<3 { try lab.recorder.updateApplicationContext(["id": lab.nextID("c")]) }
            let ids = (0..<3).map { _ in lab.nextID("u") }
            for id in ids { lab.recorder.transferUserInfo(["id": id]) }
            await lab.pause(10)
            await lab.ask("Turn airplane mode off, and Bluetooth on", step: "link up")
            _ = await lab.until(300) { ids.allSatisfy { !lab.link.endings(of: $0).isEmpty } }
            await lab.pause(5)
            if let came = await lab.counterpartInbox("userInfo") {
                lab.saw("W88", if: came.filter(ids.contains) == ids, "the queue came whole")
            }
        },
        LabProbe(
            "short-loss", "The watch app goes and is back within two seconds", rules: ["W35"], side: .phone, needsHand: true
        ) { lab in
            try await lab.needReachable()
            await lab.ask("Lower your wrist and raise it again at once; DeviceLab must be in front again")
            await lab.pause(5)
            _ = await lab.ask(counterpart: "reply")
        },
        LabProbe("idle", "Both apps are open, and nothing is sent for five minutes", rules: ["W36", "W37"]) { lab in
            try await lab.needReachable()
            let told = lab.link.changeCount
            await lab.pause(300)
            lab.recorder.note("lab.idle", ["changes": lab.link.changeCount - told])
            _ = await lab.ask(counterpart: "reply")
        },
        LabProbe("restart", "The phone is restarted", rules: ["W38", "W46", "W144"], side: .watch, needsHand: true) { lab in
            try await lab.needReachable()
            try lab.recorder.updateApplicationContext(["id": lab.nextID("c")])
            let kept = WCSession.default.applicationContext["id"] as? String
            await lab.ask("Restart the phone, and do not unlock it", step: "phone reboot")
            await lab.pause(5)
            #if os(watchOS)
                let needsUnlock = WCSession.default.iOSDeviceNeedsUnlockAfterRebootForReachability
                lab.saw(
                    "W38", if: needsUnlock && !WCSession.default.isReachable,
                    "not reachable before the phone's first unlock, and it says so")
            #endif
            lab.recorder.transferUserInfo(["id": lab.nextID("u")])
            await lab.pause(10)
            await lab.ask("Unlock the phone", step: "phone unlock")
            lab.saw("W46", WCSession.default.applicationContext["id"] as? String == kept, "the context is still there")
        },
        LabProbe("wrist", "The wrist is lowered, and raised", rules: ["W113", "W114", "W115"], side: .phone, needsHand: true) { lab in
            try await lab.needReachable()
            await lab.ask("Lower your wrist, and leave it down", step: "watch wrist down")
            await lab.pause(10)
            lab.recorder.note("lab.wrist", ["isReachable": WCSession.default.isReachable])
            _ = await lab.tell(counterpart: "note")
            await lab.ask("Raise your wrist", step: "watch wrist up")
            let isBack = await lab.until(10) { WCSession.default.isReachable }
            lab.saw("W113", if: isBack, "the app is there again within two minutes")
            await lab.ask("Press the crown, lower your wrist, and raise it again", step: "watch crown")
            await lab.pause(5)
            lab.saw("W115", if: !WCSession.default.isReachable, "after the crown a raised wrist does not show the app")
            await lab.ask("Open DeviceLab on the watch again", step: "watch foreground")
        },
        LabProbe(
            "watch-app-removed", "The watch app is removed, and installed again", rules: ["W20", "W21", "W22", "W24", "W53", "W122"],
            side: .phone,
            needsHand: true
        ) { lab in
            #if os(iOS)
                try await lab.needReachable()
                let session = WCSession.default
                lab.saw("W20", if: session.isPaired, "paired")
                let told = lab.link.received("change").count { $0 == "watchState" }
                await lab.ask("Remove DeviceLab from the watch", step: "watch uninstall")
                let isGone = await lab.until(60) { !session.isWatchAppInstalled }
                lab.saw("W21", if: isGone, "`isWatchAppInstalled` is false")
                lab.saw("W22", if: isGone && lab.link.received("change").count { $0 == "watchState" } > told, "the app was told")
                lab.saw("W24", if: session.watchDirectoryURL == nil, "there is no directory for the watch")
                await lab.ask("Install DeviceLab on the watch again, and open it", step: "watch install")
                lab.saw("W21", if: await lab.until(300) { session.isWatchAppInstalled }, "`isWatchAppInstalled` is true again")
            #endif
        },
        LabProbe("phone-app-removed", "The phone app is removed, and installed again", rules: ["W23"], side: .watch, needsHand: true) {
            lab in
            let told = lab.link.received("change").count { $0 == "companion" }
            await lab.ask("Remove DeviceLab from the phone alone, and install it again", step: nil)
            let isTold = await lab.until(60) { lab.link.received("change").count { $0 == "companion" } > told }
            lab.saw("W23", if: isTold, "the watch app was told that the phone's app went and came")
        },
    ]
}
