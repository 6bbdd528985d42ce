// Screen 1: the answer in a sentence, what was checked, what it costs, where it breaks; the way of a request, every limit over time, the load.
// @ts-check
import { chart } from "./chart.js";
import { breaking, choose, decided as planned, fullAt, moved, plan as planAgain, proven, reached, region, row, settle, vendor, wish, wished } from "./design.js";
import { h } from "./dom.js";
import { money, ms, number, percent } from "./format.js";
import { ahead, loadSlider, play } from "./load.js";
import { t } from "./messages.js";
import { pipe } from "./pipe.js";
import { askedBy, cursorAt, cursorPlace, done, figures, judgedAs, knob, look, progress, refusal, setChange, snapshot, timed, waiting, why } from "./simulate.js";
import { recorded } from "./screens.js";
import { startScreen } from "./start.js";
import { canUndo, keep, state } from "./state.js";
import { strips } from "./strips.js";
import { alike, brief, choice, clockAt, disksOf, disksOfPlan, handle, moments, overTime, plainly, regions, shown, sizeOf } from "./ui.js";

let redraw = () => {};
/** @param {() => void} drawn */
export const redrawsWith = (drawn) => { redraw = drawn; };

/** A sentence begins large and ends with a stop. @param {string} said */
const full = (said) => { const text = plainly(said); return text ? (/^\S*\d/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1)) + (/[.。!?]$/.test(text) ? "" : /^(zh|ja)/.test(document.documentElement.lang) ? "。" : ".") : ""; };

/** What the library decided of what is shown; nothing once it was changed by hand. */
const decision = () => proven() && planned();

/** The sentence on top, with its checks and its price. */
export function hero() {
  const f = figures(snapshot());
  const decided = decision();
  const { verdict: judged } = f;
  // Where it breaks is said with the slider's figure: one base, one answer.
  const breaks = breaking();
  return h("section.hero#verdict", { "aria-label": t("verdict"), "aria-busy": state.busy.plan ? "true" : undefined, class: look(judged) },
    h("div.hero-said", null,
      h("p.sentence.what", null, decided ? pointedOut(full(grouped(decided.sentence))) : design(f)),
      h("p.state", null, h("strong", null, judgedAs(judged)), h("span.soft.why", null, decided ? conditions(decided) || t("all-met") : why(judged))),
      breaks && h("p.also", null, h("strong", null, full(brief(fullAt(breaks))))),
      decided ? checks(decided) : checksOf(judged),
      decided && outlook(decided)),
    h("div.hero-price", null, picks(), price(f, decided), terms()));
}

/** The sentence with its disks as people call them, volumes with the same ones together. @param {any} sentence */
function grouped({ text, args }) {
  const said = (args?.disks ?? []).map((one) => one.text);
  const [from, last] = [said.length ? text.indexOf(said[0]) : -1, said[said.length - 1] ?? ""];
  if (from < 0) return text;
  const list = alike(row().volumes).map(({ names, disks, cache }) => `${names}: ${disks}${cache && `, ${cache}`}`);
  return (text.slice(0, from) + list.join("; ") + text.slice(text.lastIndexOf(last) + last.length)).replace("Standard_", "");
}

/** The sentence with what is to be bought in bold. @param {string} said */
function pointedOut(said) {
  const names = [sizeOf(row().vm), ...row().volumes.map(disksOfPlan)].filter(Boolean).sort((a, b) => b.length - a.length).map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return said.split(new RegExp(`(${[...new Set(names)].join("|")})`)).map((part, k) => (k % 2 ? h("b", null, part) : part));
}

/** Whether what was found stands beside the verdict. @param {any} check */
const isAbove = (check) => check.state !== "met" && !!check.volume && !!check.found;

/** What is not met, or on which condition: a clause for each; the rest is behind its check. @param {any} decided */
const conditions = ({ state: is, checks: all }) => (is === "met" ? "" : (all ?? []).filter((check) => check.state === is)
  .map((check) => (isAbove(check) ? `${check.what.text}: ${check.found.text}` : plainly((check.why ?? [check.what]).map((one) => (check.of === "recording" ? one.text.split("; ")[0] : one.text)).join("; ")))).join(" · "));

