// How much load: a slider with today, the years ahead, credits and the break on it; playing it until it breaks; what mends that.
// @ts-check
import { Failure, json } from "./api.js";
import { alone, breakIt, breaking, carried, estimated, factor, fullAt, grown, growth, mean, moved, question, reached, row, same, say, vendor, years } from "./design.js";
import { h } from "./dom.js";
import { bought, iops, money, ms, number, short } from "./format.js";
import { t } from "./messages.js";
import { keep, state } from "./state.js";
import { brief, disksOf, insteadOf, kindOf, sizeOf } from "./ui.js";

let redraw = () => {};
/** @param {() => void} drawn */
export const redrawsWith = (drawn) => { redraw = drawn; };

/** Times the recorded load that the slider goes to. */
const LEAST = 0.1;
const MOST = 20;
/** Milliseconds in which a play comes to the break. */
const PLAYS = 6000;

/** Where on the slider a load is, from 0 to 1. @param {number} times */
const placeOf = (times) => Math.min(1, Math.max(0, (Math.log(times) - Math.log(LEAST)) / (Math.log(MOST) - Math.log(LEAST))));
/** Its place on the track: a thumb is 20 px wide. @param {number} times */
const left = (times) => `calc(${(placeOf(times) * 100).toFixed(2)}% + ${(10 - placeOf(times) * 20).toFixed(2)}px)`;

/** What stands on the slider. */
function marks() {
  const all = reached();
  const credits = all.find((one) => one.carried);
  const breaks = breaking();
  const ahead = years();
  const list = [{ at: 1, name: t("mark-today"), style: "" }];
  if (ahead > 0 && grown() > 1.005) list.push({ at: grown(), name: `${t("mark-years", { years: ahead })} × ${short(grown())}`, style: "" });
  if (credits && (!breaks || credits.at < breaks.at)) list.push({ at: credits.at, name: `${t("mark-credits")} × ${short(credits.at)}`, style: "warn" });
  if (breaks) list.push({ at: breaks.at, name: `${t("mark-breaks", { limit: brief(breaks.name) })} × ${short(breaks.at)}`, style: "over" });
  return { list: list.filter((one) => one.at >= LEAST && one.at <= MOST), credits, breaks };
}

/** The slider with its marks. */
export function loadSlider() {
  const now = factor();
  const { list, credits, breaks } = marks();
  const amber = placeOf(Math.min(credits?.at ?? MOST, breaks?.at ?? MOST)) * 100;
  const red = placeOf(breaks?.at ?? MOST) * 100;
  const change = (/** @type {number} */ times, /** @type {boolean} */ rests) => {
    stop();
    moved("load", () => { state.design.load = Math.max(0.001, times / grown()); }, rests);
  };
  const step = (/** @type {number} */ by) => change(Math.min(MOST, Math.max(LEAST, Number((now + by * (now >= 0.95 ? 0.1 : 0.05)).toFixed(2)))), true);
  const peak = peakOf();
  // Labels in rows, so that none lies on another.
  /** @type {[number, number][][]} */
  const rows = [];
  const labels = [...list].sort((a, b) => a.at - b.at).map((one) => {
    const place = placeOf(one.at);
    // A Han character is as wide as two others.
    const wide = [...one.name].reduce((sum, c) => sum + (c > "\u2e80" ? 0.038 : 0.0215), 0.02);
    const sides = /** @type {[number, number][]} */ ([[place - 0.03, place - 0.03 + wide], [place + 0.03 - wide, place + 0.03]]);
    for (let level = 0; ; level++) {
      const row = (rows[level] ??= []);
      const fits = ([from, to]) => row.every(([a, b]) => to < a || from > b);
      const side = sides.findIndex(([from, to]) => from > -0.03 && to < 1.04 && fits([from, to]));
      // A long name fits at neither side: it ends where the track does.
      const ends = side < 0 && sides.every(([from, to]) => from <= -0.03 || to >= 1.04);
      const at = ends ? /** @type {[number, number]} */ ([1 - wide, 1]) : sides[Math.max(0, side)];
      if ((ends ? !fits(at) : side < 0) && level < 6) continue;
      row.push(at);
      return { ...one, level, side, ends };
    }
  });
  return h("div.load", null,
    h("div.load-now", null, h("label", { for: "load-slider" }, t("load")), h("output", { for: "load-slider", id: "load-times" }, `× ${short(now)}`), peak && h("span.soft", null, t("peak-of", { iops: iops(peak * now) }))),
    h("div.track", { style: { height: `${34 + rows.length * 21}px` } },
      h("i.bar", { "aria-hidden": "true", style: { background: `linear-gradient(90deg,var(--ok) 0 ${amber}%,var(--near) ${amber}% ${red}%,var(--broken) ${red}%)` } }),
      labels.map((one) => h("i.mark", { "aria-hidden": "true", class: one.style, style: { left: left(one.at) } })),
      h("input", { id: "load-slider", type: "range", min: Math.log(LEAST), max: Math.log(MOST), step: 0.005, value: Math.log(now), "aria-valuetext": `× ${short(now)}. ${list.map((one) => one.name).join(", ")}`,
        onkeydown: (e) => {
          const by = /** @type {Record<string, number>} */ ({ ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 })[e.key];
          if (!by) return;
          e.preventDefault();
          step(by * (e.shiftKey ? 10 : 1));
        },
        oninput: (e) => change(Math.exp(Number(e.target.value)), false), onchange: () => keep() }),
      labels.map((one) => h("button.mark-name", { type: "button", class: `${one.style} ${one.ends ? "ends" : one.side === 1 ? "left" : ""}`, style: { left: one.ends ? "auto" : left(one.at), top: `${30 + one.level * 21}px` }, onclick: () => change(one.style === "over" ? Math.ceil(one.at * 100) / 100 : Number(one.at.toFixed(4)), true) }, one.name))),
    h("div.load-fine", null,
      h("button", { type: "button", "aria-label": t("less", { what: t("load") }), onclick: () => step(-1) }, "−"),
      h("input", { type: "number", id: "load-field", "aria-label": t("load"), value: Number(now.toFixed(2)), step: 0.05, min: LEAST, onchange: (e) => { const times = Number(e.target.value); if (times > 0) change(times, true); } }),
      h("button", { type: "button", "aria-label": t("more", { what: t("load") }), onclick: () => step(1) }, "+"),
      h("button", { type: "button", id: "back-to-one", onclick: () => change(grown(), true), disabled: Math.abs(state.design.load - 1) < 1e-9 }, t("back-to", { times: short(grown()) }))));
}

