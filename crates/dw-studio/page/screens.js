// Screens 2 and 3: the recording with its checklist, the designs.
// @ts-check
import { chart, curve } from "./chart.js";
import { choose, headrooms, idle, leave, missing, open, plan, planned, region, regroup, row, settle, unrated, vendor, volumesOf, whyNot, wish, wished } from "./design.js";
import { h } from "./dom.js";
import { figure, iops, length, money, ms, number, percent, rate, short } from "./format.js";
import { t } from "./messages.js";
import { judgedAs, look, noPlan, refusal, waiting } from "./simulate.js";
import { chooser, dropping, reading, recordDay, startScreen } from "./start.js";
import { keep, state } from "./state.js";
import { alike as alikeDisks, called, choice, clockAt, plainly, regions, sizeOf } from "./ui.js";

const ROLES = ["data", "log", "tempdb", "backup", "os"];

/** A field of the form. @param {string} volume @param {string} key @param {any} options */
function field(volume, key, { label, placeholder = "", kind = "text", wide = false }) {
  const id = `wish-${volume || "plan"}-${key}`;
  const value = wished(volume, key);
  const refused = state.refused.plan?.field === id.slice(5) ? state.refused.plan : null;
  return h("label.field", { class: wide ? "wide" : "", for: id }, h("span", null, label),
    h("input", { id, type: kind, value: value ?? "", placeholder, spellcheck: "false", autocomplete: "off", "aria-required": key === "capacity" ? "true" : undefined, "aria-invalid": refused || (key === "capacity" && state.refused.plan && value === undefined) ? "true" : undefined, "aria-describedby": refused ? `${id}-refused` : undefined,
      onchange: (e) => {
        const text = e.target.value.trim();
        wish(volume, key, text === "" ? null : kind === "number" ? Number(text) : text);
        keep();
        state.plan = null;
        redraw();
      } }),
    refused && h("span.wrong", { id: `${id}-refused`, role: "alert" }, plainly(refused.what), refused.hint && `; ${plainly(refused.hint)}`));
}
let redraw = () => {};
/** @param {() => void} drawn */
export const redrawsWith = (drawn) => { redraw = drawn; };

/** Where other files are dropped. */
const dropZone = () => h("div.drop", dropping(),
  h("p", null, h("strong", null, state.title), h("span.soft", null, t("drop-other"))), chooser("file", t("open-recording")),
  state.hello.sources.map((source, /** @type {number} */ place) =>
    h("button", { type: "button", "aria-pressed": String(state.design.source === place && !!state.recording), onclick: () => open(place, true) }, source.example ? t("example-of", { name: source.title }) : source.title)),
  reading());

export function recordingScreen() {
  const { recording } = state;
  if (!recording) return startScreen();
  const list = recording.checklist;
  const each = list.volumes.length > 1 ? list.volumes.slice(1) : list.volumes;
  const sources = list.sources.map((s) => `${s.tool} (${s.used_for.text})`).join(", ");
  const first = each[0];
  const begins = recording.recorded.second_of_day === null ? "" : `${recording.recorded.date ?? ""} ${clockAt(0, 0)}`;
  return h("div.recording", null, dropZone(), recorded(), asks(),
    findings(list),
    h("dl.facts", null,
      fact(t("recognised"), sources), fact(t("machine"), list.machine ?? "–", list.processors ? t("processors", { n: list.processors }) : ""),
      fact(t("recorded"), length(first?.windows[0]?.covered_s ?? 0), [begins, t("every", { interval: length(first?.interval_s ?? 0) })].filter(Boolean).join(" · ")),
      fact(t("coverage"), percent(100 * Math.min(...each.map((v) => v.coverage))), t("damaged", { n: list.damaged_lines }))),
    grouping(), h("details.checklist-of", null, h("summary", null, h("strong", null, t("checklist")), h("span.soft", null, ` ${t("checklist-what")}`)), checklist()),
    recordDay());
}

