import SwiftUI
import WidgetKit
import struct MyAppCore.Operation
import enum MyAppCore.Place

public final class Model: NSObject, @unchecked Sendable {
    public static let shared = Model()
    public private(set) var operations: [MyAppCore.Operation] = []

    public func add(_ name: String) -> String {
        operations.append(Operation(name: name))
        MyAppCore.Place.stored.set(operations.count, forKey: "operations")
        return "\(Place.name) \(operations.count) \(MyAppCore.Place.stored.integer(forKey: "operations"))"
    }

    @ViewBuilder var list: some View {
        Text("\(operations.count) {")
    }
}

@main
struct TwoApp: App {
    @StateObject private var model = Model()

    var body: some Scene {
        WindowGroup { ContentView() }
    }
}

#if DEBUG
    #Preview("List") {
        ContentView()
    }
#endif
