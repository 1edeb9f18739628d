extension ViewerSource {
    /// Lanes, bands and arrows.
    static let picture = ##"""
        /* The picture: time runs down, a lane for each device, the link between them. */
        const rowHeight = 19, stepHeight = 24, gapHeight = 15;
        const channelOf = kind => kind.slice(0, kind.indexOf('.'));
        const deaths = new Set(['app.crash', 'app.killed', 'device.powerLoss', 'app.terminate', 'widget.crash', 'widget.killed']);
        const losses = new Set(['context.replaced', 'message.lost', 'message.failed', 'userInfo.failed', 'file.failed']);
        const alarming = new Set([...deaths, 'storage.failed', 'storage.fault', 'message.lost', 'message.failed', 'session.error', 'session.unobservedFailure',
          'session.misuse', 'context.refused', 'sync.refused', 'sync.deferred', 'scenario.fault', 'userInfo.failed', 'file.failed']);
        function lanes(width, count) {
          if (count <= 2) return width < 520 ? [width * .38, width * .62] : [width * .36, width * .64];
          return [width * .3, width * .56, width * .76];
        }
        function cut(text, room) {
          const most = Math.max(4, Math.floor(room / 6.7));
          return text.length > most ? text.slice(0, most - 1) + '…' : text;
        }
        /* What an event says, as short as a lane wants it; the whole of it is on the right and in the tooltip. */
        function brief(s, event) {
          return s.text(event).replace(/ sequence=(\d+)/, ' $1').replace(/ bytes=\d+/, '').replace(' keys=[com.localdata.sync]', '')
            .replace(' deletions=[]', '').replace(' omitted=[]', '').replace(/ keys=\[\]/, ' nothing');
        }
        function drawPicture() {
          const s = story(), host = $('picture');
          host.replaceChildren();
          const width = Math.max(300, host.clientWidth || 600), x = lanes(width, s.devices.length);
          const rows = [];
          let y = 26, time = null;
          for (const event of s.events) {
            if (time !== null && event.time > time) { rows.push({ gap: event.time - time, time: event.time, y }); y += gapHeight; }
            time = event.time;
            const isStep = event.kind === 'scenario.step';
            rows.push({ event, y, height: isStep ? stepHeight : rowHeight });
            y += isStep ? stepHeight : rowHeight;
          }
          const height = y + 10, picture = svg('svg', { viewBox: '0 0 ' + width + ' ' + height, height, role: 'list', 'aria-label': 'events by device, time runs down' });
          const bands = svg('g'), content = svg('g'), arrows = svg('g');
          s.rowY = new Map();
          for (const row of rows) if (row.event) s.rowY.set(row.event.number, row.y + row.height / 2);
          drawBands(s, rows, x, y, bands);
          s.devices.forEach((name, i) => {
            content.append(svg('text', { x: x[i], y: 14, 'text-anchor': 'middle', 'font-weight': 700, class: 'lane-name' }, name));
          });
          for (const row of rows) content.append(row.event ? drawRow(s, row, x, width) : drawGap(row, width));
          drawArrows(s, x, arrows);
          picture.append(bands, content, arrows);
          host.append(picture);
        }
        function drawGap(row, width) {
          return svg('text', { x: 4, y: row.y + 11, class: 'dim' }, '+' + span(row.gap) + '  →  ' + seconds(row.time) + ' s');
        }
        function drawRow(s, row, x, width) {
          const event = row.event, isStep = event.kind === 'scenario.step', step = s.steps[event.step];
          const group = svg('g', { class: 'row' + (isStep ? ' step ' + (step ? step.outcome : '') : ''), 'data-event': event.number, role: 'listitem' });
          group.append(svg('title', {}, seconds(event.time) + ' s  ' + s.who(event) + '  ' + s.text(event)));
          group.append(svg('rect', { class: 'back', x: .5, y: row.y + .5, width: width - 1, height: row.height - 1, rx: 4 }));
          const base = row.y + row.height / 2 + 4;
          if (isStep) {
            const sign = step && step.outcome === 'failed' ? '✘ ' : step && step.expect ? '✓ ' : '▸ ';
            group.append(svg('text', { x: 8, y: base, class: step && step.outcome === 'failed' ? 'bad' : '' }, cut(sign + s.stepText(event), width - 16)));
          } else if (event.device < 0) {
            group.append(svg('text', { x: (x[0] + x[1]) / 2, y: base, 'text-anchor': 'middle', class: 'dim' }, cut(brief(s, event), x[1] - x[0] + 60)));
          } else {
            const at = x[event.device], isLeft = event.device === 0 || (s.devices.length > 2 && event.device === 1);
            const room = event.device === 0 ? at - 14 : s.devices.length > 2 && event.device === 1 ? at - x[0] - 24 : width - at - 14;
            const mark = deaths.has(event.kind)
              ? svg('path', { d: `M${at - 5} ${base - 9}l10 10m0 -10l-10 10`, stroke: 'var(--bad)', 'stroke-width': 2.5 })
              : svg('circle', { cx: at, cy: base - 4, r: 3.5, fill: alarming.has(event.kind) ? 'var(--bad)' : 'var(' + (event.device ? '--watch' : '--phone') + ')' });
            group.append(mark, svg('text', { x: isLeft ? at - 10 : at + 10, y: base, 'text-anchor': isLeft ? 'end' : 'start', class: alarming.has(event.kind) ? 'bad' : event.kind === 'session.unimplemented' ? 'dim' : '' },
              cut(brief(s, event), room)));
          }
          group.addEventListener('click', () => select({ event: event.number }));
          return group;
        }
        /* Bands: the app's life on its lane, lock and power beside it, the lost link between the lanes. */
        function drawBands(s, rows, x, bottom, into) {
          const value = (look, device, group, name) => {
            const entries = look && look[device]; if (!entries) return null;
            const found = entries.find(e => e[0] === group && e[1] === name); return found ? found[2] : null;
          };
          const spans = {};
          const extend = (key, row, cls, make) => {
            const open = spans[key];
            if (open && open.cls === cls) { open.end = row.y + (row.height || gapHeight); return; }
            if (open && open.cls) into.append(open.make(open.begin, open.end));
            spans[key] = { cls, begin: row.y, end: row.y + (row.height || gapHeight), make };
          };
          let look = null;
          s.devices.forEach((_, i) => into.append(svg('line', { class: 'lane', x1: x[i], x2: x[i], y1: 20, y2: bottom })));
          for (const row of rows) {
            if (row.event) look = row.event.look >= 0 ? s.look(row.event.look) : look;
            if (!look) continue;
            const link = value(look, 0, 'device', 'link');
            extend('link', row, link === 'down' ? 'linkdown' : '', (a, b) => svg('rect', { class: 'linkdown', x: x[0] + 6, width: x[x.length - 1] - x[0] - 12, y: a, height: b - a }));
            s.devices.forEach((_, i) => {
              const app = value(look, i, 'app', 'state') || '', power = value(look, i, 'device', 'power'), lock = value(look, i, 'device', 'lock');
              const fill = i ? 'var(--watch)' : 'var(--phone)';
              extend('app' + i, row, app.split(' ')[0] === 'not' ? '' : app, (a, b) => svg('rect', { class: 'life ' + app.split(' ')[0], fill, x: x[i] - 2, width: 4, y: a, height: b - a }));
              extend('lock' + i, row, power === 'off' ? 'off' : lock && lock !== 'unlocked' ? 'locked' : '',
                (a, b) => { const g = svg('rect', { class: power === 'off' ? 'off' : 'locked', x: x[i] + (i ? -8 : 5), width: 3, y: a, height: b - a });
                  g.append(svg('title', {}, power === 'off' ? 'off' : 'locked: ' + lock)); return g; });
            });
          }
          for (const open of Object.values(spans)) if (open.cls) into.append(open.make(open.begin, open.end));
        }
        /* Arrows: from what left to what arrived; a cross for what never does. */
        function drawArrows(s, x, into) {
          into.append(arrowHead());
          for (const event of s.events) {
            if (event.carried < 0 || event.device < 0) continue;
            const from = s.byNumber.get(event.carried); if (!from || from.device < 0) continue;
            const y2 = s.rowY.get(event.number), y1 = s.rowY.get(from.number), channel = channelOf(event.kind);
            if (from.device !== event.device) {
              const side = x[from.device] < x[event.device] ? 1 : -1;
              into.append(svg('path', { class: 'arrow ' + (channel === 'sync' ? 'lost sync' : channel) + ' of-' + event.number + ' of-' + from.number,
                d: `M${x[from.device] + 6 * side} ${y1}L${x[event.device] - 7 * side} ${y2}`, 'marker-end': 'url(#head)', visibility: channel === 'sync' ? 'hidden' : 'visible',
                'data-sync': channel === 'sync' ? 1 : undefined }));
            } else if (losses.has(event.kind)) {
              const side = event.device === 0 ? 1 : -1, at = x[event.device];
              into.append(svg('path', { class: 'arrow lost of-' + event.number + ' of-' + from.number,
                d: `M${at + 5 * side} ${y1}C${at + 26 * side} ${y1} ${at + 26 * side} ${y2} ${at + 7 * side} ${y2}` }));
            }
          }
        }
        function arrowHead() {
          const defs = svg('defs'), marker = svg('marker', { id: 'head', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 6, markerHeight: 6, orient: 'auto', markerUnits: 'userSpaceOnUse' });
          marker.setAttribute('markerWidth', 9); marker.setAttribute('markerHeight', 9);
          marker.append(svg('path', { d: 'M0 0L8 4L0 8z', fill: 'var(--dim)' }));
          defs.append(marker);
          return defs;
        }
        function markPicture() {
          const s = story(), causes = new Set(), effects = new Set();
          if (selection.event >= 0) {
            for (const event of s.chain(selection.event).slice(1)) causes.add(event.number);
            for (const number of s.effects.get(selection.event) || []) effects.add(number);
          }
          for (const row of document.querySelectorAll('#picture .row')) {
            const number = +row.dataset.event, event = s.byNumber.get(number);
            row.classList.toggle('selected', number === selection.event || (selection.event < 0 && event.kind === 'scenario.step' && event.step === selection.step));
            row.classList.toggle('cause', causes.has(number));
            row.classList.toggle('effect', effects.has(number));
            row.classList.toggle('hit', hits.some(h => h.event === number));
          }
          for (const arrow of document.querySelectorAll('#picture .arrow')) {
            const on = selection.event >= 0 && (arrow.classList.contains('of-' + selection.event) || [...causes].some(c => arrow.classList.contains('of-' + c)));
            arrow.classList.toggle('on', on && !arrow.dataset.sync);
            if (arrow.dataset.sync) arrow.setAttribute('visibility', selection.event >= 0 && arrow.classList.contains('of-' + selection.event) ? 'visible' : 'hidden');
          }
        }
        """##
}
