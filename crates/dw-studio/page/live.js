// Screen 6: a running emulation over what is predicted for the design that is shown. One tab of a browser reads the stream, the others
// listen to it: a browser has six connections to a server, and a stream keeps one.
// @ts-check
import { Failure, events, json } from "./api.js";
import { chart } from "./chart.js";
import { question, vendor } from "./design.js";
import { h } from "./dom.js";
import { clock, iops, ms, number, percent, rate, short } from "./format.js";
import { t } from "./messages.js";
import { pipe } from "./pipe.js";
import { refusal } from "./simulate.js";
import { state } from "./state.js";
import { choice, disksOf, handle, insteadOf } from "./ui.js";

/** Rows that are kept, one a second. */
const ROWS = 600;
/** Seconds that a chart shows at least. */
const SHOWN = 60;
/** A limit holds requests up for so much of the last second, in percent. */
const BINDS = 5;
/** Requests that come at random meet each other at any limit: it is one at which they wait where it is used so much, too, in percent. */
const USED = 90;
const binds = (l) => l.binding >= BINDS && l.used >= USED;

/**
 * @typedef {{ iops: number, bytes_per_s: number, mean_us: number | null, p50_us: number | null, p99_us: number | null }} Op
 * @typedef {{ name: string, cache: string, attached: boolean, disks: number, depth: number, dirty_bytes: number, hits: number | null, read: Op, write: Op }} Volume
 * @typedef {{ t: number, volumes: (number | null)[][], said?: { iops: number, us: number | null, hits: number | null }[] }} Row
 */

const live = {
  /** The latest that came. */ frame: /** @type {any} */ (null),
  /** The last one in which it ran: figures stay when it ends. */ last: /** @type {any} */ (null),
  rows: /** @type {Row[]} */ ([]),
  predicted: /** @type {any} */ (null),
  /** Whether this tab reads the stream. */ leads: false,
  refused: /** @type {any} */ (null),
  busy: false,
  cursor: -1,
  hover: /** @type {number | null} */ (null),
  /** A change of the host cache that cuts clients off, until somebody says so. */
  asks: /** @type {{ volume: string, mode: string } | null} */ (null),
};

let redraw = () => {};
/** @param {() => void} drawn */
export const redrawsWith = (drawn) => { redraw = drawn; };

/** @type {AbortController | null} */
let watching = null;
/** @type {BroadcastChannel | null} */
let channel = null;

/** The screen is shown, or not any more. @param {boolean} shown */
export function watched(shown) {
  if (shown && !watching && state.hello?.emulation) {
    watching = new AbortController();
    channel = new BroadcastChannel("diskwright-live");
    channel.onmessage = (e) => (e.data === "past" ? live.leads && channel?.postMessage({ rows: live.rows.map((row) => [row.t, row.volumes]) }) : took(e.data));
    channel.postMessage("past");
    lead(watching.signal);
  } else if (!shown && watching) {
    watching.abort();
    channel?.close();
    watching = channel = null;
    live.leads = false;
  }
}

/** Reads the stream as soon as no other tab does. @param {AbortSignal} signal */
async function lead(signal) {
  const read = async () => {
    for (let tries = 0; !signal.aborted; tries++) {
      live.leads = true;
      try {
        await events("live", signal, (event) => { tries = 0; state.gone = false; took(event); if (navigator.locks) channel?.postMessage(event); });
      } catch (e) {
        if (signal.aborted) return;
        if (!(e instanceof Failure)) throw e;
      }
      if (signal.aborted) return;
      // It ended: whoever asks next (connection.js) finds out why.
      state.gone = true;
      redraw();
      await new Promise((done) => setTimeout(done, Math.min(5000, 500 * 2 ** tries)));
    }
  };
  // Locks are there where the page is the machine's own; elsewhere each tab reads for itself.
  if (!navigator.locks) return read();
  try {
    await navigator.locks.request("diskwright-live", { signal }, read);
  } catch (e) {
    if (!(e instanceof DOMException)) throw e;
  } finally {
    live.leads = false;
  }
}

