// The way of a request as a picture in which areas are true: a stream is as wide as its rate, the opening of a gate as wide as what the gate
// gives, what the host cache answers branches off, and what is asked and not served stands before the gate at which it waits.
// @ts-check
import { h } from "./dom.js";
import { iops, percent, rate, short } from "./format.js";
import { t } from "./messages.js";
import { brief, disksOf } from "./ui.js";

/** A limit of which so much is used makes whatever passes it wait. */
const FULL = 0.995;
/** Pixels of the widest stream, and of the widest opening. */
const WIDE = 34;
const OPEN = 46;
/** Volumes that are drawn. */
const LANES = 8;

/** What a limit gives for as long as one likes, for people. @param {any} limit */
export const gives = (limit) => {
  const all = limit.sustained * limit.alike;
  return limit.id.quantity === "iops" ? `${iops(all)} IOPS` : rate(all);
};

/** What is used, and of how much, in one unit. @param {any} limit @param {number} use */
export const usedOf = (limit, use) => {
  const all = limit.sustained * limit.alike;
  return limit.id.quantity === "iops" ? t("used-of", { used: iops(all * use), all: `${iops(all)} IOPS` }) : t("used-of", { used: short((all * use) / 1e6), all: rate(all) });
};

/**
 * The bottleneck at a step: the limit at which requests wait longest, else the one with the least headroom.
 * @param {any} estimate @param {number} place
 */
export function bottleneckAt(estimate, place) {
  const { limits, loads } = estimate;
  const throttled = loads.filter((l) => l.waits_at[place] >= 0);
  if (throttled.length) {
    const worst = throttled.reduce((m, l) => (l.waits[place] > m.waits[place] ? l : m));
    return limits[worst.waits_at[place]];
  }
  return limits.reduce((m, l) => (!m || l.use[place] > m.use[place] ? l : m), null);
}


/** Gates of a picture: of each the quantity that is used most, and how it looks. @param {any} estimate @param {number} place */
function gatesOf(estimate, place) {
  const { limits, loads } = estimate;
  const narrowest = bottleneckAt(estimate, place);
  // Requests may wait at several limits: each of them is lit, not the worst alone.
  const waiting = new Set(loads.map((load) => limits[load.waits_at[place]]).filter(Boolean));
  const waits = (limit) => waiting.has(limit) || (limit.share?.[place] ?? 0) >= FULL;
  /** @type {Map<string, any>} */
  const gates = new Map();
  limits.forEach((limit) => {
    const key = `${limit.id.volume ?? ""}/${limit.id.gate}`;
    const known = gates.get(key);
    if (!known || limit === narrowest || (known.use < limit.use[place] && known.limit !== narrowest)) gates.set(key, { limit, use: limit.use[place], waits: known?.waits ?? false });
    const gate = gates.get(key);
    gate.waits ||= waits(limit);
  });
  for (const gate of gates.values()) {
    gate.isNarrowest = gate.limit === narrowest;
    gate.style = gate.waits ? "lit over" : gate.use > 1.005 ? "lit warn" : gate.isNarrowest ? "lit" : "";
    gate.mark = gate.waits ? t("waits-here") : gate.use > 1.005 ? t("on-credits") : gate.isNarrowest ? t("bottleneck") : "";
    gate.text = `${usedOf(gate.limit, gate.use)} · ${percent(gate.use * 100)}`;
  }
  return gates;
}

/**
 * @param {{ estimate: any, place: number, width: number, asked?: Map<string, number> }} what `asked`: requests a second by volume, where more is asked than served
 */
