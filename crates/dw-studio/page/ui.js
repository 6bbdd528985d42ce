// Parts that several screens are made of: a choice of one, a crosshair over all pictures of one time, names of disks.
// @ts-check
import { h } from "./dom.js";
import { bought, number } from "./format.js";
import { t } from "./messages.js";
import { state } from "./state.js";

let redraw = () => {};
/** @param {() => void} drawn */
export const redrawsWith = (drawn) => { redraw = drawn; };

/** Arrows, Home and End move between the buttons of a group, of which Tab reaches one. @param {any} e @param {boolean} takes pressed as well */
export function roving(e, takes = true) {
  const by = /** @type {Record<string, number>} */ ({ ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -Infinity, End: Infinity })[e.key];
  if (!by) return;
  const all = [...e.currentTarget.querySelectorAll("button:not(:disabled)")];
  const at = all.indexOf(document.activeElement);
  if (at < 0) return;
  e.preventDefault();
  e.stopPropagation();
  const next = all[Number.isFinite(by) ? (at + by + all.length) % all.length : by < 0 ? 0 : all.length - 1];
  next.focus();
  if (takes) next.click();
}

/**
 * One of several.
 * @param {string} label @param {{ name: any, is: boolean, take: () => void, id?: string, off?: boolean, class?: string }[]} items @param {string} [style]
 */
export const choice = (label, items, style = "choice") =>
  h(`div.${style}`, { role: "radiogroup", "aria-label": label, onkeydown: roving }, items.map((item, k) =>
    h("button", { type: "button", role: "radio", id: item.id, class: item.class, disabled: item.off, "aria-checked": String(item.is), tabindex: item.is || (k === 0 && !items.some((one) => one.is)) ? 0 : -1, onclick: item.take }, item.name)));

/** What is sold under that name, whoever sells it. @param {string | null} name */
export const kindOf = (name) => soldBeside(name).find((d) => d.name === name);

/** All disks of the vendor that has one. @param {string | null} name @returns {any[]} */
const soldBeside = (name) => state.hello.vendors.find((one) => one.disks.some((d) => d.name === name))?.disks ?? [];

/** Disks that may take the place of one: those of its kind, or all of a vendor whose disks are all sized freely. @param {string | null} name */
export function insteadOf(name) {
  const [own, all] = [kindOf(name), soldBeside(name)];
  return all.filter((d) => d.family === own?.family || all.every((one) => one.freely));
}

/** Regions to choose from, under those who have them. @param {string} is */
export const regions = (is) => state.hello.vendors.map((one) => h("optgroup", { label: one.name }, one.regions.map((/** @type {string} */ name) => h("option", { value: name, selected: name === is }, name))));

/** A disk that is sized freely is called by its family, where that has a name of its own. @param {string} name */
function named(name) {
  const kind = kindOf(name);
  return kind?.freely && kind.family !== name ? kind.family.charAt(0).toUpperCase() + kind.family.slice(1) : name;
}

/** The disks of a volume as people call them: `5 × P15`, `Premium SSD v2`. @param {any} v as the estimate has it */
export function disksOf(v) {
  if (!v.disk) return v.said.replace(" x ", " × ");
  return `${v.count > 1 ? `${v.count} × ` : ""}${named(v.disk)}`;
}

/** Disks in a text of the library as people call them. @param {string} text */
export const called = (text) => text.replace(/([A-Za-z]\w+) of ([\d.,]+ [KMGT]iB), [\d.,]+ IOPS, [\d.,]+ Mi?B\/s/g, (_, name, size) => `${named(name)} (${size})`)
  .replace(/\b(\d+) x /g, "$1 × ").replace(/ \(None\)/g, "").replace(/Standard_/g, "");

/** The same of a row of a plan, with what was chosen of disks that are called by their kind alone. @param {any} v */
export function disksOfPlan(v) {
  if (!v.disk) return t("local-disk");
  const [said, kind] = [disksOf({ disk: v.disk, count: v.disks }), kindOf(v.disk)];
  if (!kind?.freely || kind.family !== v.disk) return said;
  return `${said} (${[`${number(v.disk_gib)} GiB`, v.disk_iops && `${number(v.disk_iops)} IOPS`, v.disk_mib_per_s && bought(v.disk_mib_per_s, kind.freely.unit)].filter(Boolean).join(", ")})`;
}

/** What the names of all volumes begin with, where there are many: it tells none from another. */
function prefix() {
  const names = (state.recording?.form.volume ?? []).map((/** @type {any} */ v) => v.name);
  if (names.length < 4) return "";
  let all = names[0];
  for (const name of names) while (!name.startsWith(all)) all = all.slice(0, -1);
  all = all.slice(0, /[^-_./:]*$/.exec(all)?.index);
  return all.length >= 6 ? all : "";
}
/** A text with names of volumes as short as they can be told apart. @param {string} text @returns {string} */
export const brief = (text) => { const all = prefix(); return all ? text.replaceAll(all, "…") : text; };

/** Volumes of a plan with the same disks together: what they are called, what each of them has. @param {any[]} volumes */
export function alike(volumes) {
  /** @type {Map<string, { names: string[], disks: string, cache: string }>} */
  const groups = new Map();
  for (const v of volumes) {
    const [disks, cache] = [disksOfPlan(v), v.host_cache === "None" ? "" : v.host_cache];
    const key = volumes.length > 4 ? disks + cache : v.name;
    groups.set(key, { disks, cache, names: [...(groups.get(key)?.names ?? []), v.name] });
  }
  return [...groups.values()].map(({ names, ...rest }) => ({ ...rest, names: brief(names.length > 4 ? `${names.slice(0, 3).join(", ")} … (${names.length})` : names.join(", ")) }));
}

