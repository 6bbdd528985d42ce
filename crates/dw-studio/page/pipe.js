// The way of a request as a pipe: each volume a stream, each limit a narrowing; the fullest is lit, and every one at which something waits.
// @ts-check
import { h } from "./dom.js";
import { iops, percent, rate } from "./format.js";
import { t } from "./messages.js";

/** A limit of which so much is used makes whatever passes it wait. */
const FULL = 0.995;

/** @typedef {{ name: string, said: string, iops: number, stages: number[] }} Stream */

/** What a limit gives for as long as one likes, for people. @param {any} limit */
export const gives = (limit) => {
  const all = limit.sustained * limit.alike;
  return limit.id.quantity === "iops" ? `${iops(all)} IOPS` : rate(all);
};

/**
 * The bottleneck at a step: the limit at which requests wait longest, else the one with the least headroom.
 * @param {any} estimate @param {number} place
 */
export function bottleneckAt(estimate, place) {
  const { limits, loads } = estimate;
  const throttled = loads.filter((/** @type {any} */ l) => l.waits_at[place] >= 0);
  if (throttled.length) {
    const worst = throttled.reduce((/** @type {any} */ m, /** @type {any} */ l) => (l.waits[place] > m.waits[place] ? l : m));
    return limits[worst.waits_at[place]];
  }
  return limits.reduce((/** @type {any} */ m, /** @type {any} */ l) => (!m || l.use[place] > m.use[place] ? l : m), null);
}

/**
 * @param {{ estimate: any, place: number, width: number }} what
 */