let quantity = "iops";

/** The load as it was recorded. */
export function recorded() {
  const { recording } = state;
  const { volumes } = recording.checklist;
  const each = (volumes.length > 1 ? volumes.slice(1) : volumes).filter((v) => !(state.design.wishes.left_out ?? []).includes(v.name));
  const all = volumes[0].series;
  const end = all.end_s[all.end_s.length - 1] ?? 1;
  const begins = recording.recorded.second_of_day ?? 0;
  const step = [60, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400].find((s) => end / s <= 6) ?? end / 6;
  const marks = [];
  for (let x = Math.ceil(begins / step) * step - begins; x <= end; x += step) marks.push(x);
  const peak = all.iops.reduce((/** @type {number} */ best, /** @type {number | null} */ v, /** @type {number} */ k) => ((v ?? -1) > (all.iops[best] ?? -1) ? k : best), 0);
  const [get, show, title] = quantity === "iops" ? [(s) => s.iops, iops, "IOPS"]
    : quantity === "bytes" ? [(s) => s.read_bytes_per_s.map((/** @type {number | null} */ v, /** @type {number} */ k) => (v === null && s.write_bytes_per_s[k] === null ? null : (v ?? 0) + (s.write_bytes_per_s[k] ?? 0))), rate, "MB/s"]
      : [(s) => s.latency_s.map((/** @type {number | null} */ v) => (v === null ? null : v * 1e6)), ms, t("latency")];
  const STYLES = ["exact", "estimate solid", "second solid", "third"];
  // The busiest have a line each; more would be a skein.
  const busiest = [...each].sort((a, b) => peakOf(b) - peakOf(a)).slice(0, 4);
  const clock = (/** @type {number} */ x) => clockAt(x, end);
  return h("section.panel.recorded", null,
    h("div.head", null, h("h2", null, t("recorded-load")), (all.iops[peak] ?? null) !== null && h("span.soft", null, t("recorded-peak", { iops: iops(all.iops[peak]), time: clock(all.end_s[peak] ?? 0) })),
      choice(t("shows"), [["iops", "IOPS"], ["bytes", "MB/s"], ["latency", t("latency")]].map(([key, name]) => ({ name, is: quantity === key, take: () => { quantity = key; redraw(); } })))),
    chart({ title: String(title), from: 0, to: end, end, cursor: null, hover: state.hover, over: {
      onpointermove: (e) => { const box = e.currentTarget.getBoundingClientRect(); state.hover = Math.min(end, Math.max(0, ((e.clientX - box.left) / box.width) * end)); redraw(); },
      onpointerleave: () => { state.hover = null; redraw(); },
    }, moments: marks, at: clock, show: /** @type {any} */ (show), lines: busiest.map((v, k) => ({ name: v.name, style: STYLES[k], x: v.series.end_s, y: /** @type {any} */ (get)(v.series) })) }));
}
/** @param {any} v */
const peakOf = (v) => v.series.iops.reduce((/** @type {number} */ m, /** @type {number | null} */ x) => Math.max(m, x ?? 0), 0);