/** Keys of requirements.toml that are fields of the form, by their labels. @type {Record<string, string>} */
const FIELDS = { memory_min: "memory", vcpu_min: "processors-min", capacity: "capacity", working_set: "working-set", read_latency_max: "read-latency", write_latency_max: "write-latency", headroom_percent: "headroom-wish", percentile: "percentile", years: "lasts", growth_percent_per_year: "growth", region: "region", role: "role", hours_per_month: "hours", os: "os", licence: "licence", reservation: "commitment", savings_plan: "commitment" };

/** A sentence for whoever has a form and no command line: keys are fields. @param {string} text */
export const plainly = (text) => text.replace(/`([a-z_]+)(?: = ([^`]*))?`/g, (all, key, value) => (FIELDS[key] ? `“${t(FIELDS[key])}”${value ? `: ${termOf(key, value.replaceAll('"', ""))}` : ""}` : all));

/** A term as its control has it. @param {string} key @param {string} value */
const termOf = (key, value) => (FIELDS[key] === "commitment" ? t(`commit-${key.replaceAll("_", "-")}-${value}`) : value);

/** @param {string | null | undefined} vm */
export const sizeOf = (vm) => (vm ?? "").replace("Standard_", "");

/** Opens the controls on a phone. */
export const handle = () => h("button.sheet-handle", { type: "button", id: "sheet", "aria-expanded": String(!!state.sheet), onclick: () => { state.sheet = !state.sheet; redraw(); } }, state.sheet ? t("fewer-controls") : t("more-controls"), h("span", { "aria-hidden": "true" }, state.sheet ? " ▾" : " ▴"));

// ---- one time for all pictures --------------------------------------------------------------------------------------------------------

/** Seconds that pictures show: all, or what was zoomed into. */
export function shown() {
  const end = state.estimate?.span_s ?? 1;
  const [from, to] = state.view ?? [0, end];
  return { from: Math.max(0, from), to: Math.min(end, to), end };
}

/** Zooms; nothing = back to all. @param {[number, number] | null} to */
export function zoom(to) {
  const end = state.estimate?.span_s ?? 1;
  const least = Math.min(end, Math.max(2, end / 200));
  state.view = to && to[1] - to[0] >= least && to[1] - to[0] < end * 0.995 ? to : null;
  redraw();
}

/** What the wall clock showed, where the recording knows: else how far it is. @param {number} seconds @param {number} [span] of what is shown */
export function clockAt(seconds, span = shown().to - shown().from) {
  const recorded = state.recording?.recorded;
  const begins = state.estimate?.begins_s ?? 0;
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  const known = recorded && recorded.second_of_day !== null;
  const all = Math.round(begins + seconds + (known ? recorded.second_of_day : 0));
  const s = known ? all % 86400 : all;
  const day = known && recorded.date && state.recording.length_s > 86400
    ? `${new Date(Date.parse(`${recorded.date}T00:00:00Z`) + Math.floor(all / 86400) * 864e5).toISOString().slice(5, 10)} ` : "";
  return `${day}${two(Math.floor(s / 3600))}:${two(Math.floor(s / 60) % 60)}${span < 1200 || !known ? `:${two(s % 60)}` : ""}`;
}

/** Round moments between the ends of what is shown. @param {number} count */
export function moments(count = 5) {
  const { from, to } = shown();
  const recorded = state.recording?.recorded;
  const begins = (state.estimate?.begins_s ?? 0) + (recorded?.second_of_day ?? 0);
  const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800];
  const step = steps.find((s) => (to - from) / s <= count) ?? (to - from) / count;
  const all = [];
  for (let x = Math.ceil((begins + from) / step) * step - begins; x <= to * 1.0001; x += step) all.push(x);
  return all;
}

/** Where the pointer pressed, in seconds. */
let pressed = /** @type {number | null} */ (null);

/** Handlers of an area over the time that is shown: a pointer over it moves the crosshair of all, a click the cursor, a drag zooms. */
export function overTime() {
  const at = (e) => {
    const box = e.currentTarget.getBoundingClientRect();
    const { from, to } = shown();
    return Math.min(to, Math.max(from, from + ((e.clientX - box.left) / box.width) * (to - from)));
  };
  return {
    onpointerdown: (e) => { if (e.button === 0) { pressed = at(e); e.currentTarget.setPointerCapture?.(e.pointerId); } },
    onpointermove: (e) => {
      state.hover = at(e);
      state.dragged = pressed !== null && Math.abs(state.hover - pressed) > (shown().to - shown().from) / 60 ? [Math.min(pressed, state.hover), Math.max(pressed, state.hover)] : null;
      redraw();
    },
    onpointerleave: () => { if (pressed === null && state.hover !== null) { state.hover = null; redraw(); } },
    onpointercancel: () => { pressed = state.dragged = null; redraw(); },
    onpointerup: (e) => {
      const to = at(e);
      const dragged = state.dragged;
      pressed = state.dragged = null;
      if (dragged) { state.hover = null; zoom(/** @type {[number, number]} */ (dragged)); }
      else { state.cursor = to; redraw(); }
    },
    ondblclick: () => zoom(null),
  };
}

/** Share of what is shown, from 0 to 1, at which a moment is. @param {number} x */
export const share = (x) => { const { from, to } = shown(); return (x - from) / (to - from || 1); };