/** VM and disks, by volume. @param {any} f */
const design = (f) => [h("b", null, sizeOf(f.vm)), f.volumes.map((v) => [" + ", h("b", null, disksOf(v)), h("span.soft", null, ` ${v.name}`)])];

/** Each check as a button that opens what it rests on. @param {any} decided */
function checks(decided) {
  const chips = (decided.checks ?? []).map((check, /** @type {number} */ k) => {
    const { style, mark } = looks(check.state);
    const is = state.check === k;
    return [h("button.chip", { type: "button", id: `check-${k}`, class: style, "aria-expanded": String(is), onclick: () => { state.check = is ? -1 : k; redraw(); } }, h("b", null, `${mark} ${check.what.text}`), check.found && !isAbove(check) && h("span", null, plainly(check.found.text))), is && evidence(check)];
  });
  return h("div.chips", { role: "group", "aria-label": t("checks") }, chips);
}

/** @param {any} check */
const evidence = (check) => h("div.evidence", null, h("dl", null,
  [["check-asked", check.asked?.text], ["check-recorded", check.recorded?.text], ["check-found", check.found?.text], ["check-by", check.shown_by?.text]].filter(([, value]) => value).map(([name, value]) => h("div", null, h("dt", null, t(String(name))), h("dd", null, value)))),
  (check.why ?? []).map((why) => h("p", null, full(why.text))));

/** @param {string} found @returns {{ style: string, mark: string }} */
const looks = (found) => (found === "met" ? { style: "good", mark: "✓" } : found === "met_with_condition" ? { style: "warn", mark: "▲" } : { style: "over", mark: "✗" });

/** The checks of what was changed by hand. @param {any} judged */
function checksOf(judged) {
  return h("div.chips", { role: "group", "aria-label": t("checks") }, judged.checks.map((check) => {
    const { style, mark } = looks(check.state);
    const figure = check.figure === undefined || check.figure === null ? "" : check.of === "years" ? t("years-of", { years: check.figure }) : percent(check.figure);
    return h("span.chip", { class: style }, h("b", null, `${mark} ${t(`check-${check.of}`)}`), figure && h("span", null, figure));
  }));
}

/** What could go wrong, what to do next. @param {any} decided */
function outlook(decided) {
  const risks = [...decided.risks ?? [], ...decided.doubts ?? [], ...decided.in_the_way ?? [], ...decided.nearest ?? []];
  if (!risks.length && !decided.next?.length) return null;
  return h("div.outlook", null,
    risks.length > 0 && h("details", null, h("summary", null, t("could-go-wrong", { n: risks.length })), h("ul", null, risks.map((one) => h("li", null, full(one.text))))),
    decided.next?.length > 0 && h("details", null, h("summary", null, t("what-next")), h("ul", null, decided.next.map((one) => h("li", null, full(one.says.text))))));
}

/** The designs as one choice. */
function picks() {
  const { plan, design } = state;
  return choice(t("screen-designs"), plan.designs.map((d) => {
    const name = d.design[0];
    return { id: `pick-${name}`, is: d.design.includes(design.chosen), take: () => choose(name), class: d.verdict ? look(d.verdict) : "", name: [h("span.soft", null, d.design.map((/** @type {string} */ one) => t(`design-${one}`)).join(", ")), h("b", null, money(d.plan.monthly, plan.currency, 0)), h("span.soft", null, t("disks-of", { n: d.disks }))] };
  }), "pick");
}

