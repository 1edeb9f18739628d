/// The viewer's own code: style sheet and script, written by hand, without anybody's library. They stand in Swift files so that the tool is one file.
///
/// All text of a run goes into the page as text, by `textContent`; none is ever read as markup.
enum ViewerSource {
    /// The whole script, in the order in which its parts need each other.
    static var script: String { [core, picture, detail, main].joined(separator: "\n") }

    /// What the script fills: from the end of the page's header on.
    static let frame = """
        <div class="tools"><span id="runs"></span><input id="search" type="search" placeholder="search ( / )" aria-label="search events and steps" />
        <span id="hits" role="status"></span><button id="theme" title="light or dark (t)">◐</button><button id="question" title="keys (?)">?</button></div>
        </header>
        <nav class="views" role="tablist"><button data-view="left" role="tab">Steps</button><button data-view="middle" role="tab">Picture</button><button data-view="right" role="tab">State</button></nav>
        <main>
        <section id="left"><h2 id="title"></h2><p id="about" class="legend"></p><div id="failure"></div><ol id="steps" class="steps"></ol></section>
        <section id="middle"><p class="legend">Time runs down. A bar on a lane: the app runs, fainter in the background, faint while suspended. Beside it: locked, or off. Shaded
        between the lanes: the link is down. Arrows: <span style="color:var(--accent)">contexts</span>, <span style="color:var(--good)">messages</span>,
        <span style="color:var(--cause)">user infos</span>, <span style="color:var(--effect)">files</span>, <span style="color:var(--bad)">replaced or lost</span>.</p><div id="picture"></div></section>
        <section id="right"><div id="detail"></div></section>
        </main>
        <dialog id="help"><h2>Keys</h2><table><tr><td>j, k, ←, →</td><td>next and former event</td></tr><tr><td>↑, ↓</td><td>former and next step</td></tr>
        <tr><td>c, e</td><td>the cause of the event; its first effect</td></tr><tr><td>f, d</td><td>the failure; the first event that differs from the nearest run that passes</td></tr>
        <tr><td>/, n, N</td><td>search; next and former hit</td></tr><tr><td>t, Esc</td><td>light or dark; choose nothing</td></tr></table>
        <p>Equal letters are equal values of a key, on whichever device.</p><form method="dialog"><button>close</button></form></dialog>

        """
}
