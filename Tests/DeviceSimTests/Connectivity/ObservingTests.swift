#if !canImport(ObjectiveC)
    import Testing
    import WatchConnectivity

    import DeviceSim
    @testable import DeviceSimCore

    /// Key-value observing of the mirror's session.
    @Suite struct ObservingTests {
        @Test("W125 activationState is observed through a change of watches, until the observation ends", arguments: readyOrders)
        func activationState(order: ReadyOrder) {
            let world = TestWorld.withTwoWatches(order: order)
            var states: [WCSessionActivationState?] = []
            let observation = world.phone.session.observe(\.activationState, options: [.initial, .new]) { session, change in
                #expect(session.activationState == change.newValue)
                states.append(change.newValue)
            }
            world.network.switchWatch(to: .watch2)
            world.settle()
            #expect(states == [.activated, .inactive, .notActivated, .activated])
            observation.invalidate()
            world.network.switchWatch(to: .watch)
            world.settle()
            #expect(states.count == 4)
        }

        @Test("W125 hasContentPending is observed until all was handed over") func contentPending() {
            let world = TestWorld(knobs: .withoutWaking)
            world.phone.launch()
            world.settle()
            for number in 1...3 { world.phone.session.transferUserInfo(["n": number]) }
            world.settle()
            world.watch.launch(activate: false)
            var changes: [[Bool?]] = []
            let observation = world.watch.session.observe(\.hasContentPending, options: [.old, .new]) { _, change in
                changes.append([change.oldValue, change.newValue])
            }
            world.watch.activate()
            world.settle()
            #expect(changes == [[false, true], [true, false]])
            #expect(world.watch.log.last == "userInfo n=3")
            // One that comes while the app runs
            world.phone.session.transferUserInfo(["n": 4])
            world.settle()
            #expect(changes.count == 4)
            observation.invalidate()
        }

        /// What the delegate is told of changes for an observer just before that.
        @Test("W125 what the session says of the counterpart's app is observed on both devices") func counterpartsApp() {
            let world = TestWorld.activated()
            var changes: [Bool] = []
            let ofWatch = world.phone.session.observe(\.isWatchAppInstalled) { session, _ in changes.append(session.isWatchAppInstalled) }
            world.watch.uninstall()
            world.settle()
            #expect(changes == [false])
            ofWatch.invalidate()

            let other = TestWorld.activated()
            changes = []
            let ofPhone = other.watch.session.observe(\.isCompanionAppInstalled) { session, _ in
                changes.append(session.isCompanionAppInstalled)
            }
            other.phone.uninstall()
            other.settle()
            other.phone.install()
            other.settle()
            #expect(changes == [false, true])
            ofPhone.invalidate()
        }

        @Test("W125 an observation ends when it is let go of") func letGo() {
            let world = TestWorld.withTwoWatches()
            var count = 0
            do {
                let observation = world.phone.session.observe(\.activationState) { _, change in
                    #expect(change.newValue == nil && change.oldValue == nil)
                    count += 1
                }
                world.network.switchWatch(to: .watch2)
                world.settle()
                withExtendedLifetime(observation) {}
            }
            #expect(count == 3)
            world.network.switchWatch(to: .watch)
            world.settle()
            #expect(count == 3)
        }
    }
#endif