/** The price with its parts, and what the terms are. @param {any} f @param {any} decided */
function price(f, decided) {
  const own = row();
  const then = state.recording.shared?.then;
  const changed = Object.keys(state.design.changes).length > 0;
  const difference = changed && f.monthly !== null && own ? f.monthly - own.monthly : 0;
  const parts = /** @type {any[]} */ (decided ? (decided.price?.parts ?? []) : changed ? [] : [{ name: "VM", monthly: own.vm_monthly }, ...own.volumes.map((v) => ({ name: v.name, monthly: v.monthly }))]);
  // Of many volumes the disks are one part; what licences cost is none of it.
  const licences = parts.filter((part) => part.of === "licence");
  const disks = parts.slice(1).filter((part) => part.of !== "licence");
  const few = parts.length <= 6 ? parts : [parts[0], { name: t("disks"), monthly: disks.reduce((sum, part) => sum + part.monthly, 0) }, ...licences];
  return h("div.price-line", null,
    h("p.price", null, h("strong", null, money(f.monthly, f.currency)), h("span.soft", null, ` ${t("a-month")}`), f.monthly !== null && h("span.soft", null, ` · ${money(f.monthly * 12, f.currency, 0)} ${t("a-year")}`), Math.abs(difference) >= 0.005 && h("b.difference", null, ` ${difference < 0 ? "−" : "+"}${money(Math.abs(difference), f.currency)}`)),
    few.length > 0 && h("p.soft.parts", null, few.map((part) => `${sizeOf(part.name)} ${number(Math.round(part.monthly))}`).join(" + ")),
    then && !canUndo() && f.monthly !== null && Math.abs(then.monthly - f.monthly) >= 0.005 && h("p.hint", null, t("shared-then", { cost: money(then.monthly, then.currency), version: state.recording.shared.version })),
    decided?.price?.terms?.length > 0 && h("p.soft.parts", null, plainly(decided.price.terms.map((one) => one.text).join(" · "))));
}

/** Terms that change the price, each a control. */
function terms() {
  const commitment = wished("", "reservation") ? `reservation ${wished("", "reservation")}` : wished("", "savings_plan") ? `savings_plan ${wished("", "savings_plan")}` : "";
  const take = (/** @type {() => void} */ change) => { change(); keep(); planAgain(); };
  const set = (/** @type {string} */ key, value) => take(() => wish("", key, value));
  const menu = (/** @type {string} */ id, /** @type {string} */ label, /** @type {string} */ value, options, /** @type {(value: string) => void} */ on) =>
    h("label.term", { for: `term-${id}` }, h("span.unseen", null, label), h("select", { id: `term-${id}`, title: label, value, onchange: (e) => on(e.target.value) }, options));
  const list = (/** @type {string} */ value, /** @type {string[][]} */ all) => all.map(([key, name]) => h("option", { value: key, selected: key === value }, name));
  const commit = (/** @type {string} */ key) => (key ? t(`commit-${key.replaceAll("_", "-").replace(" ", "-")}`) : t("commit-none"));
  const [where, os, own] = [region(), wished("", "os") ?? "linux", vendor(region())];
  const hours = wished("", "hours_per_month");
  return h("details.terms", null, h("summary", null, t("terms"), h("span.soft", null, ` ${[where, commit(commitment), os === "windows" ? "Windows" : "Linux", hours && t("hours-of", { n: hours })].filter(Boolean).join(" · ")}`)),
    h("div.term-list", null,
      menu("region", t("region"), where, regions(where), (value) => take(() => settle(value))),
      own.windows && menu("os", t("os"), os, list(os, [["linux", "Linux"], ["windows", "Windows"]]), (value) => set("os", value === "linux" ? null : value)),
      menu("commitment", t("commitment"), commitment, list(commitment, ["", ...own.commitments].map((key) => [key, commit(key)])), (value) => take(() => {
        const [key, years] = value.split(" ");
        for (const one of ["reservation", "savings_plan"]) wish("", one, key === one ? years : null);
      })),
      h("label.term", { for: "term-hours" }, h("span", null, t("hours")), h("input#term-hours", { type: "number", min: 1, max: 730, placeholder: "730", value: hours ?? "", onchange: (e) => set("hours_per_month", e.target.value === "" ? null : Number(e.target.value)) })),
      h("label.term.wide", { for: "term-licence" }, h("span", null, t("licence")), h("input#term-licence", { type: "text", placeholder: "500 a month", value: licence(), spellcheck: "false", autocomplete: "off", onchange: (e) => set("licence", e.target.value.trim() === "" ? null : [{ price: e.target.value.trim() }]) }))),
    state.refused.plan && refusal(state.refused.plan));
}

