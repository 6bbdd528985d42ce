// Screens 1 to 3: the recording, its checklist, the designs.
// @ts-check
import { curve } from "./chart.js";
import { choose, drop, open, plan, planned, regroup, row, whyNot, wish, wished } from "./design.js";
import { h } from "./dom.js";
import { clock, figure, iops, length, money, ms, number, percent, short } from "./format.js";
import { t } from "./messages.js";
import { judgedAs, look, noPlan, refusal, waiting } from "./simulate.js";
import { keep, state } from "./state.js";

const ROLES = ["data", "log", "tempdb", "backup", "os"];

/** A field of the form. @param {string} volume @param {string} key @param {any} options */
function field(volume, key, { label, placeholder = "", kind = "text", wide = false }) {
  const id = `wish-${volume || "plan"}-${key}`;
  const value = wished(volume, key);
  return h("label.field", { class: wide ? "wide" : "", for: id }, h("span", null, label),
    h("input", { id, type: kind, value: value ?? "", placeholder, spellcheck: "false", autocomplete: "off", "aria-invalid": state.refused.plan && placeholder.startsWith("500") && value === undefined ? "true" : undefined,
      onchange: (/** @type {any} */ e) => {
        const text = e.target.value.trim();
        wish(volume, key, text === "" ? null : kind === "number" ? Number(text) : text);
        keep();
        state.plan = null;
        redraw();
      } }));
}
let redraw = () => {};
/** @param {() => void} drawn */
export const redrawsWith = (drawn) => { redraw = drawn; };

/** Where files are dropped. */
function dropZone() {
  return h("div.drop", {
    ondragover: (/** @type {any} */ e) => { e.preventDefault(); e.currentTarget.classList.add("over"); },
    ondragleave: (/** @type {any} */ e) => e.currentTarget.classList.remove("over"),
    ondrop: (/** @type {any} */ e) => { e.preventDefault(); e.currentTarget.classList.remove("over"); const file = e.dataTransfer.files[0]; if (file) drop(file); },
  },
    h("p", null, h("strong", null, t("drop-here")), h("span.soft", null, t("drop-formats"))),
    h("label.button", { for: "file" }, t("choose-file"), h("input.unseen#file", { type: "file", onchange: (/** @type {any} */ e) => { const file = e.target.files[0]; e.target.value = ""; if (file) drop(file); } })),
    state.hello.sources.map((/** @type {any} */ source, /** @type {number} */ place) =>
      h("button", { type: "button", "aria-pressed": String(state.design.source === place && !!state.recording), onclick: () => open(place, true) }, source.example ? t("example-of", { name: source.title }) : source.title)),
    (state.busy.drop || state.busy.source) && h("p.hint", null, t("reading")),
    state.refused.drop && refusal(state.refused.drop), state.refused.source && refusal(state.refused.source));
}

