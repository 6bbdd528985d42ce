// How full each limit is over the time of the recording: a strip each, one crosshair over all of them, and a map of the whole to zoom in.
// @ts-check
import { placeAt } from "./chart.js";
import { h } from "./dom.js";
import { iops, ms, percent } from "./format.js";
import { t } from "./messages.js";
import { bottleneckAt, gives, usedOf } from "./pipe.js";
import { state } from "./state.js";
import { brief, clockAt, moments, overTime, share, shown, zoom } from "./ui.js";

/** Use from which a limit is called nearly full. */
const NEARLY = 0.75;
/** Strips that are shown unasked: the fullest. */
const FEW = 6;

/** The area of a strip: how full, in steps, of those that a test takes. @param {any} estimate @param {number[]} use @param {number} top @param {(use: number) => boolean} takes */
function area(estimate, use, top, takes) {
  const { from, to, end } = shown();
  const x = (/** @type {number} */ at) => (((at - from) / (to - from)) * 1000).toFixed(1);
  let path = "";
  for (let k = 0; k < use.length; k++) {
    const next = estimate.from_s[k + 1] ?? end;
    if (next < from || estimate.from_s[k] > to || !takes(use[k])) continue;
    path += `M${x(estimate.from_s[k])} 100V${(100 - (Math.min(use[k], top) / top) * 100).toFixed(1)}H${x(next)}V100Z`;
  }
  return path;
}

/** How dark a strip is where so much is used: also what is low is seen to rise and fall. */
const TINTS = [0.04, 0.1, 0.16, 0.24, 0.32, 0.42];

/** The steps of a strip that have the tint of that number. @param {any} estimate @param {number[]} use @param {number} tint */
function tinted(estimate, use, tint) {
  const { from, to, end } = shown();
  const x = (/** @type {number} */ at) => (((at - from) / (to - from)) * 1000).toFixed(1);
  let path = "";
  for (let k = 0; k < use.length; k++) {
    const next = estimate.from_s[k + 1] ?? end;
    if (next < from || estimate.from_s[k] > to || Math.min(TINTS.length - 1, Math.floor(Math.sqrt(use[k]) * TINTS.length)) !== tint) continue;
    path += `M${x(estimate.from_s[k])} 0H${x(next)}V100H${x(estimate.from_s[k])}Z`;
  }
  return path;
}

/** @param {any} estimate @param {number} at the cursor, in seconds */
export function strips(estimate, at) {
  const { from, to } = shown();
  const peak = (limit) => limit.use.reduce((/** @type {number} */ most, /** @type {number} */ use) => Math.max(most, use), 0);
  const all = estimate.limits.map((limit) => ({ limit, most: peak(limit) })).filter((one) => one.most > 0.0005);
  // In the order of the path; what is left out is the emptiest.
  const few = new Set([...all].sort((a, b) => b.most - a.most).slice(0, FEW));
  const rows = state.allLimits ? all : all.filter((one) => few.has(one));
  const moment = state.hover ?? at;
  const place = placeAt(estimate.from_s, moment);
  const narrowest = bottleneckAt(estimate, place);
  const narrow = bottleneckAt(estimate, placeAt(estimate.from_s, at));
  return h("section.strips", null,
    h("div.head", null, h("h2", null, t("strips-title")), h("span.soft", null, `${clockAt(from)} – ${clockAt(to)} · ${t("strips-how")}`),
      state.view && h("button", { type: "button", id: "zoom-out", onclick: () => zoom(null) }, t("zoom-out"))),
    h("div.strip-rows", null,
      rows.map(({ limit, most }) => {
        const top = Math.max(1, most);
        const own = limit.use[place];
        return h("div.strip", { class: limit === narrow ? "narrow" : "" },
          h("span.strip-name", { title: limit.name }, brief(`${limit.id.volume && !limit.short.includes(limit.id.volume) ? `${limit.id.volume} ` : ""}${limit.short}`)),
          h("span.strip-area", overTime(),
            h("svg", { viewBox: "0 0 1000 100", preserveAspectRatio: "none", role: "img", "aria-label": `${limit.name}: ${usedOf(limit, most)}, ${percent(most * 100)}` },
              TINTS.map((tint, k) => h("path.tint", { "fill-opacity": tint, d: tinted(estimate, limit.use, k) })),
              h("path.low", { d: area(estimate, limit.use, top, (use) => use < NEARLY) }),
              h("path.near", { d: area(estimate, limit.use, top, (use) => use >= NEARLY && use < 0.995) }),
              h("path.full", { d: area(estimate, limit.use, top, (use) => use >= 0.995) }),
              top > 1 && h("path.limit", { d: `M0 ${100 - 100 / top}H1000` })),
            limit.credits && credits(estimate, limit)),
          h("span.strip-now", { class: own >= 0.995 ? "over" : own >= NEARLY ? "warn" : "" }, h("b", null, percent(own * 100)), " ", h("span.soft", null, t("of-limit", { limit: gives(limit) }))));
      }),
      crosshair(at, estimate, place, narrowest)),
    axis(at),
    all.length > rows.length || state.allLimits ? h("button.link.more", { type: "button", id: "all-limits", "aria-expanded": String(!!state.allLimits), onclick: () => { state.allLimits = !state.allLimits; zoom(state.view); } }, state.allLimits ? t("fewer-limits") : t("more-limits", { n: all.length - rows.length })) : null,
    map(estimate));
}

