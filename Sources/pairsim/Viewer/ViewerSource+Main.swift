extension ViewerSource {
    /// Choosing, searching, keys and the address.
    static let main = ##"""
        /* Choosing, searching, keys, themes, and what the address says. */
        function select(change, keepsView) {
          if (change.story !== undefined && change.story !== selection.story) { selection.story = change.story; selection.event = selection.step = -1; hits = []; drawStory(); }
          if (change.event !== undefined) { selection.event = change.event; const e = story().byNumber.get(change.event); selection.step = e ? e.step : -1; if (!e) selection.event = -1; }
          if (change.step !== undefined) { selection.step = Math.max(-1, Math.min(change.step, story().steps.length - 1)); selection.event = -1; }
          markPicture();
          for (const item of document.querySelectorAll('#steps li')) {
            const isCurrent = item.dataset.step !== undefined && +item.dataset.step === selection.step;
            item.setAttribute('aria-current', isCurrent);
            item.classList.toggle('hit', hits.some(h => h.event < 0 && h.step === +item.dataset.step));
            if (isCurrent && !keepsView) item.scrollIntoView({ block: 'nearest' });
          }
          drawDetail();
          const row = document.querySelector('#picture .selected');
          if (row && !keepsView) row.scrollIntoView({ block: 'nearest' });
          const parts = [];
          if (stories.length > 1) parts.push('run=' + selection.story);
          if (selection.event >= 0) parts.push('event=' + selection.event); else if (selection.step >= 0) parts.push('step=' + (selection.step + 1));
          try { history.replaceState(null, '', parts.length ? '#' + parts.join('&') : location.pathname + location.search); } catch (_) { /* a page from a sandbox has no history */ }
        }
        function moveEvent(by) {
          const s = story(); if (!s.events.length) return;
          const at = s.events.findIndex(e => e.number === selection.event);
          const first = s.events.findIndex(e => e.step === selection.step);
          const next = at < 0 ? (first < 0 ? 0 : first) : Math.max(0, Math.min(s.events.length - 1, at + by));
          select({ event: s.events[next].number });
        }
        function jumpToFailure() {
          const index = story().steps.findIndex(step => step.outcome === 'failed');
          if (index >= 0) select({ step: index });
        }
        function search(text) {
          const s = story(), words = text.toLowerCase().split(/\s+/).filter(Boolean);
          const matches = t => words.every(w => t.toLowerCase().includes(w));
          hits = !words.length ? [] : [...s.steps.map((step, index) => ({ event: -1, step: index, t: 'line ' + step.line + ' ' + step.text + ' ' + (step.message || '') })),
            ...s.events.filter(e => e.kind !== 'scenario.step').map(e => ({ event: e.number, step: e.step, t: seconds(e.time) + ' ' + s.who(e) + ' ' + s.text(e) }))].filter(h => matches(h.t));
          hitIndex = -1;
          $('hits').textContent = words.length ? hits.length + (hits.length === 1 ? ' hit' : ' hits') : '';
          markPicture();
          for (const item of document.querySelectorAll('#steps li')) item.classList.toggle('hit', hits.some(h => h.event < 0 && h.step === +item.dataset.step));
        }
        function nextHit(by) {
          if (!hits.length) return;
          hitIndex = (hitIndex + by + hits.length) % hits.length;
          const hit = hits[hitIndex];
          select(hit.event >= 0 ? { event: hit.event } : { step: hit.step });
        }
        function setTheme(name) { document.documentElement.dataset.theme = name; try { localStorage.setItem('pairsim-theme', name); } catch (_) { /* none is kept then */ } }
        function toggleTheme() { setTheme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark'); }
        function show(view) {
          for (const section of document.querySelectorAll('main > section')) section.classList.toggle('shown', section.id === view);
          for (const button of document.querySelectorAll('nav.views button')) button.setAttribute('aria-selected', button.dataset.view === view);
          if (view === 'middle') { drawPicture(); markPicture(); }
        }
        document.addEventListener('keydown', event => {
          if (event.target.matches('input, select') ) {
            if (event.key === 'Escape') { event.target.blur(); } else if (event.key === 'Enter' && event.target.id === 'search') { nextHit(event.shiftKey ? -1 : 1); event.preventDefault(); }
            return;
          }
          if (event.ctrlKey || event.metaKey || event.altKey) return;
          const s = story(), chosen = s && s.byNumber.get(selection.event);
          const actions = {
            j: () => moveEvent(1), k: () => moveEvent(-1), ArrowDown: () => select({ step: selection.step + 1 }), ArrowUp: () => select({ step: Math.max(0, selection.step - 1) }),
            ArrowRight: () => moveEvent(1), ArrowLeft: () => moveEvent(-1), n: () => nextHit(1), N: () => nextHit(-1), f: jumpToFailure, t: toggleTheme,
            c: () => { if (chosen && s.cause(chosen) >= 0) select({ event: s.cause(chosen) }); },
            e: () => { const effects = chosen && s.effects.get(chosen.number); if (effects) select({ event: effects[0] }); },
            d: () => { if (s.nearest && s.nearest.event >= 0) select({ event: s.nearest.event }); },
            '/': () => $('search').focus(), '?': () => $('help').showModal(), Escape: () => select({ step: -1 }),
          };
          if (s && actions[event.key]) { actions[event.key](); event.preventDefault(); }
        });
        function drawStory() {
          const s = story();
          $('title').textContent = s.name + (s.title ? ': ' + s.title : '');
          $('about').textContent = 'seed ' + s.seed + ', order ' + s.order + ', ' + s.eventCount + ' events';
          const list = document.querySelector('#runs select');
          if (list) list.value = selection.story;
          drawFailure(); drawSteps(); drawPicture(); search($('search').value);
        }
        function readAddress() {
          const wanted = new URLSearchParams(location.hash.slice(1)), query = new URLSearchParams(location.search);
          const number = name => { const text = wanted.get(name) ?? query.get(name); return text === null ? null : Number(text); };
          if (wanted.get('theme') || query.get('theme')) document.documentElement.dataset.theme = wanted.get('theme') || query.get('theme');
          const run = number('run'); if (run !== null && stories[run]) { selection.story = run; drawStory(); }
          const view = wanted.get('view') || query.get('view'); if (view) show(view);
          const text = wanted.get('search') || query.get('search'); if (text) { $('search').value = text; search(text); }
          if (number('event') !== null) select({ event: number('event') });
          else if (number('step') !== null) select({ step: number('step') - 1 });
          else jumpToFailure();
        }
        (function begin() {
          let theme = null;
          try { theme = localStorage.getItem('pairsim-theme'); } catch (_) { /* none is kept */ }
          document.documentElement.dataset.theme = theme || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
          if (!stories.length) return;
          $('theme').addEventListener('click', toggleTheme);
          $('question').addEventListener('click', () => $('help').showModal());
          $('search').addEventListener('input', event => search(event.target.value));
          for (const button of document.querySelectorAll('nav.views button')) button.addEventListener('click', () => show(button.dataset.view));
          if (stories.length > 1) {
            const list = el('select', { 'aria-label': 'run', on: { change: event => { select({ story: +event.target.value }); jumpToFailure(); } } },
              stories.map((s, i) => el('option', { value: i }, (s.ok ? '✓ ' : '✘ ') + s.name)));
            $('runs').append(list);
          }
          show('left');
          drawStory(); readAddress();
          let width = innerWidth;
          addEventListener('resize', () => { if (innerWidth !== width) { width = innerWidth; drawPicture(); markPicture(); } });
          addEventListener('hashchange', readAddress);
          document.documentElement.dataset.took = Math.round(performance.now());
          document.documentElement.dataset.ready = 'yes';
        })();
        """##
}
