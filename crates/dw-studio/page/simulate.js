// Screens 4 and 5: the pipe, the charts over one time, all controls; and two designs side by side.
// @ts-check
import { caches, microseconds } from "./answer.js";
import { chart, placeAt } from "./chart.js";
import { cancel, chosenPlan, costs, factor, growth, moved, proven, row, runSoon, vendor, wished, years } from "./design.js";
import { h } from "./dom.js";
import { bought, compact, iops, length, money, ms, number, percent, rate, short } from "./format.js";
import { loadSlider, play } from "./load.js";
import { t } from "./messages.js";
import { pipe } from "./pipe.js";
import { phases } from "./start.js";
import { keep, state } from "./state.js";
import { map } from "./strips.js";
import { brief, choice, clockAt, disksOf, handle, insteadOf, kindOf, moments, overTime, plainly, shown, sizeOf, zoom } from "./ui.js";

/** Share of their time, in percent, that requests must spend waiting at a limit, and how full that must be, to be called throttled. */
const WAITS = 5;
const FULL = 0.9;

/** Seconds that are shown. */
const end = () => state.estimate?.span_s ?? 1;

/** Whether anything is known over time: of a recording that does not tell reads from writes, percentiles alone are. */
export const timed = () => state.estimate.from_s.length > 0;

/** The place of the cursor among the estimate's steps; where it is busiest as long as nobody chose. @param {any} estimate */
export function cursorPlace(estimate) {
  if (state.cursor >= 0) return placeAt(estimate.from_s, state.cursor);
  let [best, most] = [0, -1];
  for (let k = 0; k < estimate.from_s.length; k++) {
    // Throttled steps first, then by use.
    const waits = Math.max(...estimate.loads.map((l) => (l.waits_at[k] >= 0 ? 1000 + l.waits[k] : 0)));
    const fullest = Math.max(waits, ...estimate.limits.map((l) => l.use[k]));
    if (fullest > most + 1e-9) [best, most] = [k, fullest];
  }
  return best;
}

/** The cursor, in seconds. */
export const cursorAt = (estimate) => (state.cursor >= 0 ? Math.min(state.cursor, end()) : estimate.from_s[cursorPlace(estimate)]);

/** The loads of the volume that is looked at. @param {any} estimate @param {string} [volume] */
const looked = (estimate, volume = state.design.volume) => estimate.loads.filter((l) => !volume || l.volume === volume);

/** @param {any[]} rows @param {(row: any, k: number) => number} get @param {number} count */
const sum = (rows, get, count) => Array.from({ length: count }, (_, k) => rows.reduce((all, row) => all + get(row, k), 0));

/** Mean by rate. @param {any[]} rows @param {string} key @param {number} count */
const weighted = (rows, key, count) =>
  Array.from({ length: count }, (_, k) => {
    let [all, part] = [0, 0];
    for (const row of rows) {
      // What is not known of a part is not known of all.
      if (row[key][k] === null) return null;
      all += row.iops[k];
      part += row.iops[k] * row[key][k];
    }
    return all ? part / all : null;
  });

/** What is asked of each volume at a step, in requests a second. @param {any} estimate @param {number} place */
export function askedBy(estimate, place) {
  const from = estimate.from_s[place];
  const k = Math.max(0, estimate.asked_end_s.findIndex((/** @type {number} */ end) => end > from));
  /** @type {Map<string, number>} */
  const all = new Map();
  for (const load of estimate.loads) all.set(load.volume, (all.get(load.volume) ?? 0) + (load.asked[k] ?? 0));
  return all;
}

