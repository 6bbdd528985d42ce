// The design: which plan, with which changes; the estimate for every move of a slider, the run after a pause.
// @ts-check
import { Failure, isShared, json, observe, opened, say as inLanguage, simulate, text, upload } from "./api.js";
import { fresh, keep, keepAnew, state } from "./state.js";
import { number } from "./format.js";
import { keepLanguage, load, locale, t } from "./messages.js";

/** After so many milliseconds without a move the busiest stretch of so many I/Os is run, and then the whole. */
const PAUSE = 80;
const STRETCH = 500_000;
/** So many milliseconds an estimate has to be drawn together with the move that asked for it. */
const LATE = 40;

let draw = () => {};
/** @param {() => void} drawn */
export const drawsWith = (drawn) => { draw = drawn; };

/** For whoever does not see the page change. @param {string} text */
export function say(text) {
  const node = document.getElementById("said");
  if (node && node.textContent !== text) node.textContent = text;
}

/** Whether the recording that is looked at now is looked at still. */
export const alone = () => task().is;

/** The recording that is looked at: calls, timers and busy controls are of one, and end with it. */
let looked = { calls: new AbortController() };

/** What belongs to the recording that is looked at when it begins. */
function task() {
  const mine = looked;
  const still = () => {
    if (mine !== looked) throw new DOMException("another recording is looked at", "AbortError");
  };
  /** An answer that comes when another recording is looked at is none. @template T @param {(signal: AbortSignal) => Promise<T>} call */
  const of = async (call) => {
    still();
    const found = await call(mine.calls.signal);
    still();
    return found;
  };
  return { is: () => mine === looked, still, of };
}
/** @typedef {ReturnType<typeof task>} Task */

/** Turns to another recording: whatever was asked of the one before ends. */
function turn() {
  looked.calls.abort();
  looked = { calls: new AbortController() };
  cancel();
  clearTimeout(late);
  late = undefined;
  asking = false;
  pending = null;
  state.busy = {};
}

/** Does what may be refused; the reason goes to the control that asked. @param {string} control @param {(mine: Task) => Promise<void>} work */
async function trying(control, work) {
  const mine = task();
  state.busy[control] = true;
  draw();
  try {
    await work(mine);
    if (mine.is()) delete state.refused[control];
    state.gone = false;
  } catch (e) {
    if (e instanceof Failure) {
      if (e.gone) state.gone = true;
      else if (mine.is()) { state.refused[control] = e.said; say(e.said.what); }
    } else if (!(e instanceof DOMException && e.name === "AbortError")) throw e;
  } finally {
    if (mine.is()) delete state.busy[control];
    draw();
  }
}

/** Opens a recording in place of the one that is looked at; where that fails, what was under way goes on. @param {string} control @param {(mine: Task) => Promise<void>} work */
async function turning(control, work) {
  const [unread, unplanned] = [!state.recording, !!state.busy.plan];
  turn();
  await trying(control, work);
  if (!state.refused[control]) return;
  if (!state.recording && unread && control !== "source" && state.design.source >= 0) {
    const refused = state.refused[control];
    await open(state.design.source);
    state.refused[control] = refused;
  } else if (state.recording && planned() && unplanned) await plan();
  else if (state.plan?.plan && !state.run?.document) runSoon();
}

/** Speaks another language: labels, and what documents say. @param {string} lang */
export const speak = (lang) =>
  trying("language", async (mine) => {
    await load(lang);
    keepLanguage(lang);
    state.menu = "";
    await said(mine);
    if (state.estimate) await estimated("load");
  });

/** Says again what documents say, in the language of now. @param {Task} mine */
async function said(mine) {
  const { recording, plan, run, why } = state;
  const [found, planned, ran, asked] = await mine.of(() => inLanguage([recording, plan, run?.document ?? null, why]));
  // What came meanwhile is newer than what was asked about.
  if (state.recording === recording) state.recording = found;
  if (state.plan === plan) state.plan = planned;
  if (state.why === why) state.why = asked;
  if (run?.document && state.run === run) run.document = ran;
}

