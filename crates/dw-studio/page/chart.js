// Charts over one time: the area stretches, texts do not. Nothing here knows what is drawn.
// @ts-check
import { h } from "./dom.js";
import { t } from "./messages.js";

/**
 * @typedef {{ name: string, style: string, x: ArrayLike<number>, y: ArrayLike<number | null>, step?: boolean }} Line
 * @typedef {{ x: ArrayLike<number>, low: ArrayLike<number | null>, high: ArrayLike<number | null> }} Band
 * @typedef {{ title: string, lines: Line[], band?: Band | null, limits?: { name: string, y: number }[],
 *   spans?: { from: number, to: number, name: string }[], end: number, cursor: number, show: (y: number) => string,
 *   most?: number, at: (x: number) => string, oncursor: (x: number, kept: boolean) => void, note?: string, empty?: string }} Chart
 */

/** Round steps of an axis up to `most`. @param {number} most */
export function ticks(most, count = 4) {
  const raw = most / count;
  const size = 10 ** Math.floor(Math.log10(raw || 1));
  const step = [1, 2, 2.5, 5, 10].map((k) => k * size).find((s) => s >= raw) ?? raw;
  const all = [];
  for (let y = 0; y <= most * 1.0001; y += step) all.push(y);
  return all;
}

/** Steps of time that people count in. @param {number} end */
function times(end, count = 4) {
  const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800];
  const step = steps.find((s) => end / s <= count) ?? end / count;
  const all = [];
  for (let x = 0; x <= end * 1.0001; x += step) all.push(x);
  return all;
}