/** What is left of burst credits, as a line over the strip. @param {any} estimate @param {any} limit */
function credits(estimate, limit) {
  const full = Math.max(...limit.credits);
  if (Math.min(...limit.credits) > 0.995 * full) return null;
  const { from, to, end } = shown();
  const x = (/** @type {number} */ at) => (((at - from) / (to - from)) * 1000).toFixed(1);
  const path = limit.credits.map((/** @type {number} */ left, /** @type {number} */ k) => `${k ? "L" : "M"}${x(estimate.from_s[k])} ${(100 - (left / full) * 100).toFixed(1)}`).join("");
  return h("svg.credits", { viewBox: "0 0 1000 100", preserveAspectRatio: "none", role: "img", "aria-label": t("credits") }, h("path", { d: `${path}H${x(end)}` }));
}

/** The crosshair with the figures of its moment, and what is being dragged over. @param {number} at @param {any} estimate @param {number} place @param {any} narrowest */
function crosshair(at, estimate, place, narrowest) {
  const hover = state.hover;
  const inside = (/** @type {number} */ s) => s >= -0.001 && s <= 1.001;
  const { loads } = estimate;
  const total = loads.reduce((/** @type {number} */ sum, l) => sum + l.iops[place], 0);
  const of = (/** @type {string} */ direction) => loads.filter((l) => l.direction === direction && l.iops[place] > 0.5 && l.mean_us[place] !== null).map((l) => `${l.volume} ${ms(l.mean_us[place])}`).join(", ");
  const [reads, writes] = [of("read"), of("write")];
  return h("div.cross", { "aria-hidden": "true" },
    inside(share(at)) && h("i.cursor-line", { style: { left: `${share(at) * 100}%` } }),
    state.dragged && h("i.drag", { style: { left: `${share(state.dragged[0]) * 100}%`, width: `${(share(state.dragged[1]) - share(state.dragged[0])) * 100}%` } }),
    hover !== null && [h("i.hover-line", { style: { left: `${share(hover) * 100}%` } }),
      h("div.tip", { class: share(hover) > 0.6 ? "left" : "", style: { left: `${share(hover) * 100}%` } },
        h("b", null, `${clockAt(hover)} · ${iops(total)} IOPS`),
        narrowest && h("span", null, `${narrowest.name}: ${percent(narrowest.use[place] * 100)} ${t("of-limit", { limit: gives(narrowest) })}`),
        reads && h("span", null, `${t("reads")}: ${reads}`), writes && h("span", null, `${t("writes")}: ${writes}`))]);
}

/** The moments below the strips. @param {number} at */
export function axis(at) {
  const cursor = share(at);
  const place = (/** @type {number} */ s) => (s > 0.955 ? "last" : s < 0.045 ? "first" : "");
  return h("div.moments", { "aria-hidden": "true" },
    moments().map((x) => [x, share(x)]).filter(([, s]) => s >= 0 && s <= 1 && Math.abs(s - cursor) > 0.07).map(([x, s]) => h("span", { class: place(s), style: { left: `${s * 100}%` } }, clockAt(x))),
    cursor >= 0 && cursor <= 1 && h("span.now", { class: place(cursor), style: { left: `${cursor * 100}%` } }, clockAt(at)));
}

/** All of the recording with its load, and what of it is shown. @param {any} estimate */
export function map(estimate) {
  const recording = state.recording.checklist.volumes[0].series;
  const whole = Math.max(estimate.whole_s, estimate.begins_s + estimate.span_s);
  const { from, to, end } = shown();
  const most = recording.iops.reduce((/** @type {number} */ m, /** @type {number | null} */ v) => Math.max(m, v ?? 0), 1);
  let path = "";
  recording.iops.forEach((/** @type {number | null} */ v, /** @type {number} */ k) => {
    if (v === null) return;
    const left = k ? recording.end_s[k - 1] : 0;
    path += `M${((left / whole) * 1000).toFixed(1)} 100V${(100 - (v / most) * 100).toFixed(1)}H${((recording.end_s[k] / whole) * 1000).toFixed(1)}V100Z`;
  });
  const [left, right] = [(estimate.begins_s + from) / whole, (estimate.begins_s + to) / whole];
  if (!state.view && estimate.span_s >= whole * 0.995) return null;
  const step = (/** @type {number} */ by) => {
    const wide = to - from;
    const begins = Math.min(end - wide, Math.max(0, from + by * wide));
    zoom([begins, begins + wide]);
  };
  return h("div.map", null,
    h("button.icon", { type: "button", "aria-label": t("zoom-earlier"), disabled: from <= 0, onclick: () => step(-0.5) }, "‹"),
    h("span.map-area", null,
      h("svg", { viewBox: "0 0 1000 100", preserveAspectRatio: "none", role: "img", "aria-label": t("map") }, h("path.low", { d: path })),
      h("i.window", { style: { left: `${left * 100}%`, width: `${Math.max(0.5, (right - left) * 100)}%` } })),
    h("button.icon", { type: "button", "aria-label": t("zoom-later"), disabled: to >= end, onclick: () => step(0.5) }, "›"));
}
