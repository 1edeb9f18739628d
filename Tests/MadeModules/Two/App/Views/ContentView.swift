import SwiftUI

/// Drawn on devices only.
@available(iOS 17, *)
struct ContentView: SwiftUI.View {
    @State private var name = ""

    var body: some View {
        Text("hello")
    }
}

extension ContentView {
    var title: String { "" }
}

extension View {
    func framed() -> some View { padding() }
}

/// A type beside it is compiled.
public enum Wording {
    public static let line = #line
}