/** The run by intervals: what was done in all of those that are looked at. @param {any} run @param {string} [volume] @param {string} [direction] */
export function done(run, volume = state.design.volume, direction = "") {
  const tracks = (run?.tracks ?? []).filter((track) => track.columns[0]?.length && (!volume || track.volume === volume) && (!direction || track.direction === direction));
  /** @type {Map<number, { iops: number, bytes: number, us: number, p99: number, waits: number, hit: number, reads: number }>} */
  const by = new Map();
  for (const track of tracks) {
    const [at, rate, bytes, us, p99, hit, waited] = track.columns;
    for (let k = 0; k < at.length; k++) {
      const one = by.get(at[k]) ?? { iops: 0, bytes: 0, us: 0, p99: 0, waits: 0, hit: 0, reads: 0 };
      one.iops += rate[k];
      one.bytes += bytes[k];
      one.us += rate[k] * us[k];
      // Of all together it is no higher than the highest.
      one.p99 = Math.max(one.p99, p99[k]);
      one.waits = Math.max(one.waits, waited[k]);
      if (track.cached) { one.hit += hit[k] * rate[k]; one.reads += rate[k]; }
      by.set(at[k], one);
    }
  }
  // The last interval may be cut short by the end, and says little then.
  const ends = [...by.keys()].sort((a, b) => a - b).filter((at, k, all) => !k || at - all[k - 1] > run.head.interval_s / 2);
  const rows = ends.map((key) => /** @type {any} */ (by.get(key)));
  // A stretch has a place in the whole.
  const begins = run?.head.from_s ?? 0;
  const x = ends.map((end) => begins + end);
  return {
    x, from: [begins, ...x.slice(0, -1)], iops: rows.map((r) => r.iops), bytes: rows.map((r) => r.bytes), mean: rows.map((r) => (r.iops ? r.us / r.iops : null)), p99: rows.map((r) => (Number.isNaN(r.p99) ? null : r.p99)),
    hit: rows.map((r) => (r.reads ? r.hit / r.reads : null)), waits: rows.map((r) => r.waits),
  };
}

/** Stretches in which requests wait at a limit. @param {any} estimate @param {any} exact @param {string} [volume] */
function spans(estimate, exact, volume = state.design.volume) {
  /** @type {{ from: number, to: number, name: string }[]} */
  const all = [];
  const add = (/** @type {number} */ from, /** @type {number} */ to, /** @type {string} */ name) => {
    const last = all[all.length - 1];
    if (last && from <= last.to + 1e-6) last.to = to;
    else all.push({ from, to, name });
  };
  if (exact.x.length) {
    // Waiting is throttling where a limit is used up, too: requests that come at random meet each other at any limit.
    const full = (/** @type {number} */ x) => Math.max(...estimate.limits.map((l) => l.share[placeAt(estimate.from_s, x)])) >= FULL;
    exact.x.forEach((/** @type {number} */ x, /** @type {number} */ k) => {
      const from = k ? exact.x[k - 1] : 0;
      if (exact.waits[k] >= WAITS && full((from + x) / 2)) add(from, x, t("throttled"));
    });
    return all;
  }
  estimate.from_s.forEach((/** @type {number} */ from, /** @type {number} */ k) => {
    const at = looked(estimate, volume).map((l) => l.waits_at[k]).find((/** @type {number} */ w) => w >= 0);
    if (at !== undefined) add(from, estimate.from_s[k + 1] ?? end(), estimate.limits[at].name);
  });
  return all;
}

let redraw = () => {};
/** @param {() => void} drawn */
export const redrawsWith = (drawn) => { redraw = drawn; };

/** What all charts share: the time that is shown, the cursor, the crosshair. */
const common = () => {
  const { from, to, end } = shown();
  return { from, to, end, cursor: cursorAt(state.estimate), hover: state.hover, drag: state.dragged, over: overTime(), moments: moments(), at: clockAt };
};
const line = (/** @type {string} */ name, /** @type {string} */ style, x, y, step = false) => ({ name, style, x, y, step });
// A line ends where its last interval does.
const solid = (of, /** @type {string} */ name, y) => line(name, "exact", of.x.length ? [...of.from, of.x[of.x.length - 1]] : [], of.x.length ? [...y, null] : [], true);

/** The run that is drawn: the whole, or as long as it has not come, the busiest stretch in its place. @param {string} [volume] @param {string} [direction] */
function drawn(volume, direction) {
  const { run, stretch } = state;
  if (run && !run.stale && (run.document || !stretch?.document || stretch.stale)) return done(run, volume, direction);
  return stretch && !stretch.stale ? done(stretch, volume, direction) : done(null);
}

/** Whether all of it was simulated: an estimate says no more then. */
const whole = () => !!state.run?.document && !state.run.stale;