/** What no recording knows, volume by volume; those that are idle folded. */
function asks() {
  const { recording } = state;
  const volumes = volumesOf();
  const lacks = missing();
  const rateless = unrated();
  const still = idle(recording.checklist);
  const out = recording.form.volume.filter((v) => (state.design.wishes.left_out ?? []).includes(v.name));
  return h("form.wishes", { onsubmit: (e) => { e.preventDefault(); keep(); if (planned()) { state.design.screen = "answer"; plan(); requestAnimationFrame(() => requestAnimationFrame(() => document.getElementById("main")?.focus({ preventScroll: true }))); } } },
    h("div.head", null, h("h2", null, t("wishes-title")), h("span.soft", null, t("wishes-how"))),
    volumes.map((v) => {
      const role = wished(v.name, "role") ?? guessed(v.name);
      return h("fieldset", null, h("legend", null, v.name, h("span.soft", null, ` ${(v.devices ?? []).join(", ")}`),
        volumes.length > 1 && h("button.link", { type: "button", id: `leave-${v.name}`, onclick: () => leave(v.name, true) }, t("leave-out", { name: v.name }))),
        field(v.name, "capacity", { label: t("capacity"), placeholder: "500 GiB" }),
        h("label.field", null, h("span", null, t("role")), h("select", { id: `wish-${v.name}-role`, value: role, onchange: (e) => { wish(v.name, "role", e.target.value); keep(); state.plan = null; redraw(); } }, ROLES.map((name) => h("option", { value: name, selected: name === role }, name)))),
        field(v.name, "working_set", { label: t("working-set"), placeholder: "–" }),
        field(v.name, "read_latency_max", { label: t("read-latency"), placeholder: "–" }),
        field(v.name, "write_latency_max", { label: t("write-latency"), placeholder: "–" }));
    }),
    out.length > 0 && h("details.idle", null, h("summary", null, t("idle-out", { n: out.length, names: out.map((v) => v.name).slice(0, 6).join(", ") })),
      h("ul", null, out.map((v) => h("li", null, h("strong", null, v.name), h("span.soft", null, ` ${still.some((one) => one.name === v.name) ? t("idle-most", { iops: short(peakOf(recording.checklist.volumes.find((one) => one.name === v.name))) }) : ""}`),
        h("button", { type: "button", id: `take-${v.name}`, onclick: () => leave(v.name, false) }, t("take-in")))))),
    h("fieldset", null, h("legend", null, t("all-volumes")),
      h("label.field", null, h("span", null, t("region")), h("select", { id: "wish-region", value: region(), onchange: (e) => { settle(e.target.value); keep(); state.plan = null; redraw(); } }, regions(region()))),
      field("", "headroom_percent", { label: t("headroom-wish"), kind: "number", placeholder: "20" }),
      field("", "percentile", { label: t("percentile"), kind: "number", placeholder: "99" }),
      field("", "memory_min", { label: t("memory"), placeholder: "–" }),
      field("", "vcpu_min", { label: t("processors-min"), kind: "number", placeholder: "–" }),
      field("", "years", { label: t("lasts"), kind: "number", placeholder: "0" }),
      field("", "growth_percent_per_year", { label: t("growth"), kind: "number", placeholder: "0" })),
    h("div.bar.plan-bar", null, h("button.primary#plan", { type: "submit", disabled: !planned() || !!state.busy.plan }, state.busy.plan ? t("working") : t("plan")), rateless.length > 0 ? h("span.hint", { id: "lacks" }, t("rates-of", { names: rateless.join(", ") })) : lacks.length > 0 && h("span.hint", { id: "lacks" }, t("capacity-of", { names: lacks.join(", ") }))),
    state.refused.plan && !state.refused.plan.field && refusal(state.refused.plan));
}

/** Names of volumes that were typed and not taken yet, beside those that they would replace: a picture drawn meanwhile leaves them as they are. */
let typed = { of: "", names: /** @type {Record<string, string>} */ ({}) };