/** @param {any} event */
function took(event) {
  if (event === "") return;
  if (event.rows) live.rows = event.rows.map(([at, volumes]) => ({ t: at, volumes }));
  else {
    if (event.is === "running") {
      if (live.last && JSON.stringify(names(live.last)) !== JSON.stringify(names(event))) live.rows = [];
      live.last = event;
      const before = live.rows[live.rows.length - 1];
      // A studio that began anew counts from 0 again.
      if (before && event.t < before.t) live.rows = [];
      if (!before || event.t - before.t >= 0.95) live.rows.push({ t: event.t, volumes: event.volumes.map(row), said: said(event) });
    } else if (live.frame?.is === "running") live.rows.push({ t: event.t, volumes: [] });
    live.rows.splice(0, live.rows.length - ROWS);
    live.frame = event;
  }
  predict();
  redraw();
}

/** @param {any} frame */
const names = (frame) => frame.volumes.map((/** @type {Volume} */ v) => v.name);
/** @param {Volume} v */
const row = (v) => [v.read.iops, v.read.mean_us, v.write.iops, v.write.mean_us, v.hits];
/** What is predicted now, by volume. @param {any} frame */
const said = (frame) =>
  frame.volumes.map((/** @type {Volume} */ v) => {
    const of = (live.predicted?.loads ?? []).filter((l) => l.volume === v.name);
    const all = of.reduce((/** @type {number} */ sum, l) => sum + l.iops, 0);
    const us = of.reduce((/** @type {number} */ sum, l) => sum + l.iops * (l.mean_us ?? 0), 0);
    return { iops: all, us: all ? us / all : null, hits: of.find((l) => !l.writes)?.hits ?? null };
  });

/** Whether a limit on the way of a volume holds requests up. @param {Volume} v @param {any[]} limits */
const waits = (v, limits) =>
  limits.some((l) => l.binding >= 50 && (l.id.volume ? l.id.volume === v.name : l.id.gate === "cached" ? v.cache !== "None" : true));

let asking = false;
let askedAt = 0;
/** Asks what the design gives to the load that is measured: once a second, one question at a time. */
async function predict() {
  const now = live.frame;
  if (asking || !state.rig || !state.recording || now?.is !== "running" || now.paused || document.hidden || performance.now() - askedAt < 950) return;
  const loads = now.volumes.flatMap((/** @type {Volume} */ v) =>
    [v.read, v.write].map((op, k) => ({ volume: v.name, writes: k === 1, iops: op.iops, bytes_per_s: op.bytes_per_s, mean_us: op.mean_us ?? 0, waits: waits(v, now.limits) })));
  asking = true;
  askedAt = performance.now();
  try {
    live.predicted = await json("predict", { of: question(), loads });
  } catch (e) {
    if (!(e instanceof Failure)) throw e;
    live.predicted = null;
    if (e.gone) state.gone = true;
  } finally {
    asking = false;
  }
}

/** Says a word to the emulation. @param {any} word */
async function control(word) {
  live.busy = true;
  live.refused = null;
  redraw();
  try {
    await json("control", word);
  } catch (e) {
    if (!(e instanceof Failure)) throw e;
    if (!e.gone) live.refused = e.said;
    else state.gone = true;
  } finally {
    live.busy = false;
    redraw();
  }
}

/** How to have one. */
function howTo() {
  const own = state.hello.command;
  const lines = ["diskwright emulate rig.toml --null --socket /tmp/rig.sock", `${own} --emulator /tmp/rig.sock.control`];
  return h("div.empty", null, h("h2", null, t("live-none")), h("p", null, t("live-how")),
    h("ol.commands", null, lines.map((line) => h("li", null, h("code", null, line)))), h("p.hint", null, t("live-load")));
}

/** @param {number} width */
export function liveScreen(width) {
  if (!state.hello.emulation) return howTo();
  const { frame, last } = live;
  if (!frame) return h("p.hint.wait", null, t("working"));
  return h("div.workspace", null,
    h("div.picture", null, head(frame),
      last && [h("section.panel", null, picture(last, width - 40)), h("div.bar", null, volumes(last)), charts(last), loads(last), limits(last)]),
    last && controls(last, frame.is !== "running"));
}

/** How it is. @param {any} frame */
function head(frame) {
  if (frame.is !== "running") {
    return h("div.refusal#live-state", { role: "alert" }, h("strong", null, t("live-gone")), h("span", null, frame.why?.what ?? ""), h("span", null, t("live-again")),
      h("code", null, `diskwright emulate rig.toml --null --socket ${frame.name.replace(/\.control$/, "")}`));
  }
  /** @type {string[]} */
  const notes = frame.doubts.map((doubt) => doubt.text);
  if (frame.faults) notes.push(t("live-faults", { n: frame.faults }));
  if (differs()) notes.push(t("live-differs"));
  return h("div.live-head", null,
    h("p#live-state", { class: frame.paused ? "paused" : "on" }, h("strong", null, frame.paused ? `❚❚ ${t("paused")}` : `● ${t("running")}`), h("span.soft", null, ` ${frame.name} · ${clock(frame.at_s)} · ${t("clients", { n: frame.clients })}`)),
    frame.trust && h("p.hint#live-trust", { class: frame.verdict === "doubted" ? "over" : "" }, frame.trust.text),
    notes.map((text) => h("p.hint", null, text)));
}