export function recordingScreen() {
  const { recording } = state;
  if (!recording) return h("div", null, dropZone(), state.design.source === -1 && h("p.hint", null, t("shared-needs-file")));
  const list = recording.checklist;
  const each = list.volumes.length > 1 ? list.volumes.slice(1) : list.volumes;
  const sources = list.sources.map((/** @type {any} */ s) => `${s.tool} (${s.used_for.text})`).join(", ");
  return h("div", null, dropZone(),
    h("dl.facts", null,
      fact(t("recognised"), sources), fact(t("machine"), list.machine ?? "–", list.processors ? t("processors", { n: list.processors }) : ""),
      fact(t("recorded"), length(each[0]?.windows[0]?.covered_s ?? 0), t("every", { interval: length(each[0]?.interval_s ?? 0) })),
      fact(t("coverage"), percent(100 * Math.min(...each.map((/** @type {any} */ v) => v.coverage))), t("damaged", { n: list.damaged_lines }))),
    grouping(), h("form.wishes", { onsubmit: (/** @type {any} */ e) => { e.preventDefault(); keep(); state.design.screen = "designs"; plan(); } },
      h("h2", null, t("wishes-title")), h("p.hint", null, t("wishes-how")),
      recording.form.volume.map((/** @type {any} */ v) => {
        const role = wished(v.name, "role") ?? guessed(v.name);
        return h("fieldset", null, h("legend", null, v.name, h("span.soft", null, ` ${(v.devices ?? []).join(", ")}`)),
          field(v.name, "capacity", { label: t("capacity"), placeholder: "500 GiB" }),
          h("label.field", null, h("span", null, t("role")), h("select", { id: `wish-${v.name}-role`, value: role, onchange: (/** @type {any} */ e) => { wish(v.name, "role", e.target.value); keep(); state.plan = null; redraw(); } }, ROLES.map((name) => h("option", { value: name, selected: name === role }, name)))),
          field(v.name, "working_set", { label: t("working-set"), placeholder: "–" }),
          field(v.name, "read_latency_max", { label: t("read-latency"), placeholder: "–" }),
          field(v.name, "write_latency_max", { label: t("write-latency"), placeholder: "–" }));
      }),
      h("fieldset", null, h("legend", null, t("all-volumes")),
        h("label.field", null, h("span", null, t("region")), h("select", { id: "wish-region", value: wished("", "region") ?? "eastus", onchange: (/** @type {any} */ e) => { wish("", "region", e.target.value); keep(); state.plan = null; redraw(); } },
          state.hello.regions.map((/** @type {string} */ name) => h("option", { value: name, selected: name === (wished("", "region") ?? "eastus") }, name)))),
        field("", "headroom_percent", { label: t("headroom-wish"), kind: "number", placeholder: "20" }),
        field("", "percentile", { label: t("percentile"), kind: "number", placeholder: "99" }),
        field("", "memory_min", { label: t("memory"), placeholder: "–" }),
        field("", "years", { label: t("lasts"), kind: "number", placeholder: "0" }),
        field("", "growth_percent_per_year", { label: t("growth"), kind: "number", placeholder: "0" })),
      h("div.bar", null, h("button.primary#plan", { type: "submit", disabled: !planned() || !!state.busy.plan }, state.busy.plan ? t("working") : t("plan")), !planned() && h("span.hint", null, t("capacity-needed"))),
      state.refused.plan && refusal(state.refused.plan)));
}

/** Which device is which volume: those with one name are one striped volume, those without are left out. */
function grouping() {
  const { checklist } = state.recording;
  const each = checklist.volumes.length > 1 ? checklist.volumes.slice(1) : checklist.volumes;
  const found = each.flatMap((/** @type {any} */ v) => v.devices.map((/** @type {string} */ device) => ({ device, name: v.name, why: "" })));
  const all = [...found, ...checklist.left_out.map((/** @type {any} */ l) => ({ device: l.device, name: "", why: l.why.text }))];
  if (all.length < 2) return null;
  return h("details.grouping", { open: !!state.refused.groups }, h("summary", null, t("grouping")),
    h("form", { onsubmit: (/** @type {any} */ e) => {
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
        h("input", { id: `group-${one.device}`, name: `group-${one.device}`, type: "text", value: one.name, placeholder: t("left-out"), spellcheck: "false", autocomplete: "off" })))),
      h("div.bar", null, h("button#regroup", { type: "submit", disabled: !!state.busy.groups }, t("regroup"))),
      state.refused.groups && refusal(state.refused.groups)));
}

/** @param {string} name */
const guessed = (name) => (ROLES.includes(name) ? name : "data");

/** @param {string} what @param {string} value @param {string} [more] */
const fact = (what, value, more = "") => h("div", null, h("dt", null, what), h("dd.figure", null, value), h("dd", null, more));

let shownVolume = 0;
let opened = "";