/** An answer in the language of the moment when it comes, whatever was spoken when it was asked for. @template T @param {Task} mine @param {(signal: AbortSignal) => Promise<T>} call @returns {Promise<T>} */
async function spoken(mine, call) {
  const asked = locale();
  const found = await mine.of(call);
  return locale() === asked ? found : mine.of(() => inLanguage(found));
}

/** The recording and its wishes, as every call names them. */
const demand = () => ({ recording: state.recording.recording, wishes: state.design.wishes });

/** Years ahead: as the plan must last, unless somebody moved the slider. */
export const years = () => (state.design.years >= 0 ? state.design.years : Math.round(Number(wished("", "years") ?? 0)));
/** Growth of the load, in percent a year, likewise. */
export const growth = () => (state.design.growth >= 0 ? state.design.growth : Number(wished("", "growth_percent_per_year") ?? 0));
/** By how much the load has grown in the year that is looked at. */
export const grown = () => (1 + growth() / 100) ** years();
/** How often the recorded load is asked. */
export const factor = () => state.design.load * grown();

/** What estimates and runs are of. */
export const question = () => ({ ...demand(), rig: state.rig, changes: state.design.changes, load: state.design.load, years: years(), growth: growth(), region: state.plan?.region ?? region() });

/** Gives a studio that began anew the recording that is looked at; the design stays as it is. */
export async function reopened() {
  if (!state.recording) return;
  const { source } = state.design;
  if (!state.files && !(source >= 0 && source < state.hello.sources.length)) return;
  const volumes = state.design.groups;
  const found = await task().of((signal) => read(state.files ?? source, volumes, signal));
  state.recording.recording = found.recording;
}

/** A recording: one that is there, or files, which are joined; or a design with its recording, which another studio shared. @param {number | File[]} from @param {[string, string[]][]} volumes @param {AbortSignal} signal */
async function read(from, volumes, signal) {
  state.read = 0;
  if (typeof from === "number") return observe({ source: from, volumes }, signal);
  const shared = (await Promise.all(from.map(isShared))).some((is) => is);
  if (shared && from.length > 1) throw new Failure({ what: t("shared-alone") });
  if (shared) return opened(from[0], signal);
  /** @type {Set<string>} */
  const names = new Set();
  const files = from.map((file) => {
    let name = file.name;
    for (let k = 2; names.has(name); k++) name = `${k}-${file.name}`;
    names.add(name);
    return [name, file.size];
  });
  return upload({ files, volumes }, new Blob(from), signal, (share) => { state.read = share; draw(); });
}

/** Opens a recording that is there. @param {number} source @param {boolean} [anew] what was designed before is of another one */
export const open = (source, anew = false) =>
  turning("source", async (mine) => {
    const found = await spoken(mine, (signal) => read(source, anew ? [] : state.design.groups, signal));
    const whole = anew || (!!found.shared && !state.shared);
    took(found, state.hello.sources[source].title, null, whole);
    state.design.source = source;
    if (whole) keepAnew();
    if (planned()) await plan();
    else asks();
  });

/** Opens files: what continues each other is joined, as the command line does. @param {File[]} files */
export const drop = (files) =>
  turning("drop", async (mine) => {
    const shared = state.design.source === -1 && !state.recording && state.shared;
    const volumes = shared ? state.design.groups : [];
    const bytes = files.reduce((sum, file) => sum + file.size, 0);
    if (bytes > state.hello.upload_bytes) throw new Failure({ what: t("too-long", { size: Math.round(state.hello.upload_bytes / 2 ** 20) }), hint: "" });
    const found = await spoken(mine, (signal) => read(files, volumes, signal));
    took(found, files.map((file) => file.name).join(", "), files, !shared || !!found.shared);
    state.design.source = -1;
    keepAnew();
    if (planned()) await plan();
    else asks();
  });

/** Ends the reading of a recording that is under way; what was there before goes on. */
export function stopReading() {
  turn();
  draw();
  if (state.recording && planned() && !state.plan?.plan) plan();
}