/** Whether the emulation is of another design than that which is shown. */
function differs() {
  const { predicted, last } = live;
  if (!predicted || !last) return false;
  const of = (l) => predicted.limits.find((p) => same(p.id, l.id));
  return predicted.unknown.length > 0 || last.limits.some((l) => { const p = of(l); return !p || p.alike !== l.alike || Math.abs(p.rate - l.rate) > 0.01 * l.rate; });
}

/** @param {any} a @param {any} b */
const same = (a, b) => a.gate === b.gate && a.quantity === b.quantity && (a.volume ?? "") === (b.volume ?? "") && (a.direction ?? "") === (b.direction ?? "");

/** A limit in the words of the page's language, where the design that is shown has it. @param {any} l */
function called(l) {
  const said = (live.predicted?.limits ?? []).find((one) => same(one.id, l.id));
  return { name: said?.name ?? l.name, short: said?.short ?? l.name, gate: said?.gate ?? l.name };
}

/** The pipe, with what is measured. @param {any} now @param {number} width */
function picture(now, width) {
  const limits = now.limits.map((l) => ({ id: l.id, ...called(l), sustained: l.rate, alike: l.alike, use: [l.used / 100], binding: l.binding, used: l.used }));
  const fullest = limits.reduce((/** @type {number} */ best, l, /** @type {number} */ k) => (binds(l) && (best < 0 || l.binding > limits[best].binding) ? k : best), -1);
  const hits = (/** @type {Volume} */ v) => (v.cache === "None" ? 0 : ((v.hits ?? 0) * v.read.iops) / Math.max(1e-9, v.read.iops + v.write.iops));
  const loads = now.volumes.map((/** @type {Volume} */ v) => ({ volume: v.name, direction: "read", iops: [v.read.iops + v.write.iops], hits: [hits(v)], waits_at: [fullest], waits: [fullest < 0 ? 0 : limits[fullest].binding / 100] }));
  const known = state.estimate?.design.volumes ?? [];
  const volumes = now.volumes.map((/** @type {Volume} */ v) => {
    const planned = known.find((k) => k.name === v.name);
    return { name: v.name, said: planned && planned.count === v.disks && !differs() ? disksOf(planned) : t("disks-of", { n: v.disks }), host_cache: v.cache };
  });
  return pipe({ estimate: { limits, loads, design: { volumes } }, place: 0, width: Math.min(width, 1180) });
}

/** @param {any} now */
const volumes = (now) =>
  choice(t("volumes"), ["", ...names(now)].map((name) => ({ name: name || t("all-volumes"), is: looked(now) === name, take: () => { state.design.volume = name; redraw(); } })));

/** The volume that charts show. @param {any} now */
const looked = (now) => (names(now).includes(state.design.volume) ? state.design.volume : "");

