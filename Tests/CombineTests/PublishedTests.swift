import Combine
import Testing

/// `@Published` and `ObservableObject`: what is told, and when.
@Suite struct PublishedTests {
    private class Model: ObservableObject {
        @Published var name = "a"
        @Published private(set) var count = 0
        func increase() { count += 1 }
    }

    private final class Derived: Model {
        @Published var extra = 0
    }

    private final class Plain: ObservableObject {
        var value = 0 {
            willSet { objectWillChange.send() }
        }
    }

    private final class Own: ObservableObject {
        let objectWillChange = PassthroughSubject<Int, Never>()
        @Published var name = "a"
    }

    @Test func aPropertyTellsItsNewValueWhileItHasTheOldOne() {
        let model = Model()
        var seen: [String] = []
        let cancellable = model.$name.sink { seen.append("\($0) while \(model.name)") }
        model.name = "b"
        #expect(seen == ["a while a", "b while a"])
        #expect(model.name == "b")
        cancellable.cancel()
        model.name = "c"
        #expect(seen.count == 2)
    }

    @Test func anObjectTellsBeforeEachChange() {
        let model = Derived()
        var seen: [String] = []
        let cancellable = model.objectWillChange.sink { seen.append("\(model.name) \(model.count) \(model.extra)") }
        model.name = "b"
        model.increase()
        model.extra = 5
        #expect(seen == ["a 0 0", "b 0 0", "b 1 0"])
        #expect(model.objectWillChange === model.objectWillChange)
        cancellable.cancel()
    }

    @Test func anObjectWithoutPublishedPropertiesHasOnePublisher() {
        var told = 0
        var kept: [AnyCancellable] = []
        for _ in 1...200 {
            let plain = Plain()
            plain.objectWillChange.sink { told += 1 }.store(in: &kept)
            plain.value = 1
        }
        #expect(told == 200)
    }

    @Test func aPublisherOfItsOwnIsNotCalled() {
        let own = Own()
        var told = 0
        let cancellable = own.objectWillChange.sink { _ in told += 1 }
        own.name = "b"
        #expect(told == 0)
        cancellable.cancel()
    }

    @Test func assigningToAPropertyEndsWithIt() {
        let source = PassthroughSubject<String, Never>()
        var cancelled = 0
        var model: Model? = Model()
        weak let weakModel = model
        if let model { source.handleEvents(receiveCancel: { cancelled += 1 }).assign(to: &model.$name) }
        source.send("b")
        #expect(model?.name == "b")
        model = nil
        #expect(weakModel == nil && cancelled == 1)
    }

    @Test func assigningByAKeyPathKeepsTheObject() {
        let source = PassthroughSubject<String, Never>()
        var model: Model? = Model()
        weak let weakModel = model
        let cancellable = model.map { source.assign(to: \.name, on: $0) }
        model = nil
        source.send("b")
        #expect(weakModel?.name == "b")
        cancellable?.cancel()
        #expect(weakModel == nil)
    }
}