/** Which device is which volume: those with one name are one striped volume, those without are left out. */
function grouping() {
  const { checklist } = state.recording;
  const each = checklist.volumes.length > 1 ? checklist.volumes.slice(1) : checklist.volumes;
  const found = each.flatMap((v) => v.devices.map((/** @type {string} */ device) => ({ device, name: v.name, why: "" })));
  const all = [...found, ...checklist.left_out.map((l) => ({ device: l.device, name: "", why: l.why.text }))];
  // Of a design that was shared the recording itself is elsewhere.
  if (all.length < 2 || state.recording.shared) return null;
  const of = JSON.stringify(all.map((one) => [one.device, one.name]));
  if (typed.of !== of) typed = { of, names: {} };
  return h("details.grouping", { open: !!state.refused.groups }, h("summary", null, t("grouping")),
    h("form", { onsubmit: (e) => {
      e.preventDefault();
      /** @type {Map<string, string[]>} */
      const groups = new Map();
      for (const { device } of all) {
        const name = e.target.elements[`group-${device}`].value.trim();
        if (name) groups.set(name, [...(groups.get(name) ?? []), device]);
      }
      regroup([...groups]);
    } },
      h("p.hint", null, t("grouping-how")),
      h("div.groups", null, all.map((one) => h("label.field", { for: `group-${one.device}` }, h("span", { title: one.why || undefined }, one.device, one.why && ` · ${t("left-out")}`),
        h("input", { id: `group-${one.device}`, name: `group-${one.device}`, type: "text", value: typed.names[one.device] ?? one.name, placeholder: t("left-out"), spellcheck: "false", autocomplete: "off", oninput: (e) => { typed.names[one.device] = e.target.value; } })))),
      h("div.bar", null, h("button#regroup", { type: "submit", disabled: !!state.busy.groups }, t("regroup"))),
      state.refused.groups && refusal(state.refused.groups)));
}

/** @param {string} name */
const guessed = (name) => (ROLES.includes(name) ? name : "data");

/** @param {string} what @param {string} value @param {string} [more] */
const fact = (what, value, more = "") => h("div", null, h("dt", null, what), h("dd.figure", null, value), h("dd", null, more));

let shownVolume = 0;
let opened = "";

/** What is known of each volume, with what is behind each figure. */
function checklist() {
  const list = state.recording.checklist;
  const volume = list.volumes[Math.min(shownVolume, list.volumes.length - 1)];
  const window = volume.windows[0];
  return h("div", null,
    h("div.bar", null, choice(t("volumes"), list.volumes.map((v, /** @type {number} */ k) => ({ name: v.name, is: k === shownVolume, take: () => { shownVolume = k; redraw(); } }))),
      h("span.soft", null, `${volume.devices.join(", ")} · ${length(window.covered_s)} · ${percent(volume.coverage * 100)} ${t("covered")}`)),
    h("div.scroll", { tabindex: 0, role: "region", "aria-label": t("checklist") }, h("table.checklist", null,
      h("thead", null, h("tr", null, h("th", { scope: "col" }, t("row")), ["p50", "p90", "p99"].map((p) => h("th.n", { scope: "col" }, p)), h("th.n", { scope: "col" }, t("largest")), h("th", { scope: "col" }, t("known-by")))),
      h("tbody", null, window.rows.map((r) => {
        const name = t(`row-${r.row.replaceAll("_", "-")}`);
        const isOpen = opened === r.row || opened.startsWith(`${r.row}/`);
        return [h("tr", { class: r.provenance === "unknown" ? "unknown" : "" },
          h("th", { scope: "row" }, h("button.link", { type: "button", "aria-expanded": String(isOpen), onclick: () => { opened = isOpen ? "" : r.row; redraw(); } }, r.number && h("span.number", null, r.number), name)),
          [50, 90, 99].map((p) => cell(r, String(p), r[`p${p}`]?.value)), cell(r, "max", r.max), h("td", null, h("span.badge", { class: r.provenance }, t(`by-${r.provenance}`)))),
        isOpen && h("tr.more", null, h("td", { colspan: 6 }, behind(list, volume, r), h("p", null, t("row-source", { source: r.source || "–", n: number(r.n), interval: length(r.interval_s) })), r.note && h("p", null, r.note.text), r.fill && h("p", null, r.fill.text)))];
      })))));
}

/** A figure, which opens what is behind it. @param {any} r @param {string} which @param {number | null | undefined} value */
function cell(r, which, value) {
  const key = `${r.row}/${which}`;
  if (value === null || value === undefined) return h("td.n", null, "–");
  return h("td.n", null, h("button.link", { type: "button", "aria-expanded": String(opened === key), onclick: () => { opened = opened === key ? "" : key; redraw(); } }, figure(value, r.unit)));
}

