// What the page knows, what of it is the design, and the way back.
// @ts-check

/** What a person chose: it stands in the address, and can be undone. */
export const fresh = () => ({
  screen: "answer",
  /** A recording that is there, by its place; -1 = one that was dropped, or none yet. */
  source: -1,
  /** Keys of requirements.toml, as the form changed them. */
  wishes: /** @type {any} */ ({}),
  /** Which devices are which volume, where that was changed. */
  groups: /** @type {[string, string[]][]} */ ([]),
  /** Which plan: the name of a design, or the place of an alternative. */
  chosen: "balanced",
  /** What was changed of its rig. */
  changes: /** @type {any} */ ({}),
  load: 1,
  /** Percent a year, and years ahead; -1 = as the plan must last. */
  growth: -1,
  years: -1,
  /** The volume that charts show; "" = all. */
  volume: "",
  /** What is pinned as A: its `chosen`, `changes`, `load`, `growth` and `years`; empty = nothing. */
  pin: /** @type {any} */ ({}),
});

export const state = {
  design: fresh(),
  hello: /** @type {any} */ (null),
  title: "",
  files: /** @type {File[] | null} */ (null),
  recording: /** @type {any} */ (null),
  plan: /** @type {any} */ (null),
  rig: "",
  estimate: /** @type {any} */ (null),
  run: /** @type {any} */ (null),
  /** The busiest stretch of the run, which comes first. */
  stretch: /** @type {any} */ (null),
  pinned: /** @type {any} */ (null),
  /** Seconds; -1 = where it is busiest. */
  cursor: -1,
  /** Where the pointer is over a picture, in seconds; what is being dragged over; what was zoomed into. */
  hover: /** @type {number | null} */ (null),
  dragged: /** @type {[number, number] | null} */ (null),
  view: /** @type {[number, number] | null} */ (null),
  /** All limits are shown, not the fullest alone. */
  allLimits: false,
  /** The check that is open. */
  check: -1,
  /** The controls are open, on a phone. */
  sheet: false,
  /** A link was opened. */
  shared: false,
  /** What the charts of "What if" show. */
  quantity: "iops",
  /** The run waits for others to end. */
  waits: false,
  /** The share of a file that was read. */
  read: 0,
  /** What is under way, by name. */
  busy: /** @type {Record<string, boolean>} */ ({}),
  /** What was refused, by the control that asked. */
  refused: /** @type {Record<string, any>} */ ({}),
  gone: false,
  /** Another server is in its place, which does not know this page. */
  stranger: false,
  menu: "",
  help: false,
  copied: "",
  theme: "",
  why: /** @type {any} */ (null),
  /** The limit at which the load was stopped, at how many times the recorded load, from which it came, and what mends it. */
  broken: /** @type {{ name: string, id: any, at: number, by: string, before: number, was: { times: number, us: number } | null, mends?: any[] } | null} */ (null),
};

/** What can be undone: all but the screen that is looked at, and what is pinned. */
const designed = () => JSON.stringify({ ...state.design, screen: undefined, pin: undefined });

/** @type {string[]} */
const before = [];
/** What stood there when the last change was kept. */
let kept = designed();

/** Keeps a change: it goes into the address, and what was before can be brought back. */
export function keep() {
  const now = designed();
  if (now !== kept) before.push(kept);
  if (before.length > 200) before.shift();
  kept = now;
  toAddress();
}

/** Keeps the design of another recording: what was before is not of this one. */
export function keepAnew() {
  before.length = 0;
  kept = designed();
  toAddress();
}

/** Whether there is a way back. */
export const canUndo = () => before.length > 0;

/** Brings back what was before. */
export function undo() {
  const last = before.pop();
  if (last === undefined) return false;
  kept = last;
  state.design = { ...fresh(), ...JSON.parse(last), screen: state.design.screen, pin: state.design.pin };
  toAddress();
  return true;
}

/** The design that an address holds. */
export function fromAddress() {
  try {
    const text = new TextDecoder().decode(Uint8Array.from(atob(location.hash.slice(1).replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0)));
    const found = JSON.parse(text);
    const clean = /** @type {any} */ (fresh());
    for (const key of Object.keys(clean)) if (typeof found[key] === typeof clean[key]) clean[key] = found[key];
    state.design = clean;
    state.shared = true;
    kept = designed();
    return true;
  } catch {
    return false;
  }
}

function toAddress() {
  const text = new TextEncoder().encode(JSON.stringify(state.design));
  history.replaceState(null, "", `#${btoa(String.fromCharCode(...text)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`);
}