const licence = () => { const found = wished("", "licence"); return Array.isArray(found) ? (found[0]?.price ?? "") : (found?.price ?? ""); };

/** The answer, or how to get one. @param {number} width */
export function answerScreen(width) {
  if (!state.recording) return state.busy.source || (state.design.source >= 0 && !state.refused.source) ? h("p.hint.wait", { role: "status" }, t("working")) : startScreen();
  if (!state.estimate || !state.plan?.plan) return waiting();
  const { estimate } = state;
  if (!timed()) return h("div.workspace", null, h("div.picture", null, h("p.hint", null, progress()), recorded()), aside());
  const at = cursorAt(estimate);
  const place = cursorPlace(estimate);
  return h("div.workspace", null,
    h("div.picture", null,
      h("section.panel", null, h("div.head", null, h("h2", null, t("pipe-title")), h("span.soft", null, t("pipe-at", { time: clockAt(at) })), progress()),
        pipe({ estimate, place, width: Math.min(width - 40, 1180), asked: askedBy(estimate, place) })),
      h("div.panel", null, strips(estimate, at)),
      latency(at)),
    aside());
}

/** The latency that counts most: of reads for which one is asked, else of those that read most. @param {number} at */
function latency(at) {
  const { estimate, recording, run } = state;
  const loads = estimate.loads;
  const asks = (l) => wished(l.volume, `${l.direction}_latency_max`);
  const of = loads.find(asks) ?? loads.reduce((m, l) => (!m || sumOf(l.iops) > sumOf(m.iops) ? l : m), null);
  if (!of) return null;
  const recorded = recording.recorded.volumes.find((v) => v.name === of.volume);
  const before = recorded?.[of.direction === "read" ? "read_us" : "write_us"] ?? [];
  const begins = estimate.begins_s;
  const exact = run?.document && !run.stale ? done(run, of.volume, of.direction) : null;
  const most = microseconds(asks(of));
  const { from, to, end } = shown();
  return h("div.panel", null, chart({
    title: of.direction === "read" ? t("read-latency-of", { volume: brief(of.volume) }) : t("write-latency-of", { volume: brief(of.volume) }), from, to, end, cursor: at, hover: state.hover, drag: state.dragged, over: overTime(), moments: moments(), at: clockAt, show: ms,
    asked: most === null ? [] : [{ name: t("asked-most", { most: ms(most) }), y: most }], empty: t("latency-grows"),
    lines: [
      { name: t("recorded-today"), style: "before", x: recorded ? recorded.end_s.map((/** @type {number} */ x) => x - begins) : [], y: before },
      exact ? { name: t("on-these"), style: "exact", x: exact.x, y: exact.mean } : { name: t("estimate"), style: "estimate", x: estimate.from_s, y: of.mean_us, step: true },
    ] }));
}
/** @param {number[]} list */
const sumOf = (list) => list.reduce((sum, one) => sum + one, 0);
/** A duration as the form has it, in microseconds. @param {any} text */
export function microseconds(text) {
  const found = /^([\d.]+)\s*(us|µs|ms|s)$/.exec(String(typeof text === "object" && text ? text.mean ?? "" : text ?? ""));
  return found ? Number(found[1]) * /** @type {any} */ ({ us: 1, "µs": 1, ms: 1e3, s: 1e6 })[found[2]] : null;
}

/** Load, a few controls, what saves. */
function aside() {
  return h("aside.controls", { "aria-label": t("controls"), class: state.sheet ? "open" : "" },
    handle(),
    h("section", null, h("h2", null, t("load-title")), loadSlider(), play(), ahead(knob)),
    few(), cheaper());
}

/** Of many volumes those whose limits are reached first; all controls have the others. @param {any[]} volumes @returns {any} */
function busiest(volumes) {
  if (volumes.length <= FEW) return volumes;
  const order = reached().map((one) => one.id.volume);
  const place = (/** @type {any} */ v) => (order.indexOf(v.name) + 1 || Infinity);
  return [...volumes].sort((a, b) => place(a) - place(b) || 0).slice(0, FEW);
}
const FEW = 6;