/** Requests or bytes a second, reads and writes apart where a direction is given. @param {"iops" | "bytes"} key @param {any} marks */
function rates(key, marks) {
  const { estimate, pinned } = state;
  const rows = looked(estimate);
  const count = estimate.from_s.length;
  const isRate = key === "iops";
  // Sizes stand at the times of what is asked.
  const size = (row, /** @type {number} */ x) => (isRate ? 1 : row.size[Math.min(row.size.length - 1, Math.max(0, estimate.asked_end_s.findIndex((/** @type {number} */ end) => end > x)))]);
  const served = (of, list, sizes) => Array.from({ length: of.from_s.length }, (_, k) => list.reduce((all, row) => all + row.iops[k] * (isRate ? 1 : sizes(row, of.from_s[k])), 0));
  const asked = sum(rows, (row, k) => row.asked[k] * (isRate ? 1 : row.size[k]), estimate.asked_end_s.length);
  const askedFrom = [0, ...estimate.asked_end_s.slice(0, -1)];
  const place = cursorPlace(estimate);
  // A line where all that is drawn passes the limit: what a cache serves does not reach the disks, what it misses passes both gates.
  const volumes = estimate.design.volumes.filter((v) => !state.design.volume || v.name === state.design.volume);
  const all = volumes.every((v) => v.host_cache !== "None");
  const none = volumes.every((v) => v.host_cache === "None");
  const limits = estimate.limits
    .filter((l) => l.id.quantity === (isRate ? "iops" : "throughput") && l.use[place] > 0.001 && (l.id.volume ? none && volumes.length === 1 && l.id.volume === volumes[0].name : l.id.gate === "cached" ? all : none))
    .map((l) => ({ name: l.id.volume ? t("disk-limit") : l.short, y: l.sustained * l.alike }));
  const exact = drawn();
  const ghost = pinned && (pinned.run ? done(pinned.run) : null);
  const old = pinned && looked(pinned.estimate);
  const split = (/** @type {string} */ direction) => drawn(state.design.volume, direction)[key];
  const [reads, writes] = [split("read"), split("write")];
  return chart({ ...common(), title: isRate ? "IOPS" : "MB/s", show: isRate ? iops : rate, limits, spans: marks, lines: [
    ...(ghost?.x.length ? [line("A", "ghost", ghost.from, ghost[key], true)] : old && isRate ? [line("A", "ghost", pinned.estimate.from_s, served(pinned.estimate, old, size), true)] : []),
    line(t("asked"), "asked", askedFrom, asked, true),
    ...(exact.x.length ? [solid(exact, t("simulated"), exact[key])] : []),
    ...(whole() ? [] : [line(t("estimate"), "estimate", estimate.from_s, Array.from({ length: count }, (_, k) => rows.reduce((/** @type {number} */ s, row) => s + row.iops[k] * size(row, estimate.from_s[k]), 0)), true)]),
    ...(reads.some((/** @type {number} */ v) => v > 0) && writes.some((/** @type {number} */ v) => v > 0) ? [line(t("reads"), "second", exact.from, reads, true), line(t("writes"), "third", exact.from, writes, true)] : [])] });
}

/** Latency of a direction, recorded beside planned, with what is asked. @param {"read" | "write"} direction @param {any} marks */
function latencyOf(direction, marks) {
  const { estimate, pinned, recording, run } = state;
  const rows = looked(estimate).filter((l) => l.direction === direction);
  if (!rows.length) return null;
  const count = estimate.from_s.length;
  const exact = drawn(state.design.volume, direction);
  const names = new Set(rows.map((l) => l.volume));
  const before = names.size === 1 ? recording.recorded.volumes.find((v) => names.has(v.name)) : null;
  const key = direction === "read" ? "read_us" : "write_us";
  const asked = [...names].map((name) => ({ name, most: microseconds(wished(name, `${direction}_latency_max`)) })).filter((one) => one.most !== null)
    .map((one) => ({ name: t("asked-most", { most: `${names.size > 1 ? `${one.name} ` : ""}${ms(one.most)}` }), y: Number(one.most) }));
  const p99 = run?.document && !run.stale ? run.document.diskwright.volumes.filter((v) => names.has(v.name) && v[direction]?.ios > 0).map((v) => `${names.size > 1 ? `${v.name} ` : ""}p99 ${ms(v[direction].latency_ns.p99 / 1e3)}`).join(", ") : "";
  const old = pinned && (pinned.run ? done(pinned.run, state.design.volume, direction) : null);
  return chart({ ...common(), title: `${t(direction === "read" ? "row-read-latency" : "row-write-latency")}${p99 ? ` · ${p99}` : ""}`, show: ms, spans: marks, empty: t("latency-grows"), asked,
    band: exact.x.length ? null : { x: estimate.from_s, low: weighted(rows, "low_us", count), high: weighted(rows, "high_us", count) },
    lines: [
      ...(old?.x.length ? [line("A", "ghost", old.from, old.mean, true)] : pinned ? [line("A", "ghost", pinned.estimate.from_s, weighted(looked(pinned.estimate).filter((l) => l.direction === direction), "mean_us", pinned.estimate.from_s.length), true)] : []),
      ...(before ? [line(t("recorded-today"), "before", before.end_s.map((/** @type {number} */ x) => x - estimate.begins_s), before[key])] : []),
      ...(exact.x.length ? [solid(exact, t("simulated-mean"), exact.mean), ...(exact.p99.some((v) => v !== null) ? [line("p99", "third", exact.from, exact.p99, true)] : [])] : []),
      ...(whole() ? [] : [line(t("estimate"), "estimate", estimate.from_s, weighted(rows, "mean_us", count), true)])] });
}

