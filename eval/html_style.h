// The page's style sheet.
#pragma once

namespace logit::eval {

inline constexpr const char* kHtmlStyle = R"(
:root { color-scheme: light dark; --back: #ffffff; --card: #f6f7f9; --text: #1c2127; --faint: #5b6570;
  --rule: #dfe3e8; --accent: #2563c9; --quiet: #aeb8c4; --limit: #b4560a; --track: #e4e8ee; }
@media (prefers-color-scheme: dark) {
  :root { --back: #14171b; --card: #1c2127; --text: #e6e9ed; --faint: #9aa5b1; --rule: #333b45;
    --accent: #7aaaf7; --quiet: #5d6875; --limit: #e8a05c; --track: #2b323b; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1240px; padding: 24px 20px 48px; background: var(--back);
  color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 24px; margin: 0 0 4px; }
h2 { font-size: 19px; margin: 40px 0 4px; }
h3 { font-size: 14px; margin: 0 0 8px; }
p { margin: 0 0 12px; max-width: 75ch; }
.faint, figcaption { color: var(--faint); font-size: 13px; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: 8px 0 16px; }
th, td { padding: 5px 12px 5px 0; text-align: right; border-bottom: 1px solid var(--rule);
  white-space: nowrap; }
th { color: var(--faint); font-size: 12px; font-weight: 600; vertical-align: bottom; }
th.name, td.name { text-align: left; white-space: normal; overflow-wrap: anywhere;
  min-width: 7em; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(300px, 100%), 1fr)); gap: 16px;
  margin: 12px 0; align-items: start; }
.cards.four { grid-template-columns: repeat(auto-fit, minmax(min(460px, 100%), 1fr)); }
figure, .card { margin: 0; padding: 14px 16px; background: var(--card);
  border: 1px solid var(--rule); border-radius: 8px; min-width: 0; }
.card { overflow-x: auto; }
.card table { width: 100%; margin: 0; font-size: 13px; }
.card td.name, .card th.name { min-width: 5em; }
svg { display: block; width: 100%; max-width: 440px; height: auto; margin: 0 auto; }
svg text { fill: var(--faint); font: 10px system-ui, sans-serif; }
.grid { stroke: var(--rule); }
.ideal { stroke: var(--faint); stroke-dasharray: 4 4; }
.limit { stroke: var(--limit); stroke-dasharray: 2 3; }
.range { stroke: var(--accent); stroke-opacity: .45; stroke-width: 2; }
.curve { fill: none; stroke: var(--accent); stroke-width: 2; stroke-linejoin: round; }
.dot, .bar { fill: var(--accent); }
.quiet { fill: var(--quiet); }
.key { display: inline-block; width: 10px; height: 10px; border-radius: 2px; margin: 0 4px 0 10px;
  background: var(--accent); }
.key.other { background: var(--quiet); }
.track { display: inline-block; width: 84px; height: 8px; border-radius: 4px; margin-right: 8px;
  background: var(--track); overflow: hidden; vertical-align: middle; }
.track span { display: block; height: 100%; background: var(--accent); }
summary { cursor: pointer; color: var(--faint); font-size: 13px; }
.warning { border-left: 3px solid var(--limit); padding-left: 10px; }
)";

}  // namespace logit::eval