/** The place of the step that holds at `x`, for steps by their beginnings. @param {ArrayLike<number>} from @param {number} x */
export function placeAt(from, x) {
  let [low, high] = [0, from.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (from[middle] <= x) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** @param {Chart} chart */
export function chart(chart) {
  const { lines, end, limits = [], spans = [], band } = chart;
  let highest = chart.most ?? 0;
  if (!highest) {
    for (const line of lines) for (let k = 0; k < line.y.length; k++) highest = Math.max(highest, line.y[k] ?? 0);
    for (const limit of limits) if (limit.y < highest * 2.2) highest = Math.max(highest, limit.y);
    highest = highest * 1.08 || 1;
  }
  const isEmpty = !lines.some((line) => Array.from(line.y).some((y) => y !== null && y !== undefined));
  const steps = isEmpty ? [] : ticks(highest);
  const X = (/** @type {number} */ x) => ((x / end) * 1000).toFixed(1);
  const Y = (/** @type {number} */ y) => (1000 - Math.min(1.02, y / highest) * 1000).toFixed(1);
  const shown = limits.filter((limit) => limit.y <= highest);
  const share = chart.cursor / end;
  const point = (/** @type {any} */ event) => {
    const box = event.currentTarget.getBoundingClientRect();
    return Math.min(end, Math.max(0, ((event.clientX - box.left) / box.width) * end));
  };
  const values = lines.filter((line) => line.y.length && line.style !== "ghost").map((line) => {
    const y = valueAt(line, chart.cursor);
    return h("li", null, swatch(line.style), `${line.name} `, h("b", null, y === null ? "–" : chart.show(y)));
  });
  const ghost = lines.find((line) => line.style === "ghost" && line.y.length);
  return h("figure.chart", null,
    h("figcaption", null, h("span.title", null, chart.title),
      h("ul.legend", null, values,
        ghost && h("li", null, swatch("ghost"), ghost.name),
        spans.length > 0 && h("li", null, h("svg.swatch", { viewBox: "0 0 24 12", "aria-hidden": "true" }, h("rect.span", { width: 24, height: 12 })), t("throttled")))),
    h("div.plot", null,
      h("div.y", { "aria-hidden": "true" }, steps.map((y) => h("span", { style: { bottom: `${(y / highest) * 100}%` } }, chart.show(y)))),
      h("div.area", {
        onpointerdown: (/** @type {any} */ e) => { e.currentTarget.setPointerCapture(e.pointerId); chart.oncursor(point(e), false); },
        onpointermove: (/** @type {any} */ e) => { if (e.buttons & 1) chart.oncursor(point(e), false); },
        onpointerup: (/** @type {any} */ e) => chart.oncursor(point(e), true),
      },
        h("svg", { viewBox: "0 0 1000 1000", preserveAspectRatio: "none", role: "img", "aria-label": `${chart.title}${chart.note ? `. ${chart.note}` : ""}` },
          spans.map((span) => h("rect.span", { x: X(span.from), y: 0, width: Math.max(1, Number(X(span.to)) - Number(X(span.from))), height: 1000 }, h("title", null, span.name))),
          steps.map((y) => h("path.grid", { d: `M0 ${Y(y)}H1000` })),
          band && h("path.band", { d: area(band, end, X, Y) }),
          shown.map((limit) => h("path.limit", { d: `M0 ${Y(limit.y)}H1000` })),
          lines.map((line) => h(`path.line.${line.style}`, { d: stroke(line, end, X, Y) })),
          h("path.cursor", { d: `M${X(chart.cursor)} 0V1000` })),
        isEmpty && chart.empty && h("p.nothing", null, chart.empty),
        shown.map((limit, place) => h("span.limit-name", { style: { top: `${100 - (limit.y / highest) * 100}%`, right: place % 2 ? "auto" : "0", left: place % 2 ? "0" : "auto" } }, limit.name))),
      h("div.x", { "aria-hidden": "true" },
        times(end).filter((x) => (x === 0 || x / end <= 0.9 || x / end > 0.995) && Math.abs(x / end - share) > 0.075).map((x) => h("span", { class: x / end > 0.97 ? "last" : x === 0 ? "first" : "", style: { left: `${(x / end) * 100}%` } }, chart.at(x))),
        h("span.now", { class: share > 0.94 ? "last" : share < 0.04 ? "first" : "", style: { left: `${share * 100}%` } }, chart.at(chart.cursor)))),
    table(chart));
}

/** @param {Line} line @param {number} x */
function valueAt(line, x) {
  if (!line.x.length) return null;
  if (line.step) return line.y[placeAt(line.x, x)] ?? null;
  // Ends of intervals: the first that is not before.
  let k = placeAt(line.x, x - 1e-6);
  if (line.x[k] < x - 1e-6) k += 1;
  return line.y[Math.min(k, line.y.length - 1)] ?? null;
}

/** @param {Line} line @param {number} end @param {Function} X @param {Function} Y */
function stroke(line, end, X, Y) {
  let path = "";
  let pen = false;
  for (let k = 0; k < line.x.length; k++) {
    const y = line.y[k];
    if (y === null || y === undefined || Number.isNaN(y)) { pen = false; continue; }
    if (line.step) {
      const next = k + 1 < line.x.length ? line.x[k + 1] : end;
      path += `${pen ? "V" + Y(y) : `M${X(line.x[k])} ${Y(y)}`}H${X(next)}`;
    } else path += `${pen ? "L" : "M"}${X(line.x[k])} ${Y(y)}`;
    pen = true;
  }
  return path;
}

/** @param {Band} band @param {number} end @param {Function} X @param {Function} Y */
function area(band, end, X, Y) {
  let path = "";
  for (let k = 0; k < band.x.length; k++) {
    if (band.low[k] === null || band.high[k] === null) continue;
    // A step each, as the line is.
    path += `M${X(band.x[k])} ${Y(band.low[k])}V${Y(band.high[k])}H${X(band.x[k + 1] ?? end)}V${Y(band.low[k])}Z`;
  }
  return path;
}

/** @param {string} style */
const swatch = (style) => h("svg.swatch", { viewBox: "0 0 24 12", "aria-hidden": "true" }, h(`path.line.${style}`, { d: "M0 6H24" }));

/** The figures, for whoever cannot see them or wants to copy them. @param {Chart} chart */
function table(chart) {
  const lines = chart.lines.filter((line) => line.y.length);
  const rows = times(chart.end, 12);
  return h("details.figures", null, h("summary", null, t("as-table")),
    h("div.scroll", { tabindex: 0, role: "region", "aria-label": chart.title },
      h("table", null,
        h("thead", null, h("tr", null, h("th", { scope: "col" }, t("time")), lines.map((line) => h("th.n", { scope: "col" }, line.name)))),
        h("tbody", null, rows.map((x) => h("tr", null, h("th", { scope: "row" }, chart.at(x)), lines.map((line) => {
          const y = valueAt(line, x);
          return h("td.n", null, y === null ? "–" : chart.show(y));
        })))))));
}

/**
 * A curve of points that can be chosen between.
 * @param {{ title: string, points: { x: number, y: number, name: string, marked: boolean }[], xs: string, show: (y: number) => string }} curve
 */
export function curve({ title, points, xs, show }) {
  const [left, right] = [Math.min(...points.map((p) => p.x)), Math.max(...points.map((p) => p.x))];
  const [low, high] = [Math.min(...points.map((p) => p.y)) * 0.96, Math.max(...points.map((p) => p.y)) * 1.02];
  const X = (/** @type {number} */ x) => 2 + ((x - left) / (right - left || 1)) * 96;
  const Y = (/** @type {number} */ y) => ((y - low) / (high - low || 1)) * 100;
  const sorted = [...points].sort((a, b) => a.x - b.x);
  const path = sorted.map((p, k) => `${k ? "L" : "M"}${X(p.x) * 10} ${1000 - Y(p.y) * 10}`).join("");
  return h("figure.chart.curve", null, h("figcaption", null, h("span.title", null, title)),
    h("div.plot", null,
      h("div.y", { "aria-hidden": "true" }, [0, 0.5, 1].map((s) => h("span", { style: { bottom: `${s * 100}%` } }, show(low + s * (high - low))))),
      h("div.area", null,
        h("svg", { viewBox: "0 0 1000 1000", preserveAspectRatio: "none", role: "img", "aria-label": title },
          [0, 500, 1000].map((y) => h("path.grid", { d: `M0 ${y}H1000` })), h("path.line.exact", { d: path })),
        sorted.map((p) => h("span.dot", { class: p.marked ? "marked" : "", style: { left: `${X(p.x)}%`, bottom: `${Y(p.y)}%` }, title: p.name }))),
      h("div.x", { "aria-hidden": "true" }, h("span.first", { style: { left: "0%" } }, `${left}`), h("span", { style: { left: "50%" } }, xs), h("span.last", { style: { left: "100%" } }, `${right}`))));
}