/** Rows of the checklist that the series of a volume has, too. */
const SERIES = /** @type {Record<string, string>} */ ({ iops: "iops", read_iops: "read_iops", write_iops: "write_iops", read_throughput: "read_bytes_per_s", write_throughput: "write_bytes_per_s", latency: "latency_s", queue_depth: "queue_depth" });

/** How the figure that is open came to be: by which rule, of which files, where it was seen. @param {any} list @param {any} volume @param {any} r */
function behind(list, volume, r) {
  const which = opened.split("/")[1];
  if (!which) return null;
  const found = which === "max" ? { value: r.max } : r[`p${which}`];
  const series = volume.series[SERIES[r.row]] ?? [];
  // The interval whose figure is nearest.
  let at = -1;
  series.forEach((/** @type {number | null} */ value, /** @type {number} */ k) => {
    if (value !== null && (at < 0 || Math.abs(value - found.value) < Math.abs(series[at] - found.value))) at = k;
  });
  const files = list.sources.filter((s) => r.source.includes(s.tool)).flatMap((s) => s.files).join(", ") || list.sources.flatMap((s) => s.files).join(", ");
  return [
    h("p", null, h("strong", null, `${figure(found.value, r.unit)}: `), which === "max" ? t("formula-max", { n: number(r.n) }) : t("formula-percentile", { percent: which, rest: 100 - Number(which), n: number(r.n) })),
    found.low != null && found.high != null && h("p", null, t("formula-bounds", { low: figure(found.low, r.unit), high: figure(found.high, r.unit) })),
    h("p.place", null, h("code", null, files), at >= 0 ? ` · ${t("seen-at", { value: figure(series[at], r.unit), from: clockAt(Math.max(0, volume.series.end_s[at] - volume.interval_s), 0), to: clockAt(volume.series.end_s[at], 0) })}` : ""),
  ];
}

/** @param {any} list */
function findings(list) {
  const grave = list.findings.filter((f) => f.severity !== "note");
  if (!list.findings.length) return null;
  const one = (f) => h("li", { class: f.severity }, h("strong", null, t(`severity-${f.severity}`), ": ", f.title.text), h("span", null, f.what.text, "; ", f.effect.text, "."), remedy(f),
    f.evidence.length > 0 && h("code", null, `${f.evidence[0].file}:${f.evidence[0].line}`));
  const notes = list.findings.filter((f) => f.severity === "note");
  return h("div.findings", null, grave.length > 0 && h("ul", null, grave.map(one)), notes.length > 0 && h("details", null, h("summary", null, t("notes-of", { n: notes.length })), h("ul", null, notes.map(one))));
}

/** What to do about a finding: a control where the page has one; a command's option is of no use here. @param {any} f */
function remedy(f) {
  if (f.hint?.id === "audit-memory-hint") return h("span.remedy", null, chooser("more-file", t("add-memory")), h("button.link", { type: "button", onclick: () => document.getElementById("wish-plan-memory_min")?.focus() }, t("say-memory")));
  if (!f.hint || /--(volume|capacity|memory-total)/.test(f.hint.text)) return null;
  return h("span.soft", null, plainly(f.hint.text));
}

