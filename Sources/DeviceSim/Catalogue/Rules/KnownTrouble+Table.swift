extension KnownTrouble {
    /// Every trouble, in the order of their numbers.
    public static let table = [
        KnownTrouble(
            1, "The same context is not delivered again, so \"send again\" does nothing.", in: "p01-send-again-does-nothing",
            "MMWormhole #85", "qiita crenieq 459b765f"),
        KnownTrouble(
            2, "Several features share one context and overwrite each other's keys, race to merge them, or grow it to the limit.",
            in: "p02-features-overwrite-each-other", "MMWormhole", "CodenameOne #5487"),
        KnownTrouble(
            3, "Commands put into the context vanish, because the latest wins.", in: "p03-commands-get-lost",
            "react-native-watch-connectivity #127"),
        KnownTrouble(
            4, "Contexts are replayed and repeated on wake.", in: "p04-old-contexts-come-again", "pocket-casts-ios #1430"),
        KnownTrouble(
            5, "User infos are delivered twice; a reply lost after the delivery leads to a second send.", in: "p05-counted-twice",
            "react-native-watch-connectivity #87"),
        KnownTrouble(6, "An old queued transfer lands after a newer message.", in: "p06-old-value-comes-last", "luke #653"),
        KnownTrouble(
            7, "Data arrives before anyone listens; the first launch reads nothing.", in: "p07-nobody-listens-yet",
            "react-native-watch-connectivity #26, #68, #124", "cachly #5747"),
        KnownTrouble(8, "What is sent before activation is silently lost.", in: "p08-sent-before-activation", "Loop #66"),
        KnownTrouble(
            9, "Reachability flaps, is stale, and means something else on each side.", in: "p09-not-reachable-not-sent", "radar 23337218",
            "Communicator #34", "SundialKit #89", "BookPlayer #703"),
        KnownTrouble(
            10, "Reachable at the check, gone at the send.", in: "p10-lost-on-the-way", "the documentation of WatchConnectivitySwift"),
        KnownTrouble(
            11, "7012: the phone app that was woken never replies.", in: "p11-never-answered", "react-native-watch-connectivity #47"),
        KnownTrouble(
            12, "7014: the delegate implements the wrong variant.", in: "p12-delivery-failed", "Communicator #23", "MMWormhole #94"),
        KnownTrouble(
            13, "Failures that nobody observes: `didFinish` is missing, or there is a `try?`.", in: "p13-failed-and-nobody-knows",
            "cachly #5749"),
        KnownTrouble(
            14, "Null and custom types in a payload.", in: "p14-null-in-the-payload", "watch_connectivity #25",
            "react-native-watch-connectivity #86"),
        KnownTrouble(15, "A payload is too large, which is found in production.", in: "p15-too-large-one-day", "cachly #5749"),
        KnownTrouble(
            16, "A package takes the session's delegate.", in: "p16-stolen-delegate", "Pulse #201", "Automattic-Tracks-iOS #188"),
        KnownTrouble(
            17, "The sent and the received context are mixed up.", in: "p17-wrong-context", "react-native-watch-connectivity #14"),
        KnownTrouble(18, "After a watch switch `isPaired` stays false.", in: "p18-dead-after-a-switch", "watch_connectivity #32"),
        KnownTrouble(20, "Transfers stay outstanding for ever.", in: "p20-outstanding-for-ever", "radar 25767669"),
        KnownTrouble(
            21, "A received file that is handled later is gone.", in: "p21-received-file-is-gone", "zenn yorifuji 7a4d6766"),
        KnownTrouble(
            23, "Two clocks: what arrives late looks newer than it is.", in: "p23-two-clocks", "AudioBooth #365", "ETOS-LLM-Studio #78",
            "sqlite-data #506 (two times that are the same)"),
        KnownTrouble(
            24, "The watch app is ended in the background with 0xc51bad02: a refresh task was left open.", in: "p24-task-left-open",
            "home-assistant/iOS #1454, #1191, #1202, #5247, #5522"),
        KnownTrouble(
            25, "The wrist goes down, and what is sent then by a message is lost.", in: "p25-wrist-goes-down",
            "react-native-watch-connectivity #130", "Communicator #34"),
        KnownTrouble(
            26, "The watch app is there, and the phone takes it for not installed.", in: "p26-looks-not-installed", "SundialKit #89",
            "radar 21364701", "open-bike-computer #141", "react-native-watch-connectivity #114"),
        KnownTrouble(
            27, "What is sent as a complication info fails, where the complication is not on the face.", in: "p27-not-on-the-face",
            "no incident found: it follows from two versions of Apple's"),
        KnownTrouble(
            28, "The complication is old: its info did not wake the watch app.", in: "p28-the-face-is-old", "Apple forums 759389",
            "home-assistant/iOS #5251"),
        KnownTrouble(
            29, "`isComplicationEnabled` is false, and somebody looks at the widget in the Smart Stack.", in: "p29-smart-stack-alone",
            "Apple forums 735352"),
        KnownTrouble(
            30, "The only copy is deleted once its transfer has finished, and the other app was never given it.",
            in: "p30-finished-is-not-stored", "anarlog #6355", "justspeaktoit #646", "AudioBooth #365"),
        KnownTrouble(
            31, "A message is cancelled, as the person changes watches.", in: "p31-cancelled-by-a-switch",
            "no incident found: it follows from Apple's header"),
        KnownTrouble(
            32, "The session was activated without an error, and takes nothing: it is inactive.", in: "p32-inactive-without-an-error",
            "no incident found: it follows from Apple's documentation"),
        KnownTrouble(
            33, "What lay in `watchDirectoryURL` is gone with the watch's app.", in: "p33-watch-directory-emptied",
            "no incident found: it follows from Apple's documentation"),
        KnownTrouble(
            34, "What only the watch had is gone: it was unpaired, and paired again.", in: "p34-erased-with-the-watch",
            "no incident found: it follows from Apple Platform Security", "MacDailyNews"),
        KnownTrouble(
            35, "A context says that a file is there, and it is not yet.", in: "p35-context-before-its-file",
            "no incident found: it follows from Apple's documentation"),
        KnownTrouble(
            36, "After the person changed watches the app is ended in the background.", in: "p36-ended-after-a-switch",
            "no incident found: it follows from Apple's documentation"),
        KnownTrouble(
            37, "An App Group, or a settings bundle, is taken for shared by the phone and the watch.",
            in: "p37-group-is-not-shared", "iOS-Shared-CoreData-Storage-for-App-Groups #3", "MMWormhole #54", "firebase-ios-sdk #7854",
            "Watch-App-Sampler #1", "radar 23117468", "radar 28550530"),
        KnownTrouble(
            38, "Signing out never reaches the watch, which shows another account's data.",
            in: "p38-signed-out-on-one-side", "luke #653, #677 (a review bot's warnings)", "pocket-casts #457"),
        KnownTrouble(
            39, "An app's own protection against duplicates silences what a person asks for again.",
            in: "p39-asked-again-and-silenced", "Trio #1190"),
        KnownTrouble(
            40, "What was removed comes back: two lists are united, and nothing tells of a removal.",
            in: "p40-removed-and-back-again", "ETOS-LLM-Studio #78, #79"),
        KnownTrouble(
            41, "The app's own acknowledgement is lost: an item is being sent for ever, and holds up those behind it.",
            in: "p41-stored-and-never-told", "anarlog #6355 (a review bot's warning)"),
        KnownTrouble(
            42, "Reachability toggles, and each time the app activates its session and sends everything.",
            in: "p42-storm-of-reactivations", "Trio #1109"),
        KnownTrouble(
            43, "Phone and watch speak two versions of a form.",
            in: "p43-two-versions-of-a-form", "powerauth-mobile-sdk #875 (a review bot's warning, and a risk that was accepted)"),
        KnownTrouble(
            44, "A launch before the first unlock finds nothing, and the app stores that.",
            in: "p44-nothing-there-before-the-unlock", "kylebshr/luka-ios #134", "firebase-ios-sdk #9622, #16505", "OneSignal #1666",
            "RevenueCat #4623", "Loop #1170, #1176, #1186", "PostHog #213"),
        KnownTrouble(
            45, "A crash, or an empty battery, takes what a workout has recorded.",
            in: "p45-workout-is-gone", "TetraTrack #143", "GymTracker #5", "open-bike-computer #462"),
        KnownTrouble(
            46, "`Int` has 32 bits on some watches.",
            in: "p46-number-too-wide", "SoundLeaf #70 (\"probable\")"),
        KnownTrouble(
            47, "The continuation that waits for a reply is never resumed, or twice.",
            in: "p47-resumed-never-or-twice", "capacitor-watch #36 (a review bot's warning)", "Meshtastic #1755 (the pattern)"),
        KnownTrouble(
            48, "With the main actor as default isolation, the delegate's methods end the app.",
            in: "p48-called-off-the-main-actor",
            "no incident with the session found: it follows from W11 and from VivaDicta #316, #341, #361, where other frameworks call back"),
        KnownTrouble(
            49, "One direction alone is dead: what the watch asks arrives, and no answer does.",
            in: "p49-one-way-only", "radar 30104132", "SundialKit #89", "BookPlayer #703"),
        KnownTrouble(
            50, "The watch app is not launched any more: it was launched too often.",
            in: "p50-launched-too-often", "Apple forums 821989 (the reporter suspects so)"),
        KnownTrouble(
            51, "The app is suspended while it holds a lock on a shared file: 0xdead10cc.",
            in: "p51-suspended-with-a-lock", "Adobe mobile-services #352", "firefox-ios #4790", "Apple, EXC_CRASH (SIGKILL)"),
        KnownTrouble(
            52, "The link stays dead until the phone restarts, and the app says that all is well.",
            in: "p52-dead-link", "radar 23685821", "Apple forums 831294"),
        KnownTrouble(
            53, "The store is new, and the widget or complication is old: its reload was left out, or refused.",
            in: "p53-old-widget", "home-assistant/iOS #5251", "CodenameOne #5583 (a review bot's warning)", "Apple forums 807219"),
    ]
}