/** The recorded peak of what is planned, in requests a second. */
export function peakOf() {
  const first = state.recording.checklist.volumes[0].windows[0]?.rows.find((r) => r.row === "iops");
  return first?.max ?? null;
}

/** Play, the break, and what mends it. */
export function play() {
  const { broken } = state;
  return [
    h("div.plays", null,
      h("button.primary", { type: "button", id: "play", onclick: () => (playing ? stop(true) : start()) }, playing ? `■ ${t("stop")}` : `▶ ${t("play")}`),
      h("button", { type: "button", id: "break", disabled: !!state.busy.break, onclick: () => broke() }, t("break"))),
    state.refused.break && h("p.hint", { role: "alert" }, state.refused.break.what),
    state.refused.load && h("p.refusal", { role: "alert" }, h("strong", null, state.refused.load.what)),
    broken && h("div.broken#broken", null,
      h("p", null, h("strong", null, brief(fullAt(broken))), broken.was && mean() !== null && ` ${t("broken-costs", { now: ms(mean()), was: ms(broken.was.us), load: short(broken.was.times) })}`),
      mendsOf(broken),
      h("button", { type: "button", id: "unbreak", onclick: () => unbreak() }, t("back-to", { times: short(broken.before * grown()) }))),
  ];
}

/** @param {any} broken */
function mendsOf(broken) {
  if (!broken.mends) return h("p.soft", { role: "status" }, t("mend-looking"));
  if (!broken.mends.length) return h("p.soft", null, t("mend-none"));
  return [h("p.soft", null, t("mend-title")), h("ul.mends", null, broken.mends.map((mend, /** @type {number} */ k) => h("li", null,
    h("button", { type: "button", id: `mend-${k}`, onclick: () => mended(mend) }, mend.name, h("b", null, more(mend.more)))))) ];
}
/** What a month costs more, or less. @param {number} amount */
export const more = (amount) => `${amount < 0 ? "−" : "+"}${money(Math.abs(amount), state.plan.currency)}`;

let playing = 0;

/** Ends a play. @param {boolean} [keeps] */
function stop(keeps = false) {
  if (!playing) return false;
  cancelAnimationFrame(playing);
  playing = 0;
  if (keeps) { keep(); redraw(); }
  return true;
}
/** Whether there was one to end. */
export const stopPlaying = () => stop(true);

/** Raises the load from today's to the next break, so that limits fill as they would. */
function start() {
  const target = reached().find((one) => one.at > factor() * 1.0001);
  if (!target || target.at > 50 || matchMedia("(prefers-reduced-motion: reduce)").matches) { broke(); return; }
  const [from, to] = [factor(), target.at];
  const begun = performance.now();
  const before = state.design.load;
  state.broken = null;
  const frame = () => {
    const part = Math.min(1, (performance.now() - begun) / PLAYS);
    if (part >= 1) { playing = 0; state.design.load = before; estimated("load").then(broke); return; }
    playing = requestAnimationFrame(frame);
    // Slower towards the end, where things happen.
    const times = from * (to / from) ** (1 - (1 - part) ** 2);
    moved("load", () => { state.design.load = times / grown(); }, false);
  };
  playing = requestAnimationFrame(frame);
  redraw();
}

/** To the break at once, and what mends it. */
export async function broke() {
  stop();
  await breakIt();
  const { broken } = state;
  if (!broken) return;
  requestAnimationFrame(() => requestAnimationFrame(() => document.getElementById("unbreak")?.focus({ preventScroll: true })));
  const mends = await look(broken);
  if (state.broken !== broken) return;
  broken.mends = mends;
  redraw();
}