/** The charts, A behind B where there is one. */
function charts() {
  const { estimate, run } = state;
  const count = estimate.from_s.length;
  const rows = looked(estimate);
  const exact = run && !run.stale ? done(run) : done(null);
  const marks = spans(estimate, exact);
  const all = [rates("iops", marks), rates("bytes", marks), latencyOf("read", marks), latencyOf("write", marks)];
  const credits = estimate.limits.filter((l) => l.credits && (!state.design.volume || !l.id.volume || l.id.volume === state.design.volume));
  if (credits.some((l) => Math.min(...l.credits) < 0.995 * Math.max(...l.credits))) {
    const tight = credits.map((l) => ({ l, full: Math.max(...l.credits), low: Math.min(...l.credits) }))
      .sort((a, b) => a.low / a.full - b.low / b.full).slice(0, 3);
    all.push(chart({ ...common(), title: t("credits"), show: percent, most: 104, spans: [], lines: tight.map((c, /** @type {number} */ k) =>
      line(c.l.name, ["estimate", "second", "third"][k], estimate.from_s, c.l.credits.map((/** @type {number} */ left) => (left / c.full) * 100), true)) }));
  }
  const cached = rows.filter((l) => l.direction === "read" && estimate.design.volumes.find((v) => v.name === l.volume)?.host_cache !== "None");
  const hits = weighted(cached, "hits", count);
  if (hits.some((hit) => hit !== null && hit < 99.5) || exact.hit.some((hit) => hit !== null && hit < 99.5)) {
    all.push(chart({ ...common(), title: t("cache-hits"), show: percent, most: 104, spans: [], lines: [
      line(t("estimate"), "estimate", estimate.from_s, hits, true), line(t("simulated"), "exact", exact.from, exact.hit, true)] }));
  }
  return h("div.charts", null, all);
}

/** The one cursor of all charts, for a keyboard, and the way out of a zoom. */
function scrub() {
  const { from, to } = shown();
  const at = Math.min(to, Math.max(from, cursorAt(state.estimate)));
  const step = Math.max(1, Math.round((to - from) / 240));
  const move = (/** @type {number} */ x) => { state.cursor = x; redraw(); };
  const near = () => zoom([Math.max(0, at - (to - from) / 4), Math.min(shown().end, at + (to - from) / 4)]);
  return h("div.scrub-row", null, h("label.scrub", null, h("span", null, t("time")),
    h("input#time", { type: "range", min: Math.floor(from), max: Math.ceil(to), step, value: Math.round(at), "aria-valuetext": clockAt(at),
      onkeydown: (e) => {
        const by = /** @type {Record<string, number>} */ ({ ArrowRight: 10, ArrowUp: 10, ArrowLeft: -10, ArrowDown: -10 })[e.key];
        if (!by || !e.shiftKey) return;
        e.preventDefault();
        move(Math.min(to, Math.max(from, at + by * step)));
      },
      oninput: (e) => move(Number(e.target.value)) }),
    h("output", null, clockAt(at))),
    h("button", { type: "button", id: "zoom-in", onclick: near }, t("zoom-in")), state.view && h("button", { type: "button", id: "zoom-out", onclick: () => zoom(null) }, t("zoom-out")));
}

/**
 * A control with a slider, a field and buttons.
 * @param {{ id: string, label: string, name?: string, value: number, min: number, max: number, step: number, show: (v: number) => string, set: (v: number) => void, log?: boolean, unit?: string }} c
 */