export function designsScreen() {
  const { plan } = state;
  if (!plan) return waiting();
  if (!plan.plan) return noPlan();
  const current = row();
  const is = (p) => p === current;
  const same = (p) => alike(p, current);
  return h("div", null,
    h("div.cards", null, plan.designs.map((d) => card(d, same(d.plan)))),
    h("div.two", null,
      plan.curve?.by_disks.length > 1 && curve({ title: t("curve-disks", { currency: plan.currency }), xs: t("data-disks"), show: (y) => short(y), flat: t("flat"), points: plan.curve.by_disks.map((p) => ({ x: p.disks, y: p.monthly, name: `${called(p.plan)}: ${money(p.monthly, plan.currency)}`, marked: Math.abs(p.monthly - current.monthly) < 0.005, take: takeOf(p) })) }),
      plan.curve?.by_headroom.length > 1 && curve({ title: t("curve-headroom", { currency: plan.currency }), xs: t("headroom-percent"), show: (y) => short(y), flat: t("flat-headroom", { percent: percent(Math.max(...plan.curve.by_headroom.map((p) => p.headroom_percent))) }), points: plan.curve.by_headroom.map((p) => ({ x: p.headroom_percent, y: p.monthly, name: `${called(p.plan)}: ${money(p.monthly, plan.currency)}`, marked: false, take: takeOf(p) })) })),
    h("h2", null, t("alternatives")), sizes(is),
    h("h2", null, t("why-not")),
    h("form.bar", { onsubmit: (e) => { e.preventDefault(); const size = e.target.elements.size.value.trim(); if (size) whyNot(size); } },
      h("input", { name: "size", id: "why", type: "text", placeholder: sizeOf(plan.plan.vm), spellcheck: "false", autocomplete: "off", "aria-label": t("vm-size") }), h("button", { type: "submit", disabled: !!state.busy.why }, t("ask"))),
    state.refused.why && refusal(state.refused.why),
    h("ul.why", null, [state.why, ...plan.why_not].filter(Boolean).map((w) => h("li", null, h("strong", null, sizeOf(w.vm)), " ", w.why.text))),
    plan.savings.length > 0 && [h("h2", null, t("savings")), h("ul.why", null, plan.savings.map((s) => h("li", null, s.requirement.text, ": ", h("strong", null, `−${money(s.monthly, plan.currency)}`), h("span.soft", null, ` ${row().volumes.length > 4 ? "" : called(s.plan)}`))))],
    h("details", null, h("summary", null, t("assumptions")), h("p.answer", null, plan.answer.text, ". ", plan.simulated ? ` ${plan.simulated.answer.text}` : ""), h("ul.why", null, plan.assumptions.map((a) => h("li", null, a.text)))));
}

/** Takes the design of a point, where it is among those that can be taken. @param {any} p @returns {(() => void) | undefined} */
function takeOf(p) {
  const { plan } = state;
  const near = (one) => Math.abs(one.monthly - p.monthly) < 0.005;
  const design = plan.designs.find((d) => near(d.plan));
  const other = plan.alternatives.findIndex(near);
  if (!design && other < 0) return undefined;
  return () => choose(design ? design.design[0] : String(other));
}

/** Whether two plans buy the same. @param {any} a @param {any} b */
const alike = (a, b) => a.monthly_micros === b.monthly_micros && a.vm === b.vm && JSON.stringify(a.volumes.map((v) => [v.disk, v.disks])) === JSON.stringify(b.volumes.map((v) => [v.disk, v.disks]));

/** What the table of sizes is sorted by; "" = as the plan has it. */
let sorted = { by: "", up: true };

/** What the table of sizes is filtered by. */
const filters = /** @type {Record<string, string>} */ ({ vm: "", iops: "", mb: "", headroom: "", cost: "" });

/** Whether a value passes a filter: `>=5000`, `<700`, `100..200`, `5000` for at least that; what is empty or cannot be read passes all. @param {string} filter @param {number | null | undefined} value */
export function passes(filter, value) {
  const text = filter.replace(/[\s,]/g, "");
  const range = /^(\d+(?:\.\d+)?k?)\.\.(\d+(?:\.\d+)?k?)$/i.exec(text);
  const one = /^(>=|<=|>|<|=)?(\d+(?:\.\d+)?k?)$/i.exec(text);
  if (!range && !one) return true;
  if (value === null || value === undefined) return false;
  const read = (/** @type {string} */ digits) => Number.parseFloat(digits) * (/k$/i.test(digits) ? 1000 : 1);
  if (range) return value >= read(range[1]) && value <= read(range[2]);
  const [, sign, digits] = /** @type {RegExpExecArray} */ (one);
  const bound = read(digits);
  return sign === "<" ? value < bound : sign === "<=" ? value <= bound : sign === ">" ? value > bound : sign === "=" ? Math.abs(value - bound) < 0.5 : value >= bound;
}

