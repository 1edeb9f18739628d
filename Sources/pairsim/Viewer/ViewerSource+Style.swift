extension ViewerSource {
    /// What the page looks like: light and dark, wide and narrow, on paper.
    static let style = ##"""
        :root { color-scheme: light; --bg: #fff; --fg: #1f2328; --dim: #59636e; --line: #d1d9e0; --soft: #f6f8fa; --accent: #0969da; --cause: #8250df; --effect: #bc4c00;
          --bad: #cf222e; --good: #1a7f37; --mark: #fff8c5; --phone: #0969da; --watch: #bf3989; --down: #ffebe9; --lock: #9a6700; }
        :root[data-theme=dark] { color-scheme: dark; --bg: #0d1117; --fg: #e6edf3; --dim: #9198a1; --line: #3d444d; --soft: #151b23; --accent: #4493f8; --cause: #ab7df8;
          --effect: #f0883e; --bad: #f85149; --good: #3fb950; --mark: #3b2f00; --phone: #4493f8; --watch: #f778ba; --down: #3c1618; --lock: #d29922; }
        * { box-sizing: border-box; }
        body { margin: 0; background: var(--bg); color: var(--fg); font: 14px/1.45 system-ui, sans-serif; }
        h1 { font-size: 1.05rem; margin: 0; } h2 { font-size: .95rem; margin: 0 0 .4rem; } h3 { font-size: .8rem; margin: .8rem 0 .25rem; color: var(--dim); text-transform: uppercase; letter-spacing: .04em; }
        .passed { color: var(--good); } .failed { color: var(--bad); }
        code, pre, .mono { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 12px; }
        pre { overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
        header { padding: .6rem 1rem; border-bottom: 1px solid var(--line); display: flex; gap: .5rem 1rem; flex-wrap: wrap; align-items: center; }
        header p { margin: 0; color: var(--dim); }
        header .tools { margin-left: auto; display: flex; gap: .4rem; align-items: center; }
        button, input, select { font: inherit; color: inherit; background: var(--soft); border: 1px solid var(--line); border-radius: 6px; padding: .15rem .55rem; max-width: 100%; }
        button { cursor: pointer; } input { width: 15rem; }
        :focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
        nav.views { display: none; }
        main { display: grid; grid-template-columns: minmax(15rem, 22rem) minmax(24rem, 1fr) minmax(18rem, 27rem); height: calc(100vh - 3.4rem); }
        main > section { overflow: auto; padding: .8rem 1rem; border-right: 1px solid var(--line); min-width: 0; }
        main > section:last-child { border: 0; }
        .card { border: 1px solid var(--line); border-left: 4px solid var(--bad); border-radius: 6px; padding: .5rem .7rem; margin: 0 0 .8rem; overflow-wrap: anywhere; }
        .card.ok { border-left-color: var(--good); } .card.note { border-left-color: var(--dim); }
        .card dl { display: grid; grid-template-columns: auto 1fr; gap: 0 .7rem; margin: .3rem 0 0; } .card dt { color: var(--dim); } .card dd { margin: 0; }
        ol.steps { list-style: none; margin: 0; padding: 0; }
        ol.steps li { display: grid; grid-template-columns: 2.2rem 1.1rem 1fr; padding: .1rem .3rem; border-radius: 4px; cursor: pointer; white-space: pre-wrap; overflow-wrap: anywhere; }
        ol.steps li.phase { display: block; color: var(--dim); cursor: default; margin-top: .6rem; }
        ol.steps li .no { color: var(--dim); text-align: right; padding-right: .4rem; }
        ol.steps li.notRun { opacity: .5; } ol.steps li.failed { background: var(--down); color: inherit; }
        li[aria-current=true], tr[aria-current=true] { background: var(--mark) !important; }
        li:hover { background: var(--soft); }
        .hit { outline: 1px dashed var(--effect); }
        ul.list { list-style: none; margin: 0; padding: 0; } ul.list li { padding: .1rem .3rem; border-radius: 4px; cursor: pointer; overflow-wrap: anywhere; }
        ul.list li.plain { cursor: default; }
        table { border-collapse: collapse; width: 100%; } td, th { text-align: left; vertical-align: top; padding: .12rem .5rem .12rem 0; overflow-wrap: anywhere; border-bottom: 1px solid var(--line); font-weight: normal; }
        th { color: var(--dim); } #keys td:first-child { white-space: nowrap; } tr.changed td { background: var(--mark); } del { color: var(--dim); }
        .chip { display: inline-block; min-width: 1.3em; text-align: center; border-radius: 4px; padding: 0 .3em; font-weight: 600; color: #fff; background: var(--dim); }
        .chip.m1 { background: #0969da; } .chip.m2 { background: #bf3989; } .chip.m3 { background: #1a7f37; } .chip.m4 { background: #9a6700; } .chip.m5 { background: #8250df; }
        details { margin: .25rem 0; } summary { cursor: pointer; color: var(--dim); }
        svg { display: block; width: 100%; font: 11px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
        svg text { fill: var(--fg); } svg text.dim { fill: var(--dim); } svg text.bad { fill: var(--bad); font-weight: 600; }
        svg .row { cursor: pointer; } svg .row rect.back { fill: transparent; } svg .row:hover rect.back { fill: var(--soft); }
        svg .row.step rect.back { fill: var(--soft); } svg .row.step text { font-weight: 600; } svg .row.step.failed rect.back { fill: var(--down); }
        svg .row.selected rect.back { fill: var(--mark); stroke: var(--accent); } svg .row.cause rect.back { stroke: var(--cause); } svg .row.effect rect.back { stroke: var(--effect); }
        svg .row.hit rect.back { stroke: var(--effect); stroke-dasharray: 3 2; }
        svg .lane { stroke: var(--line); stroke-width: 2; } svg .life { opacity: .85; } svg .life.background { opacity: .45; } svg .life.suspended { opacity: .2; }
        svg .locked { fill: var(--lock); } svg .off { fill: var(--fg); } svg .linkdown { fill: var(--down); }
        svg .arrow { fill: none; stroke: var(--dim); stroke-width: 1.3; } svg .arrow.message, svg .arrow.reply { stroke: var(--good); } svg .arrow.context { stroke: var(--accent); }
        svg .arrow.userInfo { stroke: var(--cause); } svg .arrow.file { stroke: var(--effect); } svg .arrow.lost { stroke: var(--bad); stroke-dasharray: 4 3; } svg .arrow.on { stroke-width: 3; }
        .legend { color: var(--dim); font-size: 12px; margin: .2rem 0 .5rem; }
        .all { padding: .8rem 1rem 2rem; } .all td:last-child { white-space: nowrap; }
        dialog { background: var(--bg); color: var(--fg); border: 1px solid var(--line); border-radius: 8px; }
        @media (max-width: 62rem) {
          main { display: block; height: auto; } main > section { display: none; border: 0; overflow: visible; } main > section.shown { display: block; }
          nav.views { display: flex; gap: .4rem; padding: .4rem 1rem; border-bottom: 1px solid var(--line); position: sticky; top: 0; background: var(--bg); z-index: 2; }
          nav.views button { flex: 1; } nav.views button[aria-selected=true] { border-color: var(--accent); color: var(--accent); }
          header .tools { margin-left: 0; flex-wrap: wrap; } input { width: 9rem; }
        }
        @media print { header .tools, nav.views, dialog { display: none !important; } main { display: block; height: auto; } main > section { display: block; overflow: visible; border: 0; break-inside: auto; } body { font-size: 11px; } }
        """##
}