export function pipe({ estimate, place, width }) {
  const { limits, loads, design } = estimate;
  const names = /** @type {string[]} */ (design.volumes.map((/** @type {any} */ v) => v.name));
  const total = (/** @type {string} */ name) =>
    loads.filter((/** @type {any} */ l) => l.volume === name).reduce((/** @type {number} */ sum, /** @type {any} */ l) => sum + l.iops[place], 0);
  // Of each gate, the quantity that is used most.
  /** @type {Map<string, any>} */
  const gates = new Map();
  limits.forEach((/** @type {any} */ limit) => {
    const key = `${limit.id.volume ?? ""}/${limit.id.gate}`;
    const one = { limit, share: limit.use[place], also: limits.filter((/** @type {any} */ l) => l.id.gate === limit.id.gate && l.id.volume === limit.id.volume && l !== limit) };
    const known = gates.get(key);
    const meant = bottleneckAt(estimate, place);
    if (!known || limit === meant || (known.share < one.share && known.limit !== meant)) gates.set(key, one);
  });
  const all = [...gates.values()];
  const used = all.filter((gate) => gate.share > 0.0005);
  const narrowest = bottleneckAt(estimate, place);
  const fullest = used.find((gate) => gate.limit === narrowest) ?? used.find((gate) => gate.limit.id.gate === narrowest.id.gate && gate.limit.id.volume === narrowest.id.volume) ?? null;
  const throttles = loads.some((/** @type {any} */ load) => load.waits_at[place] >= 0);
  // Requests may wait at several limits: each of them is lit, not the worst alone.
  const waiting = new Set(loads.map((/** @type {any} */ load) => limits[load.waits_at[place]]).filter(Boolean));
  const waitsAt = (/** @type {any} */ gate) => [gate.limit, ...gate.also].some((/** @type {any} */ limit) => waiting.has(limit) || (limit.share?.[place] ?? 0) >= FULL);
  const isLit = (/** @type {any} */ gate) => gate === fullest || waitsAt(gate);
  const styleOf = (/** @type {any} */ gate) => (isLit(gate) ? (waitsAt(gate) || (throttles && gate === fullest) ? "lit over" : "lit") : "");
  const markOf = (/** @type {any} */ gate) => (gate === fullest ? t("bottleneck") : t("live-waits"));
  const ofVm = used.filter((gate) => !gate.limit.id.volume);
  const ofDisk = (/** @type {string} */ name) => used.find((gate) => gate.limit.id.volume === name);
  const label = (/** @type {any} */ gate) => ({
    name: gate.limit.short,
    text: `${gives(gate.limit)} · ${usage(gate)}`,
    lit: isLit(gate), style: styleOf(gate), mark: markOf(gate),
  });
  const summary = fullest ? `${t("bottleneck")}: ${fullest.limit.name}, ${percent(fullest.share * 100)}` : t("idle");

  if (width < 620) {
    return h("figure.pipe.list", null, h("figcaption.unseen", null, t("pipe")),
      h("ol", null, used.map((gate) => {
        const { name, text, lit, style, mark } = label(gate);
        return h("li", { class: style },
          h("span.gate-name", null, gate.limit.id.volume ? `${gate.limit.id.volume} · ` : "", name, lit && h("strong", null, ` ◀ ${mark}`)),
          h("span.gauge", null, h("i", { style: { width: `${Math.min(100, gate.share * 100)}%` } })), h("span.gate-text", null, text));
      })));
  }

  const row = 74;
  const top = 34;
  const height = top + names.length * row + 8;
  const gateWidth = 30;
  const columns = ofVm.length;
  const from = 130;
  const to = width - 215;
  const X = (/** @type {number} */ k) => from + ((k + 1) * (to - from)) / (columns + 1);
  const most = Math.max(1, ...names.map(total));
  const thick = (/** @type {number} */ value) => (value > 0 ? 5 + 30 * Math.sqrt(value / most) : 2);
  const middle = (/** @type {number} */ k) => top + k * row + row / 2;
  const passes = (/** @type {any} */ gate, /** @type {string} */ name) => {
    const shown = design.volumes.find((/** @type {any} */ v) => v.name === name);
    return gate.limit.id.gate === "cached" ? shown?.host_cache !== "None" : true;
  };
  return h("figure.pipe", null, h("figcaption.unseen", null, t("pipe")),
    h("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": `${t("pipe")}. ${summary}` },
      names.map((name, k) => {
        const y = middle(k);
        const flow = thick(total(name));
        const gate = ofDisk(name);
        const lit = gate && isLit(gate);
        const style = gate ? styleOf(gate) : "";
        const info = design.volumes[k];
        const share = Math.min(1, gate?.share ?? 0);
        return h("g", null,
          h("path.tube", { d: `M${from - 8} ${y - 20}H${to}M${from - 8} ${y + 20}H${to}` }),
          h(`path.stream.s${k % 4}`, { d: `M${from - 8} ${y - flow / 2}H${to + 14}V${y + flow / 2}H${from - 8}Z` }),
          h("text.name", { x: 0, y: y - 3 }, name), h("text.soft", { x: 0, y: y + 14 }, `${iops(total(name))} IOPS`),
          h("g", { class: `gate ${style}` },
            h("rect.box", { x: to, y: y - 26, width: gateWidth, height: 52, rx: 7 }),
            h("rect.fill", { x: to + 3, y: y + 23 - 46 * share, width: gateWidth - 6, height: Math.max(1.5, 46 * share), rx: 4 }),
            h("text.name", { x: to + gateWidth + 9, y: y - 12 }, short(info.said.replace(" x ", " × "), 22)),
            h("text.soft", { x: to + gateWidth + 9, y: y + 4 }, gate ? gives(gate.limit) : ""),
            h("text", { class: lit ? "mark" : "soft", x: to + gateWidth + 9, y: y + 20 }, gate ? `${usage(gate)}${lit ? ` ◀ ${markOf(gate)}` : ""}` : "")));
      }),
      ofVm.map((gate, k) => {
        const rows = names.map((name, place) => (passes(gate, name) ? place : -1)).filter((place) => place >= 0);
        if (!rows.length) return null;
        const [first, last] = [middle(rows[0]) - 26, middle(rows[rows.length - 1]) + 26];
        const share = Math.min(1, gate.share);
        const lit = isLit(gate);
        const x = X(k) - gateWidth / 2;
        return h("g", { class: `gate ${styleOf(gate)}` },
          h("rect.box", { x, y: first, width: gateWidth, height: last - first, rx: 7 }),
          h("rect.fill", { x: x + 3, y: last - 3 - (last - first - 6) * share, width: gateWidth - 6, height: Math.max(1.5, (last - first - 6) * share), rx: 4 }),
          h("text.name", { x: X(k), y: 12, "text-anchor": "middle" }, short(gate.limit.gate, 30)),
          // Below it: beside the figures of its neighbour there may be no room.
          lit && h("text.mark", { x: X(k), y: last + 15, "text-anchor": "middle" }, `▲ ${markOf(gate)}`),
          h("text", { class: lit ? "mark" : "soft", x: X(k), y: 28, "text-anchor": "middle" }, `${gives(gate.limit)} · ${usage(gate)}`));
      })));
}

/** How much of what it gives for as long as one likes. @param {any} gate */
const usage = (gate) => `${percent(gate.share * 100)}${gate.share > 1.005 ? ` ${t("on-credits")}` : ""}`;
/** @param {string} text @param {number} most */
const short = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