/** In what an alternative differs from the plan, where the plan does not say. @param {any} other */
function differs(other) {
  const own = state.plan.plan;
  const of = (p) => JSON.stringify(p.volumes.map((v) => [v.disk, v.disks, v.host_cache]));
  return [other.vm !== own.vm && t("vm-size"), of(other) !== of(own) && t("disks")].filter(Boolean).join(", ");
}

/** Designs and alternatives as one table. @param {(plan: any) => boolean} is */
function sizes(is) {
  const { plan } = state;
  const left = headrooms(plan);
  const limits = new Map(vendor().sizes.map((s) => [s.name, s]));
  const rows = [
    ...plan.designs.map((d) => ({ plan: d.plan, headroom: d.headroom_percent, take: d.design[0], differs: d.design.map((/** @type {string} */ name) => t(`design-${name}`)).join(", ") })),
    ...plan.alternatives.map((a, /** @type {number} */ k) => ({ plan: a, headroom: left[k] ?? null, take: String(k), differs: a.differs?.text ?? differs(a) })).filter((row) => !plan.designs.some((d) => alike(row.plan, d.plan))),
  ].map((row) => ({ ...row, iops: limits.get(row.plan.vm)?.iops, mb: limits.get(row.plan.vm)?.mb_per_s }));
  const text = filters.vm.trim().toLowerCase();
  const shown = rows.filter((r) => `${r.plan.vm} ${disks(r.plan)}`.toLowerCase().includes(text) && passes(filters.iops, r.iops) && passes(filters.mb, r.mb) && passes(filters.headroom, r.headroom) && passes(filters.cost, r.plan.monthly));
  const key = /** @type {Record<string, (r: any) => any>} */ ({ vm: (r) => r.plan.vm, iops: (r) => r.iops, mb: (r) => r.mb, headroom: (r) => r.headroom, cost: (r) => r.plan.monthly })[sorted.by];
  // What is not known comes last, whichever way.
  if (key) shown.sort((a, b) => { const [x, y] = [key(a), key(b)]; return (x ?? null) === null ? 1 : (y ?? null) === null ? -1 : (x < y ? -1 : x > y ? 1 : 0) * (sorted.up ? 1 : -1); });
  const filter = (/** @type {string} */ key, /** @type {string} */ label, /** @type {string} */ placeholder) =>
    h("input", { id: `filter-${key}`, type: "text", value: filters[key], placeholder, "aria-label": t("filter-of", { what: label }), spellcheck: "false", autocomplete: "off", oninput: (e) => { filters[key] = e.target.value; redraw(); } });
  const columns = [["vm", t("vm-size"), sizeOf(plan.plan.vm).slice(0, 2)], ["", t("disks"), ""], ["iops", t("vm-iops"), ">=5000"], ["mb", t("vm-mb"), ">=200"], ["headroom", t("headroom-percent"), ">=10"], ["cost", t("cost"), "<700"], ["", t("differs"), ""]];
  return h("div.scroll", { tabindex: 0, role: "region", "aria-label": t("alternatives") }, h("table.sizes", null,
    h("thead", null,
      h("tr", null, columns.map(([key, label]) => h("th", { scope: "col", class: key && key !== "vm" ? "n" : "", "aria-sort": key && sorted.by === key ? (sorted.up ? "ascending" : "descending") : undefined },
        key ? h("button.link", { type: "button", id: `sort-${key}`, onclick: () => { sorted = { by: key, up: sorted.by === key ? !sorted.up : true }; redraw(); } }, label, sorted.by === key && h("span", { "aria-hidden": "true" }, sorted.up ? " ▲" : " ▼")) : label)), h("td")),
      h("tr.filters", null, columns.map(([key, label, placeholder]) => h("td", null, key && filter(key, label, placeholder))), h("td", null, h("span.soft", { role: "status" }, t("rows-of", { n: shown.length, all: rows.length }))))),
    h("tbody", null, shown.map((r) => h("tr", { class: is(r.plan) ? "marked" : "" }, h("th", { scope: "row" }, sizeOf(r.plan.vm)), h("td", null, disks(r.plan)), h("td.n", null, iops(r.iops)), h("td.n", null, short(r.mb)), h("td.n", null, r.headroom === null ? "–" : short(r.headroom)), h("td.n", null, money(r.plan.monthly, plan.currency)), h("td", null, r.differs),
      h("td", null, is(r.plan) ? h("span.badge.measured", null, t("taken")) : h("button", { type: "button", onclick: () => choose(r.take) }, t("take"))))))));
}

