// Charts over one time: the area stretches, texts do not. Nothing here knows what is drawn.
// @ts-check
import { h } from "./dom.js";
import { t } from "./messages.js";

/**
 * @typedef {{ name: string, style: string, x: ArrayLike<number>, y: ArrayLike<number | null>, step?: boolean }} Line
 * @typedef {{ x: ArrayLike<number>, low: ArrayLike<number | null>, high: ArrayLike<number | null> }} Band
 * @typedef {{ title: string, lines: Line[], band?: Band | null, limits?: { name: string, y: number }[],
 *   spans?: { from: number, to: number, name: string }[], from?: number, to: number, end: number, cursor: number | null, hover?: number | null,
 *   drag?: [number, number] | null, over: Record<string, (e: any) => void>, moments: number[], show: (y: number) => string,
 *   most?: number, at: (x: number) => string, note?: string, empty?: string, asked?: { name: string, y: number }[] }} Chart
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
  const { lines, from = 0, to, limits = [], spans = [], band, cursor, hover, drag, asked = [] } = chart;
  let highest = chart.most ?? 0;
  if (!highest) {
    for (const line of lines) for (let k = 0; k < line.y.length; k++) if (line.x[k] >= from && line.x[k] <= to) highest = Math.max(highest, line.y[k] ?? 0);
    for (const limit of [...limits, ...asked]) if (limit.y < highest * 2.2) highest = Math.max(highest, limit.y);
    highest = highest * 1.08 || 1;
  }
  const isEmpty = !lines.some((line) => Array.from(line.y).some((y) => y !== null && y !== undefined));
  const steps = isEmpty ? [] : ticks(highest);
  const share = (/** @type {number} */ x) => (x - from) / (to - from || 1);
  const X = (/** @type {number} */ x) => (share(x) * 1000).toFixed(1);
  const Y = (/** @type {number} */ y) => (1000 - Math.min(1.02, y / highest) * 1000).toFixed(1);
  const fits = [...limits.map((limit) => ({ ...limit, style: "limit" })), ...asked.map((one) => ({ ...one, style: "asked-most" }))];
  const shown = fits.filter((limit) => limit.y <= highest);
  const above = fits.filter((limit) => limit.y > highest);
  const moment = hover ?? cursor;
  const values = lines.filter((line) => line.y.length && line.style !== "ghost").map((line) => {
    const y = moment === null ? null : valueAt(line, moment);
    return h("li", null, swatch(line.style), `${line.name} `, moment !== null && h("b", null, y === null ? "–" : chart.show(y)));
  });
  const ghost = lines.find((line) => line.style === "ghost" && line.y.length);
  const place = (/** @type {number} */ s) => (s > 0.955 ? "last" : s < 0.045 ? "first" : "");
  const at = cursor === null ? -1 : share(cursor);
  return h("figure.chart", null,
    h("figcaption", null, h("span.title", null, chart.title),
      h("ul.legend", null, values,
        ghost && h("li", null, swatch("ghost"), ghost.name),
        spans.length > 0 && h("li", null, h("svg.swatch", { viewBox: "0 0 24 12", "aria-hidden": "true" }, h("rect.span", { y: 6, width: 24, height: 6 })), t("throttled")),
        above.length > 0 && h("li.above", null, t("limit-above", { name: above[0].name, value: chart.show(above[0].y) })))),
    h("div.plot", null,
      h("div.y", { "aria-hidden": "true" }, steps.map((y) => h("span", { style: { bottom: `${(y / highest) * 100}%` } }, chart.show(y)))),
      h("div.area", chart.over,
        h("svg", { viewBox: "0 0 1000 1000", preserveAspectRatio: "none", role: "img", "aria-label": `${chart.title}${chart.note ? `. ${chart.note}` : ""}` },
          steps.map((y) => h("path.grid", { d: `M0 ${Y(y)}H1000` })),
          // A bar at the bottom: a whole stripe would drown the lines.
          spans.map((span) => h("rect.span", { x: X(span.from), y: 950, width: Math.max(1, Number(X(span.to)) - Number(X(span.from))), height: 50 }, h("title", null, span.name))),
          band && h("path.band", { d: area(band, to, X, Y) }),
          shown.map((limit) => h(`path.${limit.style}`, { d: `M0 ${Y(limit.y)}H1000` })),
          lines.map((line) => h(`path.line.${line.style}`, { d: stroke(line, chart.end, X, Y) }))),
        at >= 0 && at <= 1 && h("i.cursor-line", { style: { left: `${at * 100}%` } }),
        drag && h("i.drag", { style: { left: `${share(drag[0]) * 100}%`, width: `${(share(drag[1]) - share(drag[0])) * 100}%` } }),
        hover !== null && hover !== undefined && [h("i.hover-line", { style: { left: `${share(hover) * 100}%` } }), h("span.hover-time", { class: place(share(hover)), style: { left: `${share(hover) * 100}%` } }, chart.at(hover))],
        isEmpty && chart.empty && h("p.nothing", null, chart.empty),
        shown.map((limit, k) => h("span.limit-name", { class: limit.style, style: { top: `${100 - (limit.y / highest) * 100}%`, right: k % 2 ? "auto" : "0", left: k % 2 ? "0" : "auto" } }, limit.name))),
      h("div.x", { "aria-hidden": "true" },
        chart.moments.map((x) => [x, share(x)]).filter(([, s]) => s >= 0 && s <= 1 && Math.abs(s - at) > 0.13).map(([x, s]) => h("span", { class: place(s), style: { left: `${s * 100}%` } }, chart.at(x))),
        at >= 0 && at <= 1 && cursor !== null && h("span.now", { class: place(at), style: { left: `${at * 100}%` } }, chart.at(cursor)))),
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
  const { from = 0, to } = chart;
  const rows = Array.from({ length: 13 }, (_, k) => from + (k * (to - from)) / 12);
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
 * A curve of points; each is a button that takes it.
 * @param {{ title: string, points: { x: number, y: number, name: string, marked: boolean, take?: () => void }[], xs: string, show: (y: number) => string, flat: string }} curve
 */
export function curve({ title, points, xs, show, flat }) {
  const [low, high] = [Math.min(...points.map((p) => p.y)), Math.max(...points.map((p) => p.y))];
  // Where nothing changes there is nothing to draw.
  if (high - low < 0.005 * high) return h("figure.chart.curve", null, h("figcaption", null, h("span.title", null, title)), h("p", null, flat));
  const sorted = [...points].sort((a, b) => a.x - b.x);
  const [left, right] = [sorted[0].x, sorted[sorted.length - 1].x];
  const step = ticks(high - low, 3)[1];
  const ys = [];
  for (let y = Math.floor(low / step) * step; y <= high + step * 0.999; y += step) ys.push(y);
  const [bottom, top] = [ys[0], ys[ys.length - 1]];
  const X = (/** @type {number} */ x) => 3 + ((x - left) / (right - left || 1)) * 94;
  const Y = (/** @type {number} */ y) => ((y - bottom) / (top - bottom || 1)) * 100;
  // Steps: between two offers there is none.
  const path = sorted.map((p, k) => `${k ? "L" : "M"}${X(p.x) * 10} ${1000 - Y(p.y) * 10}`).join("");
  /** @type {number[]} */
  const labels = [];
  for (const p of sorted) if (!labels.length || X(p.x) - X(labels[labels.length - 1]) > 7) labels.push(p.x);
  return h("figure.chart.curve", null, h("figcaption", null, h("span.title", null, title)),
    h("div.plot", null,
      h("div.y", { "aria-hidden": "true" }, ys.map((y) => h("span", { style: { bottom: `${Y(y)}%` } }, show(y)))),
      h("div.area", null,
        h("svg", { viewBox: "0 0 1000 1000", preserveAspectRatio: "none", role: "img", "aria-label": title },
          ys.map((y) => h("path.grid", { d: `M0 ${1000 - Y(y) * 10}H1000` })), h("path.line.exact", { d: path })),
        sorted.map((p) => h("button.dot", { type: "button", class: p.marked ? "marked" : "", disabled: !p.take, style: { left: `${X(p.x)}%`, bottom: `${Y(p.y)}%` }, "aria-label": p.name, title: p.name, onclick: p.take ?? (() => {}) }))),
      h("div.x", { "aria-hidden": "true" }, labels.map((x) => h("span", { style: { left: `${X(x)}%` } }, `${x}`)))),
    h("p.soft.axis-name", null, xs));
}
