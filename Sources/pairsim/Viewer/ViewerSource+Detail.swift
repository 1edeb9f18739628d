extension ViewerSource {
    /// The failure, the steps, and the state of the devices.
    static let detail = ##"""
        /* What is beside the picture: the failure and the steps on the left, the chosen event or step with the state of every device on the right. */
        function drawFailure() {
          const s = story(), host = $('failure');
          host.replaceChildren();
          const rows = [];
          const add = (name, text, cls) => { if (text) rows.push(el('dt', {}, name), el('dd', { class: 'mono ' + (cls || '') }, text)); };
          if (s.phase) add('phase', s.phase);
          add('step', s.source); add('expected', s.expected, 'passed'); add('found', s.actual, 'failed'); add('replay', s.replay);
          host.append(el('div', { class: 'card' + (s.ok ? ' ok' : ''), id: 'failure-card' },
            el('strong', { class: s.ok ? 'passed' : 'failed' }, s.headline || 'passed'), rows.length ? el('dl', {}, rows) : null,
            s.line ? el('button', { on: { click: jumpToFailure } }, 'show it (f)') : null));
          for (const note of s.notes) host.append(el('div', { class: 'card note' }, note));
          if (s.nearest) host.append(el('div', { class: 'card note', id: 'nearest' }, el('strong', {}, s.nearest.text),
            s.nearest.here ? el('dl', {}, el('dt', {}, 'here'), el('dd', { class: 'mono' }, s.nearest.here), el('dt', {}, 'there'), el('dd', { class: 'mono' }, s.nearest.there)) : null,
            s.nearest.event >= 0 && s.byNumber.has(s.nearest.event) ? el('button', { on: { click: () => select({ event: s.nearest.event }) } }, 'show the first event that differs (d)') : null));
        }
        function drawSteps() {
          const s = story(), host = $('steps');
          host.replaceChildren();
          let phase = null;
          s.steps.forEach((step, index) => {
            if (step.phase && step.phase !== phase) host.append(el('li', { class: 'phase' }, '# ' + step.phase));
            phase = step.phase;
            const sign = step.outcome === 'failed' ? '✘' : step.outcome === 'notRun' ? '·' : step.expect ? '✓' : '▸';
            host.append(el('li', { class: step.outcome, 'data-step': index, title: step.message || (step.path ? step.path + ':' + step.line : ''), on: { click: () => select({ step: index }) } },
              el('span', { class: 'no mono' }, String(step.line)), el('span', { class: step.outcome === 'failed' ? 'failed' : step.outcome === 'passed' ? 'passed' : '' }, sign),
              el('span', { class: 'mono' }, step.text)));
          });
        }
        function eventItem(event, prefix) {
          const s = story();
          return el('li', { class: 'mono', on: { click: () => select({ event: event.number }) } }, (prefix || '') + seconds(event.time) + '  ' + (s.who(event) + '  ').trimStart() + s.text(event));
        }
        function drawDetail() {
          const s = story(), host = $('detail');
          host.replaceChildren();
          const event = s.byNumber.get(selection.event), step = selection.event < 0 ? s.steps[selection.step] : null;
          if (event) {
            host.append(el('h2', {}, 'Event ' + event.number + ': ' + event.kind));
            if (data.meanings[event.kind]) host.append(el('p', {}, data.meanings[event.kind]));
            host.append(el('p', { class: 'mono' }, seconds(event.time) + ' s  ' + (s.who(event) || 'no device') + (event.facts ? '  ' + event.facts : '')));
            const chain = s.chain(event.number).slice(1), also = event.carried >= 0 && event.trigger >= 0 && event.trigger !== event.carried ? s.byNumber.get(event.trigger) : null;
            host.append(el('h3', {}, 'Because of'), el('ul', { class: 'list', id: 'causes' }, chain.length ? chain.map(e => eventItem(e, '↑ ')) : el('li', { class: 'plain' }, 'the start of the run'),
              also ? eventItem(also, 'set off by ') : null));
            const effects = (s.effects.get(event.number) || []).map(n => s.byNumber.get(n)).filter(Boolean);
            host.append(el('h3', {}, 'What came of it'), el('ul', { class: 'list', id: 'effects' }, effects.length ? effects.slice(0, 30).map(e => eventItem(e, '↓ ')) : el('li', { class: 'plain' }, 'nothing'),
              effects.length > 30 ? el('li', { class: 'plain' }, '… and ' + (effects.length - 30) + ' more') : null));
          } else if (step) {
            host.append(el('h2', {}, 'Line ' + step.line + ': ' + step.outcome), el('p', { class: 'mono' }, step.text));
            if (step.message) host.append(el('p', { class: 'failed' }, step.message));
            drawConcern(host, s, step);
            const own = s.events.filter(e => e.step === selection.step && e.kind !== 'scenario.step');
            host.append(el('h3', {}, 'What happened in it'), el('ul', { class: 'list' }, own.length ? own.slice(0, 40).map(e => eventItem(e)) : el('li', { class: 'plain' }, step.outcome === 'notRun' ? 'it did not run' : 'nothing'),
              own.length > 40 ? el('li', { class: 'plain' }, '… and ' + (own.length - 40) + ' more') : null));
          } else {
            host.append(el('p', {}, 'Choose a step or an event: j and k go through the events, the arrow keys through the steps, ? tells the rest.'));
          }
          drawState(host);
        }
        /* Of an expectation about keys: what happened to these keys until then, and what went wrong on the way. */
        function drawConcern(host, s, step) {
          if (!step.expect || step.outcome === 'notRun') return;
          const words = new Set(step.text.split(/[\s,]+/)), chosen = s.keys.map((id, i) => ({ id, name: s.keyNames[i] })).filter(k => words.has(k.id));
          if (!chosen.length) return;
          const names = new Set(chosen.flatMap(k => [k.id, k.name])), until = s.steps.indexOf(step);
          const tells = e => { const facts = e.facts.replace(/[\[\]"]/g, ' ').replace(/\bkeys?=|\bdeletions=|\bomitted=/g, ' ').split(/\s+/); return facts.some(w => names.has(w)); };
          const found = s.events.filter(e => e.step <= until && e.kind !== 'scenario.step' && e.kind !== 'storage.get' && (tells(e) || alarming.has(e.kind)));
          host.append(el('h3', {}, 'What concerns ' + chosen.map(k => k.id).join(', ') + ', and what went wrong'), el('ul', { class: 'list', id: 'concern' },
            found.length > 16 ? el('li', { class: 'plain' }, '… ' + (found.length - 16) + ' before these') : null,
            found.length ? found.slice(-16).map(e => { const item = eventItem(e); if (alarming.has(e.kind)) item.classList.add('failed'); return item; }) : el('li', { class: 'plain' }, 'nothing')));
        }
        function drawState(host) {
          const s = story(), index = selectedLook(), look = s.look(index);
          if (!look) { if (selection.event >= 0 || selection.step >= 0) host.append(el('p', {}, 'Nobody looked at the devices there.')); return; }
          const before = s.look(lookBefore(index));
          const asMap = entries => new Map(entries.map(e => [e[0] + '\u0000' + e[1], e]));
          const at = s.looks[index];
          host.append(el('h3', {}, 'Every device at ' + seconds(at.time) + ' s'), keyTable(s, look, before));
          s.devices.forEach((name, i) => {
            const now = look[i], old = before ? asMap(before[i]) : null, groups = new Map();
            for (const entry of now) { if (!groups.has(entry[0])) groups.set(entry[0], []); groups.get(entry[0]).push(entry); }
            if (old) for (const entry of before[i]) if (!now.some(e => e[0] === entry[0] && e[1] === entry[1])) {
              if (!groups.has(entry[0])) groups.set(entry[0], []);
              groups.get(entry[0]).push([entry[0], entry[1], null]);
            }
            host.append(el('h3', {}, name));
            for (const [group, entries] of groups) {
              if (group === 'keys') continue;
              const isChanged = e => old && (old.get(e[0] + '\u0000' + e[1]) || [])[2] !== e[2];
              const changed = entries.filter(isChanged).length;
              const folded = (group === 'files' || group === 'preferences' || group === 'keychain' || group === 'session') && !changed;
              host.append(el('details', { open: !folded, 'data-group': name + ' ' + group }, el('summary', {}, group + ' (' + entries.length + ')' + (changed ? ', ' + changed + ' changed' : '')),
                el('table', {}, entries.map(e => el('tr', { class: isChanged(e) ? 'changed' : null }, el('td', {}, e[1]), el('td', { class: 'mono' },
                  isChanged(e) && old.get(e[0] + '\u0000' + e[1]) ? [el('del', {}, old.get(e[0] + '\u0000' + e[1])[2]), ' '] : null, e[2] === null ? 'gone' : e[2]))))));
            }
          });
        }
        /* Keys by devices: equal letters are equal values. */
        function keyTable(s, look, before) {
          const names = s.keys;
          if (!names.length) return el('p', {}, 'The scenario has no keys.');
          const find = (entries, name) => { const e = entries && entries.find(e => e[0] === 'keys' && e[1] === name); return e ? e[2] : ''; };
          const cell = text => {
            const mark = /^([A-Z]+|\d+)( |$)/.exec(text);
            if (!mark) return [text];
            return [el('span', { class: 'chip m' + ((mark[1].charCodeAt(mark[1].length - 1) - 65) % 5 + 1) }, mark[1]), text.slice(mark[1].length)];
          };
          return el('table', { id: 'keys' }, el('tr', {}, el('th', {}, 'key'), s.devices.map(d => el('th', {}, d))),
            names.map(name => el('tr', { class: before && look.some((entries, i) => find(entries, name) !== find(before[i], name)) ? 'changed' : null },
              el('td', { class: 'mono' }, name), look.map(entries => el('td', { class: 'mono' }, cell(find(entries, name)))))));
        }
        """##
}