export function knob(c) {
  const to = (/** @type {number} */ v) => (c.log ? Math.log(v) : v);
  const from = (/** @type {number} */ v) => (c.log ? Math.exp(v) : v);
  const clean = (/** @type {number} */ v) => Number(v.toFixed(c.step < 1 ? 2 : 0));
  const change = (/** @type {number} */ value, /** @type {boolean} */ rests, clamp = true) => {
    if (!Number.isFinite(value)) return;
    moved(c.id, () => c.set(clean(clamp ? Math.min(c.max, Math.max(c.min, value)) : value)), rests);
  };
  const step = (/** @type {number} */ by) => (c.log ? (c.value >= 1 || (c.value > 0.95 && by > 0) ? 0.1 : 0.05) * by : c.step * by);
  const refused = state.refused[c.id];
  return h("div.knob", { class: refused ? "refused" : "" },
    h("label", { for: `${c.id}-slider` }, c.label),
    h("output", { for: `${c.id}-slider` }, c.show(c.value)),
    h("input", { id: `${c.id}-slider`, type: "range", "aria-label": c.name, min: to(c.min), max: to(c.max), step: c.log ? 0.01 : c.step, value: to(c.value), "aria-valuetext": c.show(c.value),
      onkeydown: (e) => {
        const by = /** @type {Record<string, number>} */ ({ ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 })[e.key];
        if (!by) return;
        e.preventDefault();
        change(c.value + step(by * (e.shiftKey ? 10 : 1)), true);
      },
      oninput: (e) => change(from(Number(e.target.value)), false), onchange: () => keep() }),
    h("span.fine", null,
      h("button", { type: "button", "aria-label": t("less", { what: c.name ?? c.label }), onclick: () => change(c.value + step(-1), true) }, "−"),
      h("input", { type: "number", "aria-label": c.name ?? c.label, value: c.value, step: c.step, onchange: (e) => change(Number(e.target.value), true, false) }),
      h("button", { type: "button", "aria-label": t("more", { what: c.name ?? c.label }), onclick: () => change(c.value + step(1), true) }, "+")),
    refused && refusal(refused));
}

const MADE = ["requirements.toml", "rig.toml", "demand.fio", "plan.json"];
/** @param {any} said */
export function refusal(said) {
  // Of a file that the page made itself, the place says nothing to whoever never saw it.
  const place = said.place && !MADE.includes(said.place.file) ? `${said.place.file}${said.place.line ? `:${said.place.line}` : ""}: ` : "";
  return h("p.refusal", { role: "alert" }, h("strong", null, place, plainly(said.what)), said.hint && !/--(volume|capacity|memory-total)/.test(said.hint) && h("span", null, plainly(said.hint)),
    (said.also ?? []).slice(0, 4).map((one) => h("span", null, one.what)));
}

/** @param {string} volume @param {string} key @param {any} value */
export function setChange(volume, key, value) {
  const changes = structuredClone(state.design.changes);
  if (volume) ((changes.volumes ??= {})[volume] ??= {})[key] = value;
  else changes[key] = value;
  state.design.changes = changes;
}

