/** The styles of the page. Lanes, badges and dots share one definition of each color's meaning. */
export const STYLES = `
:root {
  color-scheme: light dark;
  --bg: #ffffff; --raised: #f7f8fa; --line: #e3e6eb; --hover: #f0f3f8; --pick: #e3ebfb;
  --text: #1b2230; --dim: #5d6879; --accent: #3b63d8;
  --round: #8fa8ee; --round-text: #14245c; --first: #1b2f86; --tool: #4fb3a1; --tool-text: #06352d; --wait: #d9b64a;
  --bad: #c8322f; --bad-soft: #fdeceb; --warn: #8a5a00; --warn-bar: #d98a00; --warn-soft: #fdf3dc; --info-soft: #eaeef4;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --bg: #14171d; --raised: #1a1e26; --line: #2a303b; --hover: #1f2530; --pick: #24335a;
    --text: #e3e7ee; --dim: #9aa5b5; --accent: #86a5ff;
    --round: #4c66b8; --round-text: #eef2ff; --first: #c6d3ff; --tool: #2f8a7a; --tool-text: #e6fffa; --wait: #8a7330;
    --bad: #ff7b72; --bad-soft: #40201f; --warn: #e8b65a; --warn-bar: #d99a2b; --warn-soft: #382c14; --info-soft: #262d38;
  }
}
* { box-sizing: border-box; }
html, body { height: 100%; margin: 0; }
body { background: var(--bg); color: var(--text); font: 13px/1.45 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
h1, h2, h3, p, dl, dd, ol, pre { margin: 0; padding: 0; }
button, input { font: inherit; color: inherit; }
button { background: var(--bg); border: 1px solid var(--line); border-radius: 5px; padding: 2px 9px; cursor: pointer; }
button:hover { background: var(--hover); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
#app { display: flex; flex-direction: column; height: 100%; min-height: 0; }
#print { display: none; }
.top { display: flex; align-items: center; gap: 6px 14px; padding: 8px 14px; border-bottom: 1px solid var(--line); flex-wrap: wrap; }
.top h1 { font-size: 14px; font-weight: 650; overflow-wrap: anywhere; }
.figures, .count, .side, .legend, .axis, dt, .when, .chars { color: var(--dim); }
.figures { flex: 1; min-width: 200px; font-variant-numeric: tabular-nums; }
.top input { width: 270px; max-width: 100%; background: var(--raised); border: 1px solid var(--line); border-radius: 5px; padding: 3px 8px; }
.zoom { display: flex; gap: 4px; }
.stage { border-bottom: 1px solid var(--line); background: var(--raised); padding: 6px 14px 2px; flex: none; }
.stage-head { display: flex; flex-wrap: wrap; gap: 2px 16px; align-items: baseline; margin-bottom: 2px; }
.stage-title { font-weight: 600; }
.legend { display: flex; flex-wrap: wrap; gap: 0 12px; font-size: 11.5px; }
.legend span { display: inline-flex; align-items: center; gap: 5px; }
.key { width: 10px; height: 10px; border-radius: 2px; background: var(--round); display: inline-block; }
.key.first { width: 2px; background: var(--first); }
.key.tool { background: var(--tool); } .key.wait { background: var(--wait); } .key.bad { background: var(--bad); }
.key.warn { background: var(--warn-bar); width: 3px; border-radius: 1px; }
.lanes-scroll { overflow-x: auto; overflow-y: hidden; }
svg.lanes { display: block; font: 10.5px/1 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
.lanes rect { cursor: pointer; }
.lanes .tick { stroke: var(--line); } .lanes .axis { fill: var(--dim); font-size: 10px; }
.lanes .on-bar { fill: var(--tool-text); pointer-events: none; }
.lanes .round { fill: var(--round); } .lanes .round + .on-bar { fill: var(--round-text); }
.lanes .failed, .lanes .error, .lanes .denied { fill: var(--bad); } .lanes .error + .on-bar, .lanes .denied + .on-bar { fill: var(--bg); }
.lanes .first { fill: var(--first); pointer-events: none; }
.lanes .done { fill: var(--tool); } .lanes .open, .lanes .asked { fill: var(--warn-bar); } .lanes .wait { fill: var(--wait); }
.lanes .mark { cursor: default; } .lanes .mark.bad { fill: var(--bad); } .lanes .mark.warn { fill: var(--warn-bar); }
.lanes .outline { fill: none; stroke: var(--text); stroke-width: 1.5; pointer-events: none; }
main { flex: 1; display: flex; min-height: 0; position: relative; }
.grid { flex: 1; min-width: 0; display: flex; flex-direction: column; outline: none; }
.grid:focus-visible .row[aria-selected="true"] { outline: 2px solid var(--accent); outline-offset: -2px; }
.rows { flex: 1; overflow: auto; position: relative; contain: strict; scrollbar-gutter: stable; }
.space { position: relative; }
.row {
  display: grid; align-items: center; height: 28px; column-gap: 10px; padding: 0 14px; white-space: nowrap;
  grid-template-columns: minmax(200px, 1.2fr) minmax(80px, 1fr) 68px 66px 62px 68px 92px 58px 100px 108px;
}
.rows .row { position: absolute; inset: 0 0 auto; contain: layout style; cursor: default; }
.row.head { height: 26px; border-bottom: 1px solid var(--line); color: var(--dim); font-size: 11.5px; flex: none; overflow: hidden; scrollbar-gutter: stable; }
.cell { overflow: hidden; text-overflow: ellipsis; text-align: right; font-variant-numeric: tabular-nums; unicode-bidi: isolate; }
.cell.name, .cell.preview { text-align: left; }
.cell.preview { grid-column: span 6; color: var(--dim); font: 11.5px var(--mono); }
.row.call { background: var(--raised); border-top: 1px solid var(--line); }
.row.call b { font-weight: 650; }
.row b { font-weight: 500; }
.row.round:not(:first-child) { border-top: 1px solid var(--line); }
.row.tool .cell.took, .row.tool .cell.start { color: var(--dim); }
.rows .row:hover { background: var(--hover); }
.row[aria-selected="true"] { background: var(--pick) !important; box-shadow: inset 3px 0 var(--accent); }
.cell.name { display: flex; align-items: center; min-width: 0; }
.fold { width: 16px; flex: none; color: var(--dim); cursor: pointer; text-align: center; }
.level2 .cell.name { padding-left: 14px; } .level3 .cell.name { padding-left: 28px; }
.label { flex: 1; display: flex; align-items: center; gap: 7px; min-width: 0; overflow: hidden; }
.label b { flex: none; max-width: 75%; }
.label b, .side { overflow: hidden; text-overflow: ellipsis; }
.side { font-size: 12px; }
.dot { width: 8px; height: 8px; border-radius: 4px; background: var(--tool); flex: none; }
.dot.round { border-radius: 2px; background: var(--round); }
.dot.error, .dot.denied { background: var(--bad); } .dot.open, .dot.asked { background: var(--warn-bar); }
.badge { flex: none; border-radius: 4px; padding: 0 6px; font-size: 11.5px; background: var(--info-soft); color: var(--dim); }
.badge.bad { background: var(--bad-soft); color: var(--bad); } .badge.warn { background: var(--warn-soft); color: var(--warn); }
.badge.new { background: var(--pick); color: var(--text); }
.cell.when { align-self: stretch; overflow: visible; }
.track { display: block; position: relative; height: 100%; }
.track i { position: absolute; top: 10px; height: 8px; min-width: 2px; border-radius: 2px; background: var(--tool); }
.track i.round { background: var(--round); } .track i:is(.error, .denied) { background: var(--bad); } .track i:is(.open, .asked) { background: var(--warn-bar); }
.share { display: inline-flex; align-items: center; gap: 6px; justify-content: flex-end; }
.bar { width: 40px; height: 6px; border-radius: 3px; background: var(--line); overflow: hidden; }
.bar i { display: block; height: 100%; background: var(--accent); }
.panel { width: min(520px, 46vw); border-left: 1px solid var(--line); display: flex; flex-direction: column; min-height: 0; background: var(--bg); }
.panel[hidden] { display: none; }
.panel > header { display: flex; align-items: center; gap: 10px; padding: 6px 14px; border-bottom: 1px solid var(--line); }
.panel h2 { font-size: 13.5px; flex: 1; min-width: 0; overflow-wrap: anywhere; }
.panel-body { overflow: auto; padding: 12px 14px 40px; flex: 1; }
.panel h3 { font-size: 12px; margin: 16px 0 5px; color: var(--dim); font-weight: 600; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 14px; }
dd { overflow-wrap: anywhere; unicode-bidi: isolate; }
.sum { display: flex; flex-wrap: wrap; gap: 6px; margin: 8px 0; }
pre { font: 12px/1.5 var(--mono); white-space: pre-wrap; overflow-wrap: anywhere; background: var(--raised); border: 1px solid var(--line); border-radius: 6px; padding: 8px 10px; max-height: 60vh; overflow: auto; unicode-bidi: plaintext; }
.text button { margin-top: 6px; }
.panel details { border: 1px solid var(--line); border-radius: 6px; margin: 5px 0; }
.panel details > summary { padding: 3px 10px; cursor: pointer; display: flex; gap: 8px; align-items: baseline; min-width: 0; }
.panel summary .side { flex: 1; white-space: nowrap; min-width: 0; }
.panel summary b { font-weight: 600; white-space: nowrap; }
.panel summary::before { content: "▸"; color: var(--dim); } .panel details[open] > summary::before { content: "▾"; }
.panel details[open] > summary { border-bottom: 1px solid var(--line); }
.panel details > .text, .panel details > .items { padding: 8px; }
.items { max-height: none; } .items > button { margin: 4px 0; }
.chars { font-size: 11.5px; white-space: nowrap; font-variant-numeric: tabular-nums; }
.marks { list-style: none; display: grid; gap: 5px; }
.marks li { display: flex; gap: 8px; align-items: baseline; } .when { font-variant-numeric: tabular-nums; white-space: nowrap; }
.said { overflow-wrap: anywhere; min-width: 0; }
noscript { display: block; padding: 20px; }
@media (max-width: 1100px) {
  .row { grid-template-columns: minmax(160px, 1fr) 66px 62px 68px 86px 58px; }
  .cell.when, .cell.start, .cell.new, .cell.again { display: none; }
  .cell.preview { grid-column: span 4; }
}
main.split .row { grid-template-columns: minmax(160px, 1fr) 66px 68px 86px 58px; }
main.split .cell:is(.when, .start, .first, .new, .again) { display: none; }
main.split .cell.preview { grid-column: span 3; }
@media (max-width: 700px) {
  .row, main.split .row { grid-template-columns: minmax(0, 1fr) 58px 60px 48px; column-gap: 8px; padding: 0 10px; }
    .cell.start, .cell.first, .cell.out, .cell.new, .cell.again { display: none !important; }
  .cell.preview, main.split .cell.preview { grid-column: span 2; }
  .cell.when { display: none; } .bar { display: none; }
  .top, .stage { padding-left: 10px; padding-right: 10px; }
  .top input { flex: 1; }
  .panel { position: absolute; inset: 12% 0 0; width: auto; border-left: 0; border-top: 1px solid var(--line); box-shadow: 0 -8px 24px rgb(0 0 0 / 25%); }
}
@media print {
  :root { color-scheme: light; --bg: #fff; --raised: #fff; --text: #000; --dim: #444; --line: #bbb; --round: #b9c7f3; --round-text: #000; --first: #1b2f86; --tool: #9bd3c8; --tool-text: #000; --bad: #a00; --bad-soft: #fff; --warn: #644; --warn-soft: #fff; --info-soft: #fff; }
  @page { margin: 12mm; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  html, body { height: auto; }
  #app { display: none; }
  #print { display: block; font-size: 9.5px; }
  #print h1 { font-size: 14px; margin-bottom: 8px; }
  .printed { margin-bottom: 18px; }
  .printed svg { max-width: 100%; height: auto; break-inside: avoid; }
  .row, .row.head { height: auto; padding: 1px 0; break-inside: avoid; column-gap: 6px; grid-template-columns: minmax(0, 1fr) 46px 46px 42px 46px 62px 38px 76px 82px; border-bottom: 1px solid #eee; }
  .row.head { font-size: 8.5px; scrollbar-gutter: auto; }
  .cell.start, .cell.first, .cell.new, .cell.again { display: block !important; }
  .cell.name { flex-wrap: wrap; white-space: normal; } .cell.preview { grid-column: span 6; font-size: 8.5px; }
  .side, .badge { font-size: 8.5px; } .badge { border: 1px solid #bbb; padding: 0 3px; } .cell.when, .bar, .fold { display: none; }
}
`;