export function checklistScreen() {
  const { recording } = state;
  if (!recording) return waiting();
  const list = recording.checklist;
  const volume = list.volumes[Math.min(shownVolume, list.volumes.length - 1)];
  const window = volume.windows[0];
  return h("div", null,
    h("div.bar", null, h("div.choice", { role: "radiogroup", "aria-label": t("volumes") }, list.volumes.map((/** @type {any} */ v, /** @type {number} */ k) =>
      h("button", { type: "button", role: "radio", "aria-checked": String(k === shownVolume), onclick: () => { shownVolume = k; redraw(); } }, v.name))),
      h("span.soft", null, `${volume.devices.join(", ")} · ${length(window.covered_s)} · ${percent(volume.coverage * 100)} ${t("covered")}`)),
    findings(list),
    h("div.scroll", { tabindex: 0, role: "region", "aria-label": t("checklist") }, h("table.checklist", null,
      h("thead", null, h("tr", null, h("th", { scope: "col" }, t("row")), ["p50", "p90", "p99"].map((p) => h("th.n", { scope: "col" }, p)), h("th.n", { scope: "col" }, t("largest")), h("th", { scope: "col" }, t("known-by")))),
      h("tbody", null, window.rows.map((/** @type {any} */ r) => {
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
  const files = list.sources.filter((/** @type {any} */ s) => r.source.includes(s.tool)).flatMap((/** @type {any} */ s) => s.files).join(", ") || list.sources.flatMap((/** @type {any} */ s) => s.files).join(", ");
  return [
    h("p", null, h("strong", null, `${figure(found.value, r.unit)}: `), which === "max" ? t("formula-max", { n: number(r.n) }) : t("formula-percentile", { percent: which, rest: 100 - Number(which), n: number(r.n) })),
    found.low != null && found.high != null && h("p", null, t("formula-bounds", { low: figure(found.low, r.unit), high: figure(found.high, r.unit) })),
    h("p.place", null, h("code", null, files), at >= 0 ? ` · ${t("seen-at", { value: figure(series[at], r.unit), from: clock(Math.max(0, volume.series.end_s[at] - volume.interval_s)), to: clock(volume.series.end_s[at]) })}` : ""),
  ];
}

/** @param {any} list */
function findings(list) {
  const grave = list.findings.filter((/** @type {any} */ f) => f.severity !== "note");
  if (!list.findings.length) return null;
  const one = (/** @type {any} */ f) => h("li", { class: f.severity }, h("strong", null, t(`severity-${f.severity}`), ": ", f.title.text), h("span", null, f.what.text, "; ", f.effect.text, "."), f.hint && h("span.soft", null, f.hint.text),
    f.evidence.length > 0 && h("code", null, `${f.evidence[0].file}:${f.evidence[0].line}`));
  const notes = list.findings.filter((/** @type {any} */ f) => f.severity === "note");
  return h("div.findings", null, grave.length > 0 && h("ul", null, grave.map(one)), notes.length > 0 && h("details", null, h("summary", null, t("notes-of", { n: notes.length })), h("ul", null, notes.map(one))));
}

export function designsScreen() {
  const { plan } = state;
  if (!plan) return waiting();
  if (!plan.plan) return noPlan();
  const current = row();
  const is = (/** @type {any} */ p) => p === current;
  const same = (/** @type {any} */ p) => alike(p, current);
  return h("div", null,
    h("div.cards", null, plan.designs.map((/** @type {any} */ d) => card(d, same(d.plan)))),
    h("p.answer", null, plan.answer.text, ". ", plan.verdict ? h("strong", null, plan.verdict.answer.text, ".") : null, plan.simulated ? ` ${plan.simulated.answer.text}` : ""),
    h("div.two", null,
      plan.curve?.by_disks.length > 1 && curve({ title: t("curve-disks", { currency: plan.currency }), xs: t("data-disks"), show: (y) => short(y), points: plan.curve.by_disks.map((/** @type {any} */ p) => ({ x: p.disks, y: p.monthly, name: `${p.plan}: ${money(p.monthly, plan.currency)}`, marked: Math.abs(p.monthly - current.monthly) < 0.005 })) }),
      plan.curve?.by_headroom.length > 1 && curve({ title: t("curve-headroom", { currency: plan.currency }), xs: t("headroom-percent"), show: (y) => short(y), points: plan.curve.by_headroom.map((/** @type {any} */ p) => ({ x: p.headroom_percent, y: p.monthly, name: `${p.plan}: ${money(p.monthly, plan.currency)}`, marked: false })) })),
    h("h2", null, t("alternatives")), sizes(is),
    h("h2", null, t("why-not")),
    h("form.bar", { onsubmit: (/** @type {any} */ e) => { e.preventDefault(); const size = e.target.elements.size.value.trim(); if (size) whyNot(size); } },
      h("input", { name: "size", id: "why", type: "text", placeholder: "E8ds_v5", spellcheck: "false", autocomplete: "off", "aria-label": t("vm-size") }), h("button", { type: "submit", disabled: !!state.busy.why }, t("ask"))),
    state.refused.why && refusal(state.refused.why),
    h("ul.why", null, [state.why, ...plan.why_not].filter(Boolean).map((/** @type {any} */ w) => h("li", null, h("strong", null, w.vm.replace("Standard_", "")), " ", w.why.text))),
    plan.savings.length > 0 && [h("h2", null, t("savings")), h("ul.why", null, plan.savings.map((/** @type {any} */ s) => h("li", null, s.requirement.text, ": ", h("strong", null, `−${money(s.monthly, plan.currency)}`), h("span.soft", null, ` ${s.plan}`))))],
    h("details", null, h("summary", null, t("assumptions")), h("ul.why", null, plan.assumptions.map((/** @type {any} */ a) => h("li", null, a.text)))));
}

/** Whether two plans buy the same. @param {any} a @param {any} b */
const alike = (a, b) => a.monthly_micros === b.monthly_micros && a.vm === b.vm && JSON.stringify(a.volumes.map((/** @type {any} */ v) => [v.disk, v.disks])) === JSON.stringify(b.volumes.map((/** @type {any} */ v) => [v.disk, v.disks]));

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

/** Designs and alternatives as one table. @param {(plan: any) => boolean} is */
function sizes(is) {
  const { plan, hello } = state;
  const limits = new Map(hello.sizes.map((/** @type {any} */ s) => [s.name, s]));
  const rows = [
    ...plan.designs.map((/** @type {any} */ d) => ({ plan: d.plan, headroom: d.headroom_percent, take: d.design[0], differs: d.design.map((/** @type {string} */ name) => t(`design-${name}`)).join(", ") })),
    ...plan.alternatives.map((/** @type {any} */ a, /** @type {number} */ k) => ({ plan: a, headroom: null, take: String(k), differs: a.differs?.text ?? "" })).filter((/** @type {any} */ row) => !plan.designs.some((/** @type {any} */ d) => alike(row.plan, d.plan))),
  ].map((row) => ({ ...row, iops: limits.get(row.plan.vm)?.iops, mb: limits.get(row.plan.vm)?.mb_per_s }));
  const text = filters.vm.trim().toLowerCase();
  const shown = rows.filter((r) => `${r.plan.vm} ${disks(r.plan)}`.toLowerCase().includes(text) && passes(filters.iops, r.iops) && passes(filters.mb, r.mb) && passes(filters.headroom, r.headroom) && passes(filters.cost, r.plan.monthly));
  const filter = (/** @type {string} */ key, /** @type {string} */ label, /** @type {string} */ placeholder) =>
    h("input", { id: `filter-${key}`, type: "text", value: filters[key], placeholder, "aria-label": t("filter-of", { what: label }), spellcheck: "false", autocomplete: "off", oninput: (/** @type {any} */ e) => { filters[key] = e.target.value; redraw(); } });
  const columns = [["vm", t("vm-size"), "E8"], ["", t("disks"), ""], ["iops", t("vm-iops"), ">=5000"], ["mb", t("vm-mb"), ">=200"], ["headroom", t("headroom-percent"), ">=10"], ["cost", t("cost"), "<700"], ["", t("differs"), ""]];
  return h("div.scroll", { tabindex: 0, role: "region", "aria-label": t("alternatives") }, h("table.sizes", null,
    h("thead", null,
      h("tr", null, columns.map(([key, label]) => h("th", { scope: "col", class: key && key !== "vm" ? "n" : "" }, label)), h("td")),
      h("tr.filters", null, columns.map(([key, label, placeholder]) => h("td", null, key && filter(key, label, placeholder))), h("td", null, h("span.soft", { role: "status" }, t("rows-of", { n: shown.length, all: rows.length }))))),
    h("tbody", null, shown.map((r) => h("tr", { class: is(r.plan) ? "marked" : "" }, h("th", { scope: "row" }, r.plan.vm.replace("Standard_", "")), h("td", null, disks(r.plan)), h("td.n", null, iops(r.iops)), h("td.n", null, short(r.mb)), h("td.n", null, r.headroom === null ? "–" : short(r.headroom)), h("td.n", null, money(r.plan.monthly, plan.currency)), h("td", null, r.differs),
      h("td", null, h("button", { type: "button", onclick: () => choose(r.take) }, t("take"))))))));
}

/** @param {any} plan */
const disks = (plan) => plan.volumes.map((/** @type {any} */ v) => `${v.disk ? `${v.disks > 1 ? `${v.disks} × ` : ""}${v.disk}` : t("local-disk")} ${v.name}`).join(" + ");

/** @param {any} d @param {boolean} taken */
function card(d, taken) {
  const { plan } = d;
  const worst = (/** @type {string} */ key, /** @type {string} */ rate) => Math.max(0, ...plan.volumes.filter((/** @type {any} */ v) => v.demand[rate] > 0).map((/** @type {any} */ v) => v[key]));
  return h("article.card", { class: taken ? "taken" : "" },
    h("h3", null, d.design.map((/** @type {string} */ name) => t(`design-${name}`)).join(", "), taken && h("span.badge.measured", null, t("taken"))),
    h("p.price", null, money(plan.monthly, ""), h("span.soft", null, ` ${state.plan.currency} ${t("a-month")}`)),
    h("p.name", null, plan.vm.replace("Standard_", "")),
    h("ul", null, plan.volumes.map((/** @type {any} */ v) => h("li", null, h("strong", null, v.name), ` ${v.disk ? `${v.disks} × ${v.disk}` : t("local-disk")}`, h("span.soft", null, v.host_cache === "None" ? "" : ` ${v.host_cache}`)))),
    h("dl.pairs", null, pair(t("headroom"), percent(d.headroom_percent)), pair(t("data-disks"), number(d.disks)), pair(t("read-latency-short"), ms(worst("read_latency_us", "read_iops"))), pair(t("write-latency-short"), ms(worst("write_latency_us", "write_iops"))),
      pair(t("holds-for"), plan.breaks_in_year ? t("years-of", { years: plan.breaks_in_year - 1 }) : t("ten-years"))),
    d.verdict && d.met !== undefined && h("p.verdict", { class: look(d.verdict), title: d.verdict.answer.text }, judgedAs(d.verdict)),
    d.met === undefined && state.busy.plan && h("p.verdict.soft", null, t("proving")),
    h("button", { type: "button", class: taken ? "" : "primary", "aria-pressed": String(taken), onclick: () => { choose(d.design[0]); state.design.screen = "simulate"; } }, taken ? t("look") : t("take")));
}

/** @param {string} name @param {string} value */
const pair = (name, value) => h("div", null, h("dt", null, name), h("dd", null, value));