/** All controls. */
function controls() {
  const { design, estimate } = state;
  const sizes = new Set([row()?.vm, ...(state.plan?.designs ?? []).map((d) => d.plan.vm), ...(state.plan?.alternatives ?? []).map((a) => a.vm), ...(state.plan?.why_not ?? []).map((w) => w.vm)]);
  const changed = Object.keys(design.changes).length > 0;
  return h("aside.controls", { "aria-label": t("controls"), class: state.sheet ? "open" : "" },
    handle(),
    h("section", null, h("h2", null, t("load-title")), loadSlider(), play(),
      knob({ id: "years", label: t("years"), value: years(), min: 0, max: 10, step: 1, show: (v) => t("years-of", { years: v }), set: (v) => { design.years = v; } }),
      knob({ id: "growth", label: t("growth"), value: growth(), min: 0, max: 100, step: 1, show: (v) => percent(v), set: (v) => { design.growth = v; } }),
      h("p.hint", null, t("asked-now", { factor: short(factor()) }))),
    h("section", null, h("h2", null, t("vm-title")),
      h("label.row", { for: "vm" }, t("vm-size")),
      h("input#vm", { type: "text", list: "sizes", value: sizeOf(estimate.design.vm), spellcheck: "false", autocomplete: "off", class: state.refused.vm ? "refused" : "",
        onchange: (e) => moved("vm", () => setChange("", "vm", e.target.value.trim()), true) }),
      h("datalist#sizes", null, [...sizes].filter(Boolean).map((name) => h("option", { value: sizeOf(String(name)) }))),
      state.refused.vm && refusal(state.refused.vm)),
    estimate.design.volumes.map((v) => {
      const id = (/** @type {string} */ key) => `${v.name}-${key}`;
      const of = (/** @type {string} */ label) => `${v.name}: ${label}`;
      const freely = kindOf(v.disk)?.freely;
      const disks = insteadOf(v.disk).map((d) => d.name);
      return h("section", null, h("h2", null, t("volume-of", { name: v.name }), h("span.soft", null, ` ${disksOf(v)}`)),
        knob({ id: id("count"), label: t("disks"), name: of(t("disks")), value: v.count, min: 1, max: 32, step: 1, show: (n) => number(n), set: (n) => setChange(v.name, "count", n) }),
        freely && v.gib !== null && knob({ id: id("gib"), label: t("gib-each"), name: of(t("gib-each")), value: v.gib, min: freely.gib[0], max: Math.min(freely.gib[1], Math.max(1024, 4 * v.gib)), step: 1, show: (n) => `${number(n)} GiB`, set: (n) => setChange(v.name, "gib", n) }),
        freely && v.iops !== null && knob({ id: id("iops"), label: t("iops-each"), name: of(t("iops-each")), value: v.iops, min: Math.max(500, freely.iops[0]), max: freely.iops[1], step: 500, show: iops, set: (n) => setChange(v.name, "iops", n) }),
        freely && v.mb_per_s !== null && knob({ id: id("mb"), label: throughput(freely), name: of(throughput(freely)), value: v.mb_per_s, min: freely.mb[0], max: freely.mb[1], step: 25, show: (n) => bought(n, freely.unit), set: (n) => setChange(v.name, "mb_per_s", n) }),
        disks.length > 1 && h("label.row", null, t("disk-size"),
          h("select", { id: id("disk"), value: v.disk, "aria-label": of(t("disk-size")), onchange: (e) => moved(id("disk"), () => setChange(v.name, "disk", e.target.value), true) },
            disks.map((name) => h("option", { value: name, selected: name === v.disk }, name)))),
        state.refused[id("disk")] && refusal(state.refused[id("disk")]),
        vendor().host_caches && h("div.row", null, h("span", { "aria-hidden": "true" }, t("host-cache")), caches(v)),
        state.refused[id("cache")] && refusal(state.refused[id("cache")]));
    }),
    changed && h("button.wide", { type: "button", id: "reset", onclick: () => moved("reset", () => { design.changes = {}; }, true) }, t("as-planned")));
}

/** @param {any} freely */
const throughput = (freely) => (freely.unit === "MiB/s" ? t("mib-each") : t("mb-each"));

/** How far the run is. */
export function progress() {
  const { run, busy } = state;
  const d = run?.document?.diskwright;
  if (state.refused.run) return refusal(state.refused.run);
  if (!state.recording.over_time) return h("p.hint", null, t("no-series"));
  if (busy.run) {
    const share = run && !run.document ? run.share : 0;
    return h("div.progress", null, state.stretch?.document && !state.stretch.stale && h("span.good#stretch", null, `✓ ${t("stretch-done", { span: length(state.stretch.head.span_s) })}`), h("progress", { max: 1, value: share, "aria-label": t("simulating") }), h("span", null, state.waits ? t("simulating-waits") : t("simulating-at", { share: percent(Math.round(share * 100)) })),
      h("button", { type: "button", onclick: () => { cancel(); redraw(); } }, t("stop"), h("kbd", null, "Esc")));
  }
  if (d && !run.stale) return h("div.progress", null, h("span.good.done", null, `✓ ${t("exact", { ios: compact(d.simulated_ios), wall: length(d.wall_s ?? 0) })}`), h("span.soft", null, off()));
  return h("div.progress", null, h("span.soft", null, t("estimate-only")), h("button", { type: "button", onclick: () => runSoon(0) }, t("simulate-now")));
}

/** How far the estimate was off: its rate, and its latency where it has one. */
function off() {
  const { iops: rates, latency_ns: { mean } } = state.run.document.diskwright.total.all;
  const [estimated, us] = /** @type {[number, number | null]} */ (onAverage(state.estimate));
  const from = (/** @type {number} */ a, /** @type {number} */ b) => percent((Math.abs(a - b) / b) * 100);
  return us === null ? t("off", { percent: from(estimated, rates) }) : t("off-both", { rate: from(estimated, rates), latency: from(us, mean / 1e3) });
}

