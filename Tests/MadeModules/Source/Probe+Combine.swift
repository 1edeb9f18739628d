import Combine
import Foundation

/// A store as many apps have it: what is typed is searched for once nothing more is typed.
final class SearchStore: ObservableObject {
    @Published var text = ""
    @Published private(set) var found = "nothing"
    private var cancellables: Set<AnyCancellable> = []

    init(search: @escaping (String) -> AnyPublisher<String, Never>) {
        $text
            .dropFirst()
            .debounce(for: .milliseconds(300), scheduler: DispatchQueue.main)
            .removeDuplicates()
            .map(search)
            .switchToLatest()
            .receive(on: RunLoop.main)
            .assign(to: &$found)
    }

    func observe(_ note: @escaping (String) -> Void) {
        $found.dropFirst().sink { note("found \($0) \(Thread.isMainThread)") }.store(in: &cancellables)
        objectWillChange.sink { [unowned self] in note("will change from \(found)") }.store(in: &cancellables)
    }
}

extension Probe {
    func useStore() {
        let store = SearchStore { text in
            Just(text.uppercased()).delay(for: .seconds(0.2), scheduler: DispatchQueue.global()).eraseToAnyPublisher()
        }
        store.observe { self.note($0) }
        for (delay, text) in [(0, "a"), (100, "ab"), (500, "abc"), (1_100, "abc")] {
            DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(delay)) { store.text = text }
        }
        DispatchQueue.main.asyncAfter(deadline: .now() + 3) { withExtendedLifetime(store) {} }
    }

    func usePublishers() {
        Timer.publish(every: 0.5, on: .main, in: .common).autoconnect().prefix(2)
            .sink { self.note("tick \($0 == Date())") }.store(in: &cancellables)
        let name = Notification.Name("combine")
        NotificationCenter.default.publisher(for: name).compactMap { $0.userInfo?["n"] as? Int }
            .sink { self.note("heard \($0)") }.store(in: &cancellables)
        NotificationCenter.default.post(name: name, object: nil, userInfo: ["n": 1])
        let subject = PassthroughSubject<Int, Never>()
        subject.throttle(for: .milliseconds(200), scheduler: DispatchQueue.main, latest: true)
            .sink { self.note("throttled \($0)") }.store(in: &cancellables)
        subject.collect(.byTime(DispatchQueue.main, .seconds(1))).sink { self.note("collected \($0)") }.store(in: &cancellables)
        subject.setFailureType(to: URLError.self)
            .timeout(.seconds(2), scheduler: OperationQueue.main, customError: { URLError(.timedOut) })
            .sink { completion in
                if case .failure(let error) = completion { self.note("timed out \(error.code == .timedOut)") }
            } receiveValue: { _ in
            }.store(in: &cancellables)
        subject.measureInterval(using: DispatchQueue.main).dropFirst()
            .sink { self.note("after \($0.magnitude / 1_000_000)") }.store(in: &cancellables)
        subject.subscribe(on: DispatchQueue.global()).receive(on: OperationQueue.main).first { $0 == 3 }
            .sink { self.note("first \($0) \(Thread.isMainThread)") }.store(in: &cancellables)
        for (delay, number) in [(10, 1), (60, 2), (110, 3), (700, 4)] {
            DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(delay)) { subject.send(number) }
        }
    }

    func useAwaited() async {
        let subject = CurrentValueSubject<Int, Never>(1)
        DispatchQueue.main.asyncAfter(deadline: .now() + 0.1) { subject.send(2) }
        DispatchQueue.main.asyncAfter(deadline: .now() + 0.2) { subject.send(completion: .finished) }
        for await value in subject.values { note("awaited \(value)") }
        let future = Future<String, Never> { promise in
            DispatchQueue.global().asyncAfter(deadline: .now() + 0.1) { promise(.success("later")) }
        }
        note(await future.value)
    }
}