/** The controls that matter most. */
function few() {
  const { design, estimate } = state;
  const changed = Object.keys(design.changes).length > 0;
  return h("section", null, h("h2", null, t("screen-whatif")),
    busiest(estimate.design.volumes).map((v) => {
      const step = (/** @type {number} */ by) => moved(`${v.name}-count`, () => setChange(v.name, "count", Math.max(1, v.count + by)), true);
      const refused = state.refused[`${v.name}-count`] ?? state.refused[`${v.name}-cache`];
      return [
        h("div.row", null, h("span", { title: v.name }, t("disks-for", { volume: brief(v.name) })), h("span.stepper", null,
          h("button", { type: "button", id: `few-${v.name}-less`, "aria-label": t("less", { what: `${v.name}: ${t("disks")}` }), disabled: v.count <= 1, onclick: () => step(-1) }, "−"), h("b", null, disksOf(v)),
          h("button", { type: "button", id: `few-${v.name}-more`, "aria-label": t("more", { what: `${v.name}: ${t("disks")}` }), onclick: () => step(1) }, "+"))),
        vendor().host_caches && v.iops === null && h("div.row", null, h("span", null, t("cache-for", { volume: brief(v.name) })), caches(v, "few")),
        refused && refusal(refused)];
    }),
    h("div.row.last", null,
      changed && h("button", { type: "button", id: "reset", onclick: () => moved("reset", () => { design.changes = {}; }, true) }, t("as-planned")),
      h("button", { type: "button", id: "all-controls", onclick: () => { state.design.screen = "whatif"; keep(); redraw(); requestAnimationFrame(() => requestAnimationFrame(() => document.getElementById("main")?.focus())); } }, t("all-controls"))));
}

/** The modes of the host cache. @param {any} v @param {string} prefix */
export const caches = (v, prefix = "") => choice(`${v.name}: ${t("host-cache")}`, ["None", "ReadOnly", "ReadWrite"].map((mode) => ({ name: mode, is: v.host_cache === mode, id: `${prefix ? `${prefix}-` : ""}${v.name}-cache-${mode}`, take: () => moved(`${v.name}-cache`, () => setChange(v.name, "host_cache", mode), true) })));

/** What saves how much, each with a button where the form has it. */
function cheaper() {
  const { plan } = state;
  const list = plan.decision?.cheaper?.length ? plan.decision.cheaper : plan.savings.map((s) => ({ condition: s.requirement, saves: s.monthly }));
  if (!list.length) return null;
  return h("section", null, h("h2", null, t("cheaper-title")), h("ul.levers", null, list.slice(0, 6).map((one, /** @type {number} */ k) => {
    const change = lever(one.condition);
    return h("li", null, h("span", null, one.condition.text), h("b.good", null, `−${money(one.saves, plan.currency, 0)}`),
      change && h("button", { type: "button", id: `try-${k}`, "aria-label": `${t("try")}: ${one.condition.text}`, onclick: () => { change(); keep(); planAgain(); } }, t("try")));
  })));
}

/** What the form says where a condition of a saving is taken; nothing where it has no field for it. @param {any} condition @returns {(() => void) | null} */
function lever(condition) {
  const { id, args = {} } = condition;
  const to = args.to?.text ?? "";
  const volume = args.volume;
  const key = /** @type {Record<string, [string, any]>} */ ({
    "relax-headroom": ["headroom_percent", args.to?.value], "relax-capacity": ["capacity_headroom_percent", args.to?.value],
    "relax-arm": ["arm", true], "relax-burstable": ["burstable", true], "relax-confidential": ["confidential", true], "relax-preview": ["preview", true],
    "relax-closed": ["closed_to_new", true], "relax-limited": ["capacity_limited", true],
  })[id];
  if (key && key[1] !== undefined) return () => wish("", key[0], key[1]);
  if (id === "relax-reads" && to) return () => wish(volume, "read_latency_max", plain(args.to));
  if (id === "relax-writes" && to) return () => wish(volume, "write_latency_max", plain(args.to));
  return null;
}
/** @param {any} value in ms */
const plain = (value) => `${value.value} ${value.unit}`;
