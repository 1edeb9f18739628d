extension ViewerSource {
    /// The stories that the page has, and what is chosen of them.
    static let core = ##"""
        'use strict';
        const data = JSON.parse(document.getElementById('data').textContent);
        addEventListener('error', event => document.body.prepend('The viewer failed: ' + event.message + ' (line ' + event.lineno + ')'));
        const $ = id => document.getElementById(id);
        /* Text always goes in as text: nothing of a scenario is ever markup here. */
        function el(tag, attributes, ...children) {
          const node = document.createElement(tag);
          for (const [name, value] of Object.entries(attributes || {})) {
            if (value === undefined || value === null || value === false) continue;
            if (name === 'on') for (const [event, action] of Object.entries(value)) node.addEventListener(event, action);
            else node.setAttribute(name, value === true ? '' : value);
          }
          for (const child of children.flat()) if (child !== null && child !== undefined) node.append(child);
          return node;
        }
        function svg(tag, attributes, text) {
          const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
          for (const [name, value] of Object.entries(attributes || {})) if (value !== undefined) node.setAttribute(name, value);
          if (text !== undefined) node.textContent = text;
          return node;
        }
        const seconds = micros => (micros / 1e6).toFixed(6);
        function span(micros) {
          if (micros < 1000) return micros + ' µs';
          if (micros < 1e6) return +(micros / 1e3).toFixed(3) + ' ms';
          if (micros < 6e7) return +(micros / 1e6).toFixed(3) + ' s';
          return +(micros / 6e7).toFixed(2) + ' min';
        }

        /* A story as the page has it: events by number, with their causes and their effects. */
        class Story {
          constructor(raw) {
            Object.assign(this, raw);
            this.effects = new Map();
            this.byNumber = new Map();
            this.events = raw.events.map(e => ({
              number: e[0], time: e[1], device: e[2], process: e[3], kind: raw.kinds[e[4]], facts: e[5], carried: e[6], trigger: e[7], step: e[8], look: e[9]
            }));
            for (const event of this.events) this.byNumber.set(event.number, event);
            for (const event of this.events) {
              for (const cause of new Set([event.carried, event.trigger])) {
                if (cause < 0) continue;
                if (!this.effects.has(cause)) this.effects.set(cause, []);
                this.effects.get(cause).push(event.number);
              }
            }
          }
          cause(event) { return event.carried >= 0 ? event.carried : event.trigger; }
          chain(number) {
            const found = [];
            let event = this.byNumber.get(number);
            while (event && found.length < 200) { found.push(event); event = this.byNumber.get(this.cause(event)); }
            return found;
          }
          /* What is in a look at the devices: for each device [group, name, text]. */
          look(index) { return index >= 0 && this.looks[index] ? this.looks[index].devices.map(d => this.states[d].map(i => this.pool[i])) : null; }
          who(event) {
            const device = event.device >= 0 ? this.devices[event.device] : '';
            return device + (event.process ? ' #' + event.process : '');
          }
          text(event) { return event.kind === 'scenario.step' ? this.stepText(event) : event.kind + (event.facts ? ' ' + event.facts : ''); }
          stepText(event) { const step = this.steps[event.step]; return step ? 'line ' + step.line + ': ' + step.text.split('\n')[0] : event.kind; }
        }
        const stories = data.stories.map(raw => new Story(raw));
        const selection = { story: 0, event: -1, step: -1 };
        let hits = [], hitIndex = -1;
        const story = () => stories[selection.story];

        /* The look that goes with what is selected: after the event, or after the step. */
        function selectedLook() {
          const s = story();
          if (selection.event >= 0) return s.byNumber.get(selection.event).look;
          if (selection.step >= 0) return s.steps[selection.step].look;
          return -1;
        }
        function lookBefore(index) {
          const s = story();
          if (selection.event < 0 && selection.step > 0) return s.steps[selection.step - 1].look;
          return index - 1;
        }
        """##
}