/** @param {any} now */
function charts(now) {
  const { rows } = live;
  if (!rows.length) return null;
  const place = names(now).indexOf(looked(now));
  const of = (list) => (place < 0 ? list : list.slice(place, place + 1));
  const from = Math.max(rows[0].t, rows[rows.length - 1].t - ROWS);
  const end = Math.max(SHOWN, rows[rows.length - 1].t - from);
  const x = rows.map((r) => r.t - from);
  const known = (/** @type {Row} */ r, /** @type {(v: any[]) => number | null} */ get) => (r.volumes.length ? get(of(r.volumes)) : null);
  const total = (v) => v.reduce((s, one) => s + one[0] + one[2], 0);
  const mean = (v) => { const all = total(v); return all ? v.reduce((s, one) => s + one[0] * (one[1] ?? 0) + one[2] * (one[3] ?? 0), 0) / all : null; };
  const hits = (v) => { const own = v.filter((one) => one[4] !== null && one[4] !== undefined); const reads = own.reduce((s, one) => s + one[0], 0); return own.length ? (reads ? own.reduce((s, one) => s + one[0] * one[4], 0) / reads : own[0][4]) : null; };
  const told = (/** @type {Row} */ r, /** @type {(v: any[]) => number | null} */ get) => (r.said?.length ? get(of(r.said)) : null);
  const saidIops = (v) => v.reduce((s, one) => s + one.iops, 0) || null;
  const saidUs = (v) => { const all = v.reduce((s, one) => s + (one.us === null ? 0 : one.iops), 0); return all ? v.reduce((s, one) => s + one.iops * (one.us ?? 0), 0) / all : null; };
  const newest = x[x.length - 1];
  const cursor = live.cursor < 0 ? newest : Math.min(live.cursor, newest);
  const at = (e) => { const box = e.currentTarget.getBoundingClientRect(); return Math.min(end, Math.max(0, ((e.clientX - box.left) / box.width) * end)); };
  const over = {
    onpointermove: (e) => { live.hover = at(e); redraw(); },
    onpointerleave: () => { live.hover = null; redraw(); },
    onpointerup: (e) => { live.cursor = at(e) > newest - 0.02 * end ? -1 : at(e); redraw(); },
  };
  const common = { from: 0, to: end, end, cursor, hover: live.hover, over, moments: Array.from({ length: 5 }, (_, k) => (k * end) / 4), at: clock };
  const line = (/** @type {string} */ name, /** @type {string} */ style, /** @type {(number | null)[]} */ y) => ({ name, style, x, y });
  const hit = rows.map((r) => known(r, hits));
  return h("div.charts.live", null,
    chart({ ...common, title: "IOPS", show: iops, lines: [line(t("predicted"), "estimate", rows.map((r) => told(r, saidIops))), line(t("measured"), "exact", rows.map((r) => known(r, total)))] }),
    chart({ ...common, title: t("latency"), show: ms, lines: [line(t("predicted"), "estimate", rows.map((r) => told(r, saidUs))), line(t("measured"), "exact", rows.map((r) => known(r, mean)))] }),
    hit.some((one) => one !== null) && chart({ ...common, title: t("cache-hits"), show: percent, most: 104, lines: [line(t("measured"), "exact", hit)] }));
}

/** A figure with what was predicted beside it. @param {string} is @param {string} [expected] */
const pair = (is, expected) => h("td.n", null, is, h("span.said", null, expected ?? ""));

/** @param {any} now */
function loads(now) {
  const rows = now.volumes.flatMap((/** @type {Volume} */ v) => [false, true].map((writes) => {
    const op = writes ? v.write : v.read;
    const of = (live.predicted?.loads ?? []).find((l) => l.volume === v.name && l.writes === writes);
    const band = of && of.mean_us !== null && of.mean_us !== undefined ? `${ms(of.low_us).replace(" ms", "")}–${ms(of.high_us)}` : "";
    const cached = v.cache !== "None";
    return h("tr", null, h("th", { scope: "row" }, writes ? h("span.unseen", null, v.name) : v.name), h("td", null, writes ? t("writes") : t("reads")),
      pair(iops(op.iops), op.iops && of ? iops(of.iops) : ""), h("td.n.spare", null, rate(op.bytes_per_s)), pair(ms(op.mean_us), op.iops ? band : ""), h("td.n", null, ms(op.p50_us)), h("td.n", null, ms(op.p99_us)),
      writes ? h("td.n", null, cached && v.dirty_bytes ? t("dirty", { size: short(v.dirty_bytes / 2 ** 20) }) : "") : cached ? pair(percent(v.hits), of ? percent(of.hits) : "") : h("td.n", null, "–"),
      h("td.n.spare", null, writes ? "" : number(v.depth)));
  }));
  return h("div.scroll", { tabindex: 0, role: "region", "aria-label": t("live-loads") }, h("table.live-table", null,
    h("caption", null, h("strong", null, t("measured")), h("span.said", null, t("predicted"))),
    h("thead", null, h("tr", null, h("th", { scope: "col" }, t("volumes")), h("td"), ["IOPS", "MB/s", t("latency"), "p50", "p99", t("cache-hits-short"), t("outstanding")].map((name, k) => h("th.n", { scope: "col", class: k === 1 || k === 6 ? "spare" : "" }, name)))),
    h("tbody", null, rows)));
}