export function pipe({ estimate, place, width, asked }) {
  const { loads, design } = estimate;
  const gates = gatesOf(estimate, place);
  const all = design.volumes.map((v) => {
    const own = loads.filter((l) => l.volume === v.name);
    const served = own.reduce((/** @type {number} */ sum, l) => sum + l.iops[place], 0);
    const hits = own.reduce((/** @type {number} */ sum, l) => sum + (l.iops[place] * (l.hits?.[place] ?? 0)) / 100, 0);
    const cached = v.host_cache !== "None";
    const waits = own.map((l) => estimate.limits[l.waits_at[place]]?.id).find(Boolean);
    return { v, served, hits: cached ? hits : 0, cached, waits, asked: Math.max(served, asked?.get(v.name) ?? 0), disk: [...gates.values()].find((gate) => gate.limit.id.volume === v.name) };
  });
  // More than a screen of them are none to look at: the fullest are drawn.
  const fullest = [...all].sort((a, b) => (b.disk?.use ?? 0) - (a.disk?.use ?? 0)).slice(0, LANES);
  const lanes = all.length > LANES + 1 ? all.filter((lane) => fullest.includes(lane)) : all;
  const others = all.length > lanes.length && h("p.soft", null, t("more-lanes", { n: all.length - lanes.length, iops: iops(all.reduce((sum, lane) => sum + (lanes.includes(lane) ? 0 : lane.served), 0)) }));
  const ofVm = [...gates.values()].filter((gate) => !gate.limit.id.volume);
  const busy = ofVm.filter((gate) => gate.use > 0.0005);
  const narrowest = [...gates.values()].find((gate) => gate.isNarrowest);
  const summary = narrowest && narrowest.use > 0.0005 ? `${narrowest.waits ? t("waits-here") : t("bottleneck")}: ${narrowest.limit.name}, ${narrowest.text}` : t("idle");
  if (width < 580) return list(lanes, busy, summary, others);

  const most = Math.max(1, ...lanes.map((lane) => lane.asked));
  const wide = (/** @type {number} */ value) => (value > 0 ? Math.max(1.2, (WIDE * value) / most) : 0);
  const [start, end] = [118, width - 218];
  const X = { cached: start + 0.2 * (end - start), branch: start + 0.32 * (end - start), uncached: start + 0.66 * (end - start) };
  let y = 40;
  for (const lane of lanes) {
    lane.top = y;
    lane.y = y + (lane.hits > 0 ? 80 : 32);
    y = lane.y + 44;
  }
  const height = y + (ofVm.some((gate) => gate.limit.id.gate !== "cached" && gate.use > 0.0005) ? 22 : 0);
  const passes = (gate) => lanes.filter((lane) => (gate.limit.id.gate === "cached" ? lane.cached : true) && lane.asked > 0);
  return h("figure.pipe", null, h("figcaption.unseen", null, t("pipe")),
    h("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": `${t("pipe")}. ${summary}` },
      lanes.map((lane, /** @type {number} */ k) => stream(lane, k, { start, end, X, wide })),
      busy.map((gate) => {
        const own = passes(gate);
        if (!own.length) return null;
        const isCached = gate.limit.id.gate === "cached";
        const x = isCached ? X.cached : X.uncached;
        const last = own[own.length - 1];
        const labelled = isCached ? own[0].top - 14 : last.y + 44;
        return h("g", { class: `gate ${gate.style}` },
          own.map((lane) => walls(x, lane.y, opening(isCached ? wide(lane.served) : wide(lane.served - lane.hits), gate.use))),
          own.length > 1 && h("path.rail", { d: `M${x} ${own[0].y + OPEN / 2 + 7}V${last.y - OPEN / 2 - 7}` }),
          h("text.name", { x, y: labelled, "text-anchor": "middle" }, gate.limit.gate, h("tspan.soft", { dx: 6 }, gate.text), gate.mark && h("tspan.mark", { dx: 6 }, gate.mark)));
      }),
      lanes.map((lane) => {
        const gate = lane.disk;
        const use = gate?.use ?? 0;
        return h("g", { class: `gate disk ${gate?.style ?? ""}` },
          walls(end, lane.y, opening(wide(lane.served - lane.hits), use)),
          h("text.name", { x: end + 16, y: lane.y - 11 }, cut(disksOf(lane.v), 28)),
          gate && h("text.soft", { x: end + 16, y: lane.y + 7 }, gate.text),
          gate?.mark && h("text.mark", { x: end + 16, y: lane.y + 25 }, gate.mark));
      })), others);
}

/** How wide a gate is open whose use is so much while so wide a stream passes. @param {number} wide @param {number} use */
const opening = (wide, use) => Math.min(OPEN, Math.max(2, wide / Math.max(use, 1e-3)));

/** A gate with an opening: what it gives, in the width of streams; wider ones than the picture are open to its edge. @param {number} x @param {number} y @param {number} open */
const walls = (x, y, open) => h("path.wall", { d: `M${x} ${y - OPEN / 2 - 7}V${y - open / 2}M${x} ${y + open / 2}V${y + OPEN / 2 + 7}` });