/** Shows what was recorded, and asks for what no recording knows. */
function asks() {
  state.design.screen = "recording";
  draw();
  requestAnimationFrame(() => requestAnimationFrame(() => {
    const field = missing()[0];
    document.getElementById(field ? `wish-${field}-capacity` : "plan")?.focus();
  }));
}

/** Reads the same recording with other volumes; what was said of those that are no more goes. @param {[string, string[]][]} groups */
export const regroup = (groups) =>
  turning("groups", async (mine) => {
    if (!(await reread(mine, groups))) return;
    const names = state.recording.form.volume.map((v) => v.name);
    const wishes = structuredClone(state.design.wishes);
    for (const name of Object.keys(wishes.volumes ?? {})) if (!names.includes(name)) delete wishes.volumes[name];
    Object.assign(state.design, { groups, wishes, changes: {}, volume: "" });
    keep();
  });

/** Reads it with the volumes of the design that an undo brought back. */
export const regrouped = () =>
  turning("groups", async (mine) => {
    if ((await reread(mine, state.design.groups)) && planned()) await plan();
  });

/** @param {Task} mine @param {[string, string[]][]} groups */
async function reread(mine, groups) {
  const { source } = state.design;
  const { files } = state;
  if (source < 0 && !files) return false;
  const found = await spoken(mine, (signal) => read(source >= 0 ? source : (files ?? []), groups, signal));
  if (found) took(found, state.title, files, false);
  return !!found;
}

/** A volume with so few requests at most is idle: half a percent of the busiest, and never more than ten a second. */
const IDLE = { share: 0.005, iops: 10 };

/** Volumes that do next to nothing, by name, with the most requests a second that each was seen to do. @param {any} checklist */
export function idle(checklist) {
  const each = checklist.volumes.length > 1 ? checklist.volumes.slice(1) : [];
  const most = (v) => v.series.iops.reduce((/** @type {number} */ m, /** @type {number | null} */ x) => Math.max(m, x ?? 0), 0);
  const busiest = Math.max(0, ...each.map(most));
  return each.map((v) => ({ name: v.name, devices: v.devices, most: most(v) })).filter((one) => busiest > 0 && one.most <= IDLE.iops && one.most < IDLE.share * busiest);
}

/** @param {any} found @param {string} title @param {File[] | null} files @param {boolean} anew */
function took(found, title, files, anew) {
  if (anew) {
    state.design = { ...fresh(), ...found.shared?.design };
    const names = !found.shared && found.form.volume.every((v) => v.capacity === undefined) ? idle(found.checklist).map((one) => one.name) : [];
    if (names.length) state.design.wishes = { left_out: names };
  }
  Object.assign(state, { recording: found, title: found.shared?.title ?? title, files, plan: null, rig: "", estimate: null, run: null, stretch: null, pinned: null, cursor: -1, hover: null, dragged: null, view: null, check: -1, why: null, broken: null, refused: {} });
}

/** Volumes that a plan is made for. */
export const volumesOf = () => (state.recording?.form.volume ?? []).filter((v) => !(state.design.wishes.left_out ?? []).includes(v.name));

/** Those of them whose capacity nobody has said. @returns {string[]} */
export const missing = () => volumesOf().filter((v) => wished(v.name, "capacity") === undefined).map((v) => v.name);

/** Those of which a recording has no requests, as vmstat has none. @returns {string[]} */
export const unrated = () => volumesOf().filter((v) => !v.iops && !v.read_iops && !v.write_iops).map((v) => v.name);

/** Whether what a plan needs is known: room and requests of every volume. */
export const planned = () => volumesOf().length > 0 && missing().length === 0 && unrated().length === 0;

/** Leaves a volume out of the plan, or takes it in again. @param {string} name @param {boolean} out */
export function leave(name, out) {
  const wishes = structuredClone(state.design.wishes);
  wishes.left_out = (wishes.left_out ?? []).filter((/** @type {string} */ one) => one !== name).concat(out ? [name] : []);
  if (!wishes.left_out.length) delete wishes.left_out;
  Object.assign(state.design, { wishes, changes: {}, volume: "" });
  Object.assign(state, { plan: null, estimate: null });
  keep();
  draw();
}