const volumes = () =>
  choice(t("volumes"), ["", ...state.estimate.design.volumes.map((v) => v.name)].map((name) => ({ name: brief(name) || t("all-volumes"), is: state.design.volume === name, take: () => { state.design.volume = name; keep(); redraw(); } })));

/** @param {number} width */
export function simulateScreen(width) {
  if (!state.estimate) return waiting();
  if (!timed()) return h("div.workspace", null, h("div.picture", null, h("section.panel", null, progress())), controls());
  const place = cursorPlace(state.estimate);
  return h("div.workspace", null,
    h("div.picture", null,
      state.estimate.span_s < state.estimate.whole_s && h("p.hint", null, t("busiest-only", { span: length(state.estimate.span_s), whole: length(state.estimate.whole_s) })),
      h("section.panel", null, pipe({ estimate: state.estimate, place, width: Math.min(width - 40, 1180), asked: askedBy(state.estimate, place) })),
      h("div.bar", null, volumes(), progress()), charts(), map(state.estimate), scrub()),
    controls());
}

/** Nothing can be shown yet. */
export const waiting = () => (state.refused.plan ? refusal(state.refused.plan) : state.refused.choose ? refusal(state.refused.choose) : state.plan && !state.plan.plan ? noPlan() : state.busy.plan || state.busy.source || state.busy.drop || state.busy.choose ? h("div.wait", null, phases()) : h("p.hint.wait", null, t("needs-plan")));

export const noPlan = () => h("div.refusal", { role: "alert" }, h("strong", null, state.plan.answer.text), (state.plan.conflict?.limits ?? []).filter((l) => !state.plan.answer.text.includes(l.text)).map((l) => h("span", null, l.text)));

/** The figures that two designs are compared by. @param {any} of */
export function figures(of) {
  const { estimate, run, monthly, currency, factor: asked } = of;
  const { judged } = estimate;
  const all = run?.document && !run.stale ? run.document.diskwright.total.all : null;
  const [rates, us] = all ? [all.iops, all.latency_ns.mean / 1e3] : onAverage(estimate);
  // A plan as it is has its simulation in its verdict, and what is left after a reboot.
  return { monthly, currency, asked, vm: estimate.design.vm, volumes: estimate.design.volumes, narrowest: judged.narrowest, headroom: judged.headroom_percent, exceeded: judged.exceeded_percent, verdict: of.proven ?? judged.verdict, all, iops: rates, us };
}

/** Requests a second and their mean latency by the estimate, over all of its time; no latency where it grows. @param {any} estimate */
function onAverage(estimate) {
  let [ios, us, time] = [0, /** @type {number | null} */ (0), 0];
  estimate.from_s.forEach((/** @type {number} */ from, /** @type {number} */ k) => {
    const lasts = (estimate.from_s[k + 1] ?? estimate.span_s) - from;
    time += lasts;
    for (const load of estimate.loads) {
      ios += lasts * load.iops[k];
      us = us === null || load.mean_us[k] === null ? null : us + lasts * load.iops[k] * load.mean_us[k];
    }
  });
  return [ios / (time || 1), us === null || !ios ? null : us / ios];
}

/** A figure of a run, or of the estimate, which is said. @param {any} of @param {"iops" | "us"} key @param {(v: number | null) => string} show */
const about = (of, key, show) => `${of.all || of[key] === null ? "" : "≈ "}${show(of[key])}`;

/** How a verdict looks: never by its colour alone. @type {Record<string, { style: string, mark: string }>} */
const LOOKS = { met: { style: "good", mark: "✓" }, met_with_condition: { style: "warn", mark: "▲" }, not_met: { style: "over", mark: "✗" } };
/** @param {any} verdict */
export const look = (verdict) => LOOKS[verdict.state].style;
/** @param {any} verdict */
export const judgedAs = (verdict) => `${LOOKS[verdict.state].mark} ${t(`verdict-${verdict.state.replaceAll("_", "-")}`)}`;

/** Why it is not met, or on which condition. @param {any} judged */
export const why = (judged) => judged.checks.filter((check) => check.state === judged.state).flatMap((check) => (check.why ?? []).map((one) => plainly(one.text))).join("; ") || t("all-met");