/** What flows on a lane. @param {any} lane @param {number} k @param {any} at */
function stream(lane, k, { start, end, X, wide }) {
  const { y, served, hits, asked, waits } = lane;
  const [all, on, off] = [wide(served), wide(Math.max(0, served - hits)), wide(hits)];
  const more = waits && asked > served * 1.005;
  // What waits stands before the gate at which it does.
  const gate = !waits || waits.volume ? end : waits.gate === "cached" ? X.cached : X.uncached;
  const before = wide(asked);
  const box = { x: X.branch + 84, y: y - 78 };
  const color = `s${k % 4}`;
  const parts = [h("text.name", { x: 0, y: y - 4 }, cut(brief(lane.v.name), 14)), h("text.soft", { x: 0, y: y + 14 }, `${iops(served)} IOPS`)];
  if (more) {
    parts.push(h("path.queue", { d: `M${start} ${y - before / 2}H${gate - 8}V${y + before / 2}H${start}Z` }));
    parts.push(h("text.mark.over", { x: 0, y: y + 32 }, t("asked-more", { asked: iops(asked) })));
  }
  if (hits > 0) {
    // The branch leaves at the upper edge, and the rest goes on in the middle.
    const [top, cutAt, low] = [y - all / 2, y - all / 2 + off, y + all / 2];
    const [x, to] = [X.branch, X.branch + 74];
    parts.push(h(`path.stream.${color}`, { d: `M${start} ${top}H${x}V${low}H${start}Z` }));
    parts.push(h("path.stream.hit", { d: `M${x} ${top}C${x + 36} ${top} ${x + 36} ${box.y + 20 - off / 2} ${to} ${box.y + 20 - off / 2}H${box.x}V${box.y + 20 + off / 2}H${to}C${x + 36} ${box.y + 20 + off / 2} ${x + 36} ${cutAt} ${x} ${cutAt}Z` }));
    parts.push(h(`path.stream.${color}`, { d: `M${x} ${cutAt}C${x + 36} ${cutAt} ${x + 36} ${y - on / 2} ${to} ${y - on / 2}H${end}V${y + on / 2}H${to}C${x + 36} ${y + on / 2} ${x + 36} ${low} ${x} ${low}Z` }));
    parts.push(h("g.cache", null, h("rect", { x: box.x, y: box.y, width: 226, height: 44, rx: 8 }),
      h("text.name", { x: box.x + 12, y: box.y + 18 }, t("cache-answers", { share: percent((hits / served) * 100) })),
      h("text.soft", { x: box.x + 12, y: box.y + 36 }, t("cache-spares", { iops: iops(hits) }))));
  } else parts.push(h(`path.stream.${color}`, { d: `M${start} ${y - all / 2}H${end}V${y + all / 2}H${start}Z` }));
  return h("g", null, parts);
}

/** The same as a list, where there is no room for a picture. @param {any[]} lanes @param {any[]} busy @param {string} summary @param {any} others */
function list(lanes, busy, summary, others) {
  const rows = [...busy, ...lanes.map((lane) => lane.disk).filter(Boolean)].filter((gate) => gate.use > 0.0005);
  return h("figure.pipe.list", { "aria-label": `${t("pipe")}. ${summary}` }, h("figcaption.unseen", null, t("pipe")),
    h("ol", null,
      lanes.filter((lane) => lane.hits > 0).map((lane) => h("li.hit", null, h("span.gate-name", null, `${brief(lane.v.name)} · ${t("cache-answers", { share: percent((lane.hits / lane.served) * 100) })}`), h("span.gauge", null, h("i", { style: { width: `${(lane.hits / lane.served) * 100}%` } })), h("span.gate-text", null, `${iops(lane.hits)} IOPS`))),
      rows.map((gate) => h("li", { class: gate.style },
        h("span.gate-name", null, gate.limit.id.volume ? `${brief(gate.limit.id.volume)} · ${disksOf(lanes.find((lane) => lane.v.name === gate.limit.id.volume).v)}` : gate.limit.gate, gate.mark && h("strong", null, ` ◀ ${gate.mark}`)),
        h("span.gauge", null, h("i", { style: { width: `${Math.min(100, gate.use * 100)}%` } })), h("span.gate-text", null, gate.text)))), others);
}

/** @param {string} text @param {number} most */
const cut = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