/** What stands in the form: as it was changed, or as it was found. @param {string} volume "" = the plan's @param {string} key */
export function wished(volume, key) {
  const { form } = state.recording;
  const changed = volume ? state.design.wishes.volumes?.[volume] : state.design.wishes.plan;
  if (changed && key in changed) return changed[key] ?? undefined;
  const found = volume ? form.volume.find((v) => v.name === volume) : form.plan;
  return found?.[key];
}

/** The region whose prices are asked for. @returns {string} */
export const region = () => (state.recording && wished("", "region")) || state.hello.vendors[0].region;

/** Who sells in a region; where none is named, in that of the plan that is shown. @param {string} [of] */
export function vendor(of = state.plan?.region ?? region()) {
  const all = state.hello.vendors;
  return all.find((one) => one.regions.includes(of)) ?? all[0];
}

/** Goes to another region. What was chosen of one vendor's goods, and terms that another does not sell, are no wishes there. @param {string} name */
export function settle(name) {
  const [was, now] = [vendor(region()), vendor(name)];
  wish("", "region", name);
  if (was === now) return;
  state.design.changes = {};
  for (const key of ["reservation", "savings_plan"]) if (wished("", key) && !now.commitments.includes(`${key} ${wished("", key)}`)) wish("", key, null);
  if (wished("", "os") && !now.windows) wish("", "os", null);
}

/** @param {string} volume @param {string} key @param {any} value */
export function wish(volume, key, value) {
  const wishes = structuredClone(state.design.wishes);
  if (volume) ((wishes.volumes ??= {})[volume] ??= {})[key] = value;
  else (wishes.plan ??= {})[key] = value;
  state.design.wishes = wishes;
}

/** Plans: quickly for the picture, then with its simulation for the verdict. */
export const plan = () =>
  trying("plan", async (mine) => {
    await planning(mine).catch(async (e) => {
      const field = e instanceof Failure ? await fieldOf(e.said).catch(() => "") : "";
      if (field) {
        e.said.field = field;
        state.design.screen = "recording";
        requestAnimationFrame(() => requestAnimationFrame(() => document.getElementById(`wish-${field}`)?.focus()));
      }
      throw e;
    });
  });

/** Keys of a volume, and of the plan, that are fields of the form. */
const OF_VOLUME = ["capacity", "working_set", "read_latency_max", "write_latency_max"];
const OF_PLAN = ["headroom_percent", "percentile", "memory_min", "vcpu_min", "years", "growth_percent_per_year"];