function unbreak() {
  const load = state.broken?.before ?? 1;
  moved("load", () => { state.design.load = load; }, true);
  requestAnimationFrame(() => requestAnimationFrame(() => document.getElementById("play")?.focus()));
}

/** Takes what mends it: the load stays, so that it is seen to hold. @param {any} mend */
function mended(mend) {
  moved("mend", () => { state.design.changes = mend.changes; }, true);
  say(t("mend-taken", { name: mend.name }));
  requestAnimationFrame(() => requestAnimationFrame(() => document.getElementById("play")?.focus()));
}

/** Changes that may mend a full limit: more disks, larger ones, more of what is bought by figures, another size. @param {any} id of the limit */
function candidates(id) {
  const { design } = state.estimate;
  const changes = () => structuredClone(state.design.changes);
  const all = /** @type {any[]} */ ([]);
  const v = design.volumes.find((one) => one.name === id.volume);
  if (v) {
    const of = (change, to) => {
      const next = changes();
      next.volumes = { ...next.volumes, [v.name]: { ...next.volumes?.[v.name], ...change } };
      all.push({ changes: next, name: `${v.name}: ${to}` });
    };
    const [count, isRate] = [v.count, id.quantity === "iops"];
    if (isRate && v.iops !== null) for (const by of [1.1, 1.25, 1.5, 2, 3]) { const to = Math.ceil((v.iops * by) / 500) * 500; of({ iops: to }, `${iops(to)} IOPS`); }
    if (!isRate && v.mb_per_s !== null) for (const by of [1.2, 1.5, 2, 3]) { const to = Math.ceil((v.mb_per_s * by) / 25) * 25; of({ mb_per_s: to }, bought(to, kindOf(v.disk)?.freely?.unit)); }
    for (const by of [1, 2, 3, count, 2 * count]) of({ count: count + by }, disksOf({ ...v, count: count + by }));
    const size = (/** @type {string} */ name) => Number(/\d+/.exec(name)?.[0] ?? 0);
    if (!kindOf(v.disk)?.freely) for (const disk of insteadOf(v.disk).map((d) => d.name).filter((name) => size(name) > size(v.disk)).sort((a, b) => size(a) - size(b)).slice(0, 3)) of({ disk }, disksOf({ ...v, disk }));
  } else {
    const sizes = new Set([...state.plan.designs.map((d) => d.plan.vm), ...state.plan.alternatives.map((a) => a.vm)]);
    // The same family with more processors.
    const sold = vendor().sizes;
    const own = /^(Standard_[A-Za-z]+)(\d+)(.*)$/.exec(design.vm ?? "");
    if (own) for (const by of [2, 3, 4]) { const name = `${own[1]}${Number(own[2]) * by}${own[3]}`; if (sold.some((s) => s.name === name)) sizes.add(name); }
    const family = /^[a-z0-9-]+\./.exec(design.vm ?? "")?.[0];
    const now = sold.find((s) => s.name === design.vm)?.iops;
    if (family) for (const s of sold.filter((s) => s.name.startsWith(family) && s.iops > now).sort((a, b) => a.iops - b.iops).slice(0, 3)) sizes.add(s.name);
    sizes.delete(design.vm);
    for (const vm of sizes) { const next = changes(); next.vm = sizeOf(vm); all.push({ changes: next, name: sizeOf(vm) }); }
  }
  return all;
}

/** The cheapest two of them that carry this load. @param {any} broken */
async function look(broken) {
  const now = state.estimate.monthly ?? row()?.monthly;
  const found = [];
  const of = alone();
  for (const one of candidates(broken.id)) {
    if (state.broken !== broken || !of()) return [];
    try {
      const estimate = await json("estimate", { ...question(), changes: one.changes });
      const { judged, monthly } = estimate;
      // What credits carry may stay as it is, but for the limit that is to be mended.
      const full = judged.reached.some((one) => one.at <= 1.0001 && (same(one.id, broken.id) || !carried(estimate.limits, one.id)));
      if (monthly !== null && !full) found.push({ ...one, more: monthly - now });
    } catch (e) {
      // What cannot be built mends nothing.
      if (!(e instanceof Failure)) throw e;
      if (e.gone) return [];
    }
  }
  found.sort((a, b) => a.more - b.more);
  return found.filter((one, k) => found.findIndex((other) => other.name === one.name) === k).slice(0, 2);
}

/** Years and growth, beside the load. */
export const ahead = (/** @type {(c: any) => any} */ knob) => h("details.ahead", null, h("summary", null, t("ahead-title", { years: years(), growth: number(growth()) })),
  knob({ id: "years", label: t("years"), value: years(), min: 0, max: 10, step: 1, show: (/** @type {number} */ v) => t("years-of", { years: v }), set: (/** @type {number} */ v) => { state.design.years = v; } }),
  knob({ id: "growth", label: t("growth"), value: growth(), min: 0, max: 100, step: 1, show: (/** @type {number} */ v) => number(v), set: (/** @type {number} */ v) => { state.design.growth = v; } }));