/** What is on the screen, as something to compare. */
export function snapshot() {
  const { estimate, run, plan } = state;
  return { estimate, run: run && !run.stale && run.document ? { ...run } : null, monthly: costs() ?? estimate.monthly, currency: plan.currency, factor: factor(), proven: proven(), design: structuredClone(state.design) };
}

/** Pins what is on the screen as A. */
export function pin() {
  if (!state.estimate) return;
  state.pinned = snapshot();
  const { chosen, changes, load, growth, years } = state.design;
  state.design.pin = structuredClone({ chosen, changes, load, growth, years });
  keep();
  redraw();
}

/** @param {number} width */
export function compareScreen(width) {
  if (!state.estimate) return waiting();
  if (!state.pinned) {
    return h("div.empty", null, h("h2", null, t("compare-title")), h("p", null, t("compare-how")), h("button.primary", { type: "button", onclick: () => pin() }, t("pin"), h("kbd", null, "P")));
  }
  const [a, b] = [figures(state.pinned), figures(snapshot())];
  const differ = (/** @type {number | null | undefined} */ x, /** @type {number | null | undefined} */ y, /** @type {(v: number) => string} */ show) => {
    if (x === null || x === undefined || y === null || y === undefined) return "–";
    const d = y - x;
    return Math.abs(d) < 1e-9 * Math.max(1, Math.abs(x)) ? "=" : `${d > 0 ? "+" : "−"}${show(Math.abs(d))}`;
  };
  // Two shares differ by points, not by percent.
  const points = (/** @type {number} */ v) => t("points", { n: short(v) });
  const rows = [
    [t("cost"), money(a.monthly, a.currency), money(b.monthly, b.currency), differ(a.monthly, b.monthly, (v) => money(v, a.currency))],
    [t("vm-size"), sizeOf(a.vm), sizeOf(b.vm), a.vm === b.vm ? "=" : "≠"],
    ...b.volumes.map((v, /** @type {number} */ k) => {
      const was = a.volumes[k];
      const said = (one) => (one ? `${disksOf(one)}${one.host_cache === "None" ? "" : ` (${one.host_cache})`}` : "–");
      return [v.name, said(was), said(v), said(was) === said(v) ? "=" : "≠"];
    }),
    [t("asked-load"), `× ${short(a.asked)}`, `× ${short(b.asked)}`, differ(a.asked, b.asked, short)],
    [t("verdict"), judgedAs(a.verdict), judgedAs(b.verdict), a.verdict.state === b.verdict.state ? "=" : "≠"],
    [t("bottleneck"), a.narrowest ?? "–", b.narrowest ?? "–", a.narrowest === b.narrowest ? "=" : "≠"],
    [t("headroom"), percent(a.headroom), percent(b.headroom), differ(a.headroom, b.headroom, points)],
    [t("exceeded-time"), percent(a.exceeded), percent(b.exceeded), differ(a.exceeded, b.exceeded, points)],
    ["IOPS", about(a, "iops", iops), about(b, "iops", iops), differ(a.iops, b.iops, iops)],
    [t("latency"), about(a, "us", ms), about(b, "us", ms), differ(a.us, b.us, ms)],
    [t("latency-p99"), ms(a.all && a.all.latency_ns.p99 / 1e3), ms(b.all && b.all.latency_ns.p99 / 1e3), differ(a.all?.latency_ns.p99, b.all?.latency_ns.p99, (v) => ms(v / 1e3))],
  ];
  return h("div.workspace", null,
    h("div.picture", null,
      h("div.scroll", { tabindex: 0, role: "region", "aria-label": t("compare-title") }, h("table.compare", null,
        h("thead", null, h("tr", null, h("td"), h("th", { scope: "col" }, "A ", h("span.soft", null, t("pinned"))), h("th", { scope: "col" }, "B ", h("span.soft", null, t("current"))), h("th", { scope: "col" }, t("difference")))),
        h("tbody", null, rows.map(([name, x, y, d]) => h("tr", { class: d === "=" || d === "–" ? "" : "changed" }, h("th", { scope: "row" }, name), h("td", null, x), h("td", null, y), h("td", null, d)))))),
      h("div.bar", null, volumes(), progress()), charts(), map(state.estimate), scrub(),
      h("div.bar", null, h("button", { type: "button", onclick: () => pin() }, t("pin-again"), h("kbd", null, "P")), h("button", { type: "button", onclick: () => { state.pinned = null; state.design.pin = {}; keep(); redraw(); } }, t("unpin")))),
    controls());
}
export { chosenPlan };