/** @param {any} now */
function limits(now) {
  const rows = now.limits.map((l) => {
    const of = (live.predicted?.limits ?? []).find((p) => same(p.id, l.id));
    const gives = l.id.quantity === "iops" ? `${iops(l.rate * l.alike)} IOPS` : rate(l.rate * l.alike);
    const marked = binds(l);
    return h("tr", { class: marked ? "over" : "" }, h("th", { scope: "row" }, l.id.volume ? `${l.id.volume} · ` : "", called(l).short, marked && h("strong.over", null, ` ▲ ${t("live-waits")} ${percent(l.binding)}`)), h("td.n", null, gives),
      h("td.spare", null, h("span.gauge", { "aria-hidden": "true" }, h("i", { style: { width: `${Math.min(100, l.used)}%` } }), of && h("b", { style: { left: `${Math.min(100, of.used)}%` } }))),
      pair(percent(l.used), of ? percent(of.used) : ""), h("td.n", null, l.credits === null ? "" : percent(l.credits)));
  });
  return h("div.scroll", { tabindex: 0, role: "region", "aria-label": t("live-limits") }, h("table.live-table", null,
    h("thead", null, h("tr", null, h("th", { scope: "col" }, t("live-limits")), h("th.n", { scope: "col" }, t("live-gives")), h("td.spare"), h("th.n", { scope: "col" }, t("live-used")), h("th.n", { scope: "col" }, t("credits-short")))),
    h("tbody", null, rows)));
}

/** @param {any} now @param {boolean} gone */
function controls(now, gone) {
  const off = gone || live.busy;
    const known = state.estimate?.design.volumes ?? [];
  return h("aside.controls", { "aria-label": t("controls"), class: state.sheet ? "open" : "" },
    handle(),
    h("section", null, h("h2", null, t("emulation")),
      h("button.wide", { type: "button", id: "live-pause", disabled: off, onclick: () => control({ do: now.paused ? "resume" : "pause" }) }, now.paused ? `▶ ${t("resume")}` : `❚❚ ${t("pause")}`),
      live.refused && refusal(live.refused)),
    now.volumes.map((/** @type {Volume} */ v) => {
      const id = (/** @type {string} */ key) => `live-${v.name}-${key}`;
      const tiers = insteadOf(known.find((k) => k.name === v.name)?.disk ?? "P30").filter((d) => !d.freely).map((d) => d.name);
      const limit = (/** @type {string} */ quantity) => now.limits.find((l) => l.id.volume === v.name && l.id.quantity === quantity)?.rate;
      const set = (e, /** @type {string} */ key) => { const n = Number(e.target.value); if (Number.isFinite(n) && n >= 1) control({ do: "tier", volume: v.name, [key]: Math.round(n) }); };
      return h("section", null, h("h2", null, t("volume-of", { name: v.name }), !v.attached && h("span.soft", null, ` ${t("detached")}`)),
        vendor().host_caches && h("div.row", null, h("span", { "aria-hidden": "true" }, t("host-cache")),
          choice(`${v.name}: ${t("host-cache")}`, ["None", "ReadOnly", "ReadWrite"].map((mode) => ({ name: mode, id: id(mode), off, is: v.cache === mode, take: () => { if (mode === v.cache) return; if (live.frame?.clients) { live.asks = { volume: v.name, mode }; redraw(); } else control({ do: "cache", volume: v.name, mode }); } })))),
        live.asks?.volume === v.name && h("div.refusal", { role: "alert" }, h("strong", null, t("live-detaches", { volume: v.name })), h("span.row.last", null,
          h("button", { type: "button", id: "live-do", onclick: () => { const { asks } = live; live.asks = null; if (asks) control({ do: "cache", ...asks }); } }, t("do-it", { what: live.asks.mode })),
          h("button", { type: "button", onclick: () => { live.asks = null; redraw(); } }, t("close")))),
        tiers.length > 1 && h("label.row", null, t("live-tier"), h("select", { id: id("tier"), disabled: off, value: "", onchange: (e) => { if (e.target.value) control({ do: "tier", volume: v.name, to: e.target.value }); } },
          h("option", { value: "" }, "–"), tiers.map((name) => h("option", { value: name }, name)))),
        limit("iops") && h("label.row", null, t("iops-each"), h("input", { id: id("iops"), type: "number", min: 1, disabled: off, value: limit("iops"), onchange: (e) => set(e, "iops") })),
        limit("throughput") && h("label.row", null, t("mb-each"), h("input", { id: id("mb"), type: "number", min: 1, disabled: off, value: Math.round(limit("throughput") / 1e6), onchange: (e) => set(e, "mb_per_s") })));
    }));
}