/** @param {any} plan */
const disks = (plan) => alikeDisks(plan.volumes).map(({ names, disks }) => `${names}: ${disks}`).join("; ");

/** @param {any} d @param {boolean} taken */
function card(d, taken) {
  const { plan } = d;
  const worst = (/** @type {string} */ key, /** @type {string} */ rate) => Math.max(0, ...plan.volumes.filter((v) => v.demand[rate] > 0).map((v) => v[key]));
  return h("article.card", { class: taken ? "taken" : "" },
    h("h2", null, h("span", null, d.design.map((/** @type {string} */ name) => t(`design-${name}`)).join(", ")), taken && h("span.badge.measured", null, t("taken"))),
    h("p.price", null, money(plan.monthly, ""), h("span.soft", null, ` ${state.plan.currency} ${t("a-month")}`)),
    h("p.name", null, sizeOf(plan.vm)),
    h("ul", null, alikeDisks(plan.volumes).map(({ names, disks, cache }) => h("li", null, h("strong", null, names), ` ${disks}`, h("span.soft", null, ` ${cache}`)))),
    h("dl.pairs", null, pair(t("headroom"), percent(d.headroom_percent)), pair(t("data-disks"), number(d.disks)), pair(t("read-latency-short"), ms(worst("read_latency_us", "read_iops"))), pair(t("write-latency-short"), ms(worst("write_latency_us", "write_iops"))),
      pair(t("holds-for"), plan.breaks_in_year ? t("years-of", { years: plan.breaks_in_year - 1 }) : t("ten-years"))),
    saved(d),
    d.verdict && d.met !== undefined && h("p.verdict", { class: look(d.verdict), title: d.verdict.answer.text }, judgedAs(d.verdict)),
    d.met === undefined && state.busy.plan && h("p.verdict.soft", null, t("proving")),
    h("button", { type: "button", class: taken ? "" : "primary", "aria-pressed": String(taken), onclick: () => { choose(d.design[0]); state.design.screen = "answer"; } }, taken ? t("look") : t("take")));
}

/** What many disks are for: what they save beside the next design that has fewer. @param {any} d */
function saved(d) {
  const { designs, currency } = state.plan;
  const next = designs.filter((other) => other.disks < d.disks && other.plan.monthly > d.plan.monthly).sort((a, b) => b.disks - a.disks)[0];
  return next && h("p.hint", null, t("more-disks", { n: d.disks - next.disks, amount: money(next.plan.monthly - d.plan.monthly, currency), than: next.design.map((/** @type {string} */ name) => t(`design-${name}`)).join(", ") }));
}

/** @param {string} name @param {string} value */
const pair = (name, value) => h("div", null, h("dt", null, name), h("dd", null, value));