/** The field of the form that a refusal is about: its key, and the volume of the line that it names. @param {any} said */
async function fieldOf(said) {
  const key = /`([a-z_]+)/.exec(said.what)?.[1] ?? "";
  if (OF_PLAN.includes(key)) return `plan-${key}`;
  if (!OF_VOLUME.includes(key) || said.place?.file !== "requirements.toml") return "";
  const lines = (await text("requirements", demand())).split("\n");
  const from = lines.slice(0, said.place.line).lastIndexOf("[[volume]]");
  const name = lines.slice(from).map((line) => /^name = "(.*)"/.exec(line)?.[1]).find(Boolean);
  return name ? `${name}-${key}` : "";
}

/** @param {Task} mine */
async function planning(mine) {
  const asked = demand();
  const changed = () => JSON.stringify(asked) !== JSON.stringify(demand());
  const quick = await spoken(mine, (signal) => json("plan", { ...asked, simulate: false }, signal));
  if (changed()) return;
  state.plan = quick;
  if (state.plan.plan) await choose(state.design.chosen, false);
  draw();
  const proven = await spoken(mine, (signal) => json("plan", { ...asked, simulate: true }, signal));
  if (changed()) return;
  const same = JSON.stringify(proven.plan?.volumes) === JSON.stringify(state.plan.plan?.volumes) && proven.plan?.vm === state.plan.plan?.vm;
  state.plan = proven;
  if (proven.plan && !same) await choose(state.design.chosen, false);
  else if (proven.plan) runSoon(0);
}

/** The row of the plan that was chosen. @param {string} [chosen] */
export function row(chosen = state.design.chosen) {
  const { plan } = state;
  if (!plan?.plan) return null;
  if (/^\d+$/.test(chosen)) return plan.alternatives[Number(chosen)] ?? plan.plan;
  return plan.designs.find((d) => d.design.includes(chosen))?.plan ?? plan.plan;
}

/** The plan with that row in place of its own. */
export const chosenPlan = () => {
  const design = state.plan.designs.find((d) => d.design.includes(state.design.chosen));
  // Nobody judged an alternative.
  return { ...state.plan, plan: row(), verdict: design?.verdict };
};

/** The verdict of the design that was chosen, where nothing of it or of what is asked was changed. */
export function proven() {
  const { design, plan } = state;
  if (Object.keys(design.changes).length || design.load !== 1 || design.years >= 0 || design.growth >= 0) return null;
  return plan.designs.find((d) => d.design.includes(design.chosen))?.verdict ?? null;
}

/** What the library decided of the plan, where nothing of it was changed by hand: the load may be another. */
export const decided = () => (Object.keys(state.design.changes).length || JSON.stringify(row()) !== JSON.stringify(state.plan.plan) ? null : state.plan.decision ?? null);

/** Where limits are reached, as multiples of the recorded load: those that credits carry, and those that nothing does. */
export const reached = () => {
  const { limits, judged, times } = state.estimate;
  return judged.reached.map((one) => ({ name: one.name, id: one.id, at: one.at * times, carried: carried(limits, one.id), by: "estimated" }));
};
/** Whether burst credits carry what is beyond a limit. @param {any[]} limits @param {any} id */
export const carried = (limits, id) => limits.some((l) => same(l.id, id) && !!l.burst && l.burst > l.sustained * 1.005);
/** @param {any} a @param {any} b */
export const same = (a, b) => a && b && ["gate", "quantity", "volume", "direction"].every((key) => (a[key] ?? "") === (b[key] ?? ""));

/** Where it breaks: as the plan's proof has it, and estimated until that is there, and for what was changed by hand. */
export function breaking() {
  const all = reached();
  const { first, factor } = decided()?.breaks ?? {};
  const own = factor && all.find((one) => same(one.id, first));
  return own ? { ...own, at: factor, by: "simulated" } : all.find((one) => !one.carried);
}
/** Where a limit is full, and how that is known. @param {any} one */
export const fullAt = (one) => t("broken", { limit: one.name, load: number(one.at, { minimumFractionDigits: 2, maximumFractionDigits: 2 }), by: t(one.by === "simulated" ? "simulated" : "by-estimated") });

/** What each alternative leaves of its narrowest limit, by the plan it is of. @type {WeakMap<any, (number | null)[]>} */
const left = new WeakMap();

/** The same, asked one after the other, once for each plan. @param {any} plan */
export function headrooms(plan) {
  const known = left.get(plan);
  if (known) return known;
  const found = /** @type {(number | null)[]} */ ([]);
  left.set(plan, found);
  const mine = task();
  const asked = { ...demand(), changes: {}, load: 1, years: Math.round(Number(wished("", "years") ?? 0)), growth: Number(wished("", "growth_percent_per_year") ?? 0), region: plan.region };
  (async () => {
    for (const other of plan.alternatives) {
      const rig = await mine.of((signal) => text("rig", { ...plan, plan: other, verdict: undefined }, signal));
      found.push((await mine.of((signal) => json("estimate", { ...asked, rig }, signal))).judged.headroom_percent);
      draw();
    }
  })().catch((e) => { if (!(e instanceof Failure || e instanceof DOMException)) throw e; });
  return found;
}

/** Takes a design. @param {string} chosen @param {boolean} [anew] without the changes of the one before */
export const choose = (chosen, anew = true) =>
  trying("choose", async (mine) => {
    state.design.chosen = chosen;
    if (anew) state.design.changes = {};
    state.rig = await mine.of((signal) => text("rig", chosenPlan(), signal));
    keep();
    await estimated("choose");
    mine.still();
    runSoon();
    if (state.design.pin.chosen && !state.pinned) await repin(mine);
  });

/** Works out again what is pinned in the design that an address holds. @param {Task} mine */
async function repin(mine) {
  const { pin } = state.design;
  const [ahead, growing] = [pin.years >= 0 ? pin.years : Math.round(Number(wished("", "years") ?? 0)), pin.growth >= 0 ? pin.growth : Number(wished("", "growth_percent_per_year") ?? 0)];
  try {
    const rig = await mine.of((signal) => text("rig", { ...state.plan, plan: row(pin.chosen), verdict: undefined }, signal));
    const estimate = await mine.of((signal) => json("estimate", { ...demand(), rig, changes: pin.changes, load: pin.load, years: ahead, growth: growing, region: state.plan?.region ?? region() }, signal));
    const factor = pin.load * (1 + growing / 100) ** ahead;
    const monthly = Object.keys(pin.changes).length ? estimate.monthly : row(pin.chosen)?.monthly;
    state.pinned ??= { estimate: { ...estimate, times: factor }, run: null, monthly, currency: state.plan.currency, factor, proven: null, design: { ...state.design, ...pin } };
  } catch (e) {
    if (!(e instanceof Failure)) throw e;
    // What cannot be any more is pinned no more.
    state.design.pin = {};
  }
}

/** @type {string | null} */
let pending = null;
let asking = false;

/** The estimate; while one is under way the next waits, and of several that wait the last counts. @param {string} control */
export async function estimated(control) {
  if (asking) { pending = control; return; }
  asking = true;
  const mine = task();
  let by = /** @type {string | null} */ (control);
  // What was undone while this waited may have left no plan.
  while (by !== null && state.plan?.plan) {
    const [asked, of, times] = [by, JSON.stringify(state.design), factor()];
    pending = null;
    try {
      const found = await spoken(mine, (signal) => json("estimate", question(), signal));
      // At how many times the recorded load it was asked: the slider may have gone on.
      state.estimate = { ...found, times };
      state.gone = false;
      delete state.refused[asked];
      // Not what was moved to meanwhile: nobody has judged that yet.
      valid = of;
    } catch (e) {
      // The next recording has an estimate of its own, which may be under way.
      if (!mine.is()) return;
      if (!(e instanceof Failure)) { asking = false; throw e; }
      if (e.gone) state.gone = true;
      else {
        state.refused[asked] = e.said;
        say(e.said.what);
        // What cannot be stays at the control that asked; the design is what it was.
        if (valid && pending === null) {
          const was = JSON.parse(valid);
          Object.assign(state.design, { changes: was.changes, load: was.load, years: was.years, growth: was.growth });
          // A run of what was refused may have been asked for meanwhile.
          runSoon();
        }
      }
    }
    clearTimeout(late);
    late = undefined;
    draw();
    by = pending;
  }
  asking = false;
}
/** The last design that could be estimated. */
let valid = "";

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
/** @type {AbortController | null} */
let running = null;

/** Ends the run under way. */
export function cancel() {
  clearTimeout(timer);
  const was = running !== null;
  running?.abort();
  running = null;
  if (state.run && !state.run.document) state.run = null;
  if (state.stretch && !state.stretch.document) state.stretch = null;
  delete state.busy.run;
  return was;
}

/** What was run is of another design now. */
function stale() {
  if (state.run) state.run.stale = true;
  if (state.stretch) state.stretch.stale = true;
}

/** The run, after a pause. @param {number} [pause] */
export function runSoon(pause = PAUSE) {
  cancel();
  stale();
  delete state.refused.run;
  if (!state.recording?.over_time) return;
  timer = setTimeout(run, pause);
}

/** The busiest stretch, so that there is something exact at once, and then the whole, each drawn as it comes. */
async function run() {
  const mine = new AbortController();
  running = mine;
  await trying("run", async () => {
    const first = await streamed(mine, "stretch", { ...question(), ios: STRETCH });
    if (running !== mine) return;
    // Of a short recording the stretch is the whole.
    if (first.document && first.head.is_whole) [state.run, state.stretch] = [first, null];
    else await streamed(mine, "run", question());
    if (running === mine && state.run?.document && state.run.said !== locale()) await said(task());
    if (running === mine && state.run?.document) {
      known = { of: designed(), times: factor(), us: mean() };
      // What was pinned before its run ended has it from now on.
      const is = (of) => JSON.stringify({ ...of, screen: "", volume: "" });
      if (state.pinned && !state.pinned.run && is(state.pinned.design) === is(state.design)) state.pinned.run = { ...state.run };
      say(t("run-done"));
    }
  });
  if (running === mine) running = null;
}

/** @param {AbortController} mine @param {"run" | "stretch"} place @param {any} asked */
async function streamed(mine, place, asked) {
  const next = { head: /** @type {any} */ (null), tracks: /** @type {any[]} */ ([]), share: 0, document: /** @type {any} */ (null), stale: false, said: locale() };
  await simulate(asked, mine.signal, (kind, part) => {
    if (running !== mine) return;
    state.waits = kind === 0;
    if (kind === 0) { /* Others run. */ }
    else if (kind === 1) {
      next.head = part;
      next.tracks = part.tracks.map((track) => ({ ...track, columns: part.columns.map(() => /** @type {number[]} */ ([])) }));
      state[place] = next;
    } else if (kind === 2) part.columns.forEach((/** @type {Float32Array} */ column, /** @type {number} */ k) => next.tracks[part.track].columns[k].push(...column));
    else if (kind === 3) next.share = part.share;
    else if (kind === 4) {
      next.document = part;
      next.share = 1;
      whole(next, part);
    } else throw new Failure(part);
    draw();
  });
  return next;
}

/** The series as the document has it stands for what was drawn on the way. @param {any} run @param {any} document */
function whole(run, document) {
  for (const track of run.tracks) {
    const of = document.diskwright.series.find((s) => s.volume === track.volume && s.direction === track.direction);
    track.columns = of
      ? [of.end_s, of.iops, of.bytes_per_s, of.latency_mean_ns.map((/** @type {number} */ n) => n / 1e3), of.latency_p99_ns.map((/** @type {number | null} */ n) => (n === null ? NaN : n / 1e3)), of.hit_percent ?? of.end_s.map(() => 0), of.waited_percent]
      : track.columns.map(() => []);
    track.waits_at = of?.waits_at ?? [];
  }
}

/** A control was moved: an estimate for this frame, and once it rests the run. @param {string} control @param {() => void} change @param {boolean} rests */
export function moved(control, change, rests) {
  delete state.refused[control];
  state.broken = null;
  change();
  stale();
  estimated(control);
  runSoon();
  if (rests) {
    // Steps follow each other from what is shown.
    keep();
    draw();
    return;
  }
  // A drag is drawn with its estimate, if that comes at once: a picture without it would be in its way.
  late ??= setTimeout(() => { late = undefined; draw(); }, LATE);
}
/** @type {ReturnType<typeof setTimeout> | undefined} */
let late;

/** How long a request takes on average, in microseconds, in the run of what is shown; nothing as long as that has not come. */
export const mean = () => (state.run?.document && !state.run.stale ? state.run.document.diskwright.total.all.latency_ns.mean / 1e3 : null);

/** What the last run that ended was of, at how many times the recorded load, and its mean latency. */
let known = { of: "", times: 1, us: /** @type {number | null} */ (null) };
const designed = () => JSON.stringify([state.design.chosen, state.design.changes]);

/** Raises the load to the next limit. */
export const breakIt = () =>
  trying("break", async (mine) => {
    // What was moved just before is judged first.
    while (asking) await new Promise((done) => setTimeout(done, 10));
    if (Math.abs(state.estimate.times - factor()) > 1e-9) await estimated("break");
    // Those that are reached already were broken before.
    const found = reached().find((one) => one.at > state.estimate.times * 1.0001);
    const proof = breaking();
    const next = found && same(proof?.id, found.id) ? proof : found;
    const before = state.design.load;
    const was = known.of === designed() && known.us !== null ? { times: known.times, us: known.us } : null;
    const load = next ? Math.ceil(Math.max(next.at, found.at) * 100 + 1e-6) / 100 : Infinity;
    if (load > LOAD_MOST) throw new Failure({ what: t("unbreakable"), hint: "" });
    state.design.load = load / grown();
    await estimated("break");
    mine.still();
    keep();
    runSoon();
    state.broken = { ...next, before, was };
    say(fullAt(next));
  });
/** So many times the load are tried. */
const LOAD_MOST = 50;

/** What stands against a VM size. @param {string} size */
export const whyNot = (size) =>
  trying("why", async (mine) => {
    const plan = await spoken(mine, (signal) => json("plan", { ...demand(), why_not: [size], simulate: false }, signal));
    state.why = plan.why_not.find((w) => w.vm.toLowerCase().replace("standard_", "") === size.toLowerCase().replace("standard_", "")) ?? null;
    if (!state.why) state.why = { vm: size, why: { text: t("chosen-already") }, limits: [] };
  });

/** @param {string} name @param {string} content @param {string} kind */
function download(name, content, kind) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type: kind }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** The documents as `report` takes them. @param {{ name: string, text: string }[]} scripts */
async function documents(scripts) {
  const asText = (/** @type {string} */ name, /** @type {string} */ role, /** @type {string} */ text) => ({ name, kind: "text", document: { role, text } });
  const all = [
    { name: "checklist", kind: "checklist", document: state.recording.checklist },
    asText("requirements.toml", "requirements", await text("requirements", demand())),
    { name: "plan", kind: "plan", document: chosenPlan() },
    asText("rig.toml", "scenario", state.estimate?.rig ?? state.rig),
  ];
  if (state.run?.document && !state.run.stale) all.push({ name: "simulation", kind: "run", document: state.run.document });
  return all.concat(scripts.map((script) => asText(script.name, "script", script.text)));
}

/** What another studio needs to show this design, and what it costs here. */
async function shared() {
  const { design, recording, title } = state;
  const { wishes, chosen, changes, load, growth, years, volume } = design;
  const then = { monthly: costs(), currency: state.plan.currency };
  return { recording: recording.recording, page: { title, design: { wishes, chosen, changes, load, growth, years, volume }, then, checklist: recording.checklist, recorded: recording.recorded } };
}

/** A month of what is shown. */
export const costs = () => (Object.keys(state.design.changes).length ? state.estimate?.monthly : row()?.monthly) ?? null;

/** @param {string} what */
export const exported = (what) =>
  trying("export", async (mine) => {
    // Files are for programs too: they are in English, whatever the page is in.
    if (what === "plan.json") download(what, JSON.stringify(await mine.of(() => inLanguage(chosenPlan(), "en")), null, 2), "application/json");
    else if (what === "rig.toml") download(what, state.estimate?.rig ?? state.rig, "text/plain");
    else if (what === "studio.json") download(what, await text("share", await mine.of(shared)), "application/json");
    else if (what === "requirements.toml") download(what, await mine.of((signal) => text("requirements", demand(), signal)), "text/plain");
    else {
      const scripts = await mine.of((signal) => json("scripts", chosenPlan(), signal));
      if (what === "report.html") {
        const documented = await mine.of(() => documents(scripts.filter((s) => !s.refused)));
        const report = { schema_version: 1, title: Object.keys(state.design.changes).length ? t("title-changed", { title: state.title }) : state.title, documents: documented };
        download(what, await text("report", report), "text/html");
      } else {
        const { text: content, refused } = scripts.find((s) => s.name === what);
        // More volumes than Windows has letters.
        if (refused) throw new Failure(refused);
        download(what, content, "text/plain");
      }
    }
    state.menu = "";
    say(t("downloaded", { name: what }));
  });
