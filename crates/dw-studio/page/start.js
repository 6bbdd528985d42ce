// Before there is a recording: two choices, and how to record a day on each system. After a drop: what was recorded, before anything is asked.
// @ts-check
import { drop, open, stopReading } from "./design.js";
import { h } from "./dom.js";
import { percent } from "./format.js";
import { t } from "./messages.js";
import { refusal } from "./simulate.js";
import { state } from "./state.js";
import { choice } from "./ui.js";

let redraw = () => {};
/** @param {() => void} drawn */
export const redrawsWith = (drawn) => { redraw = drawn; };

/** How to record a day: 86,400 s at 10 s. What each prints is a format that is read (docs/guide/observe-formats.md). */
const COMMANDS = [
  { system: "Linux", command: "LC_ALL=C S_TIME_FORMAT=ISO iostat -xyt -k 10 8640 > disks.txt", needs: "sysstat" },
  { system: "Windows", command: String.raw`typeperf -si 10 -sc 8640 -f CSV -o disks.csv "\PhysicalDisk(*)\Disk Reads/sec" "\PhysicalDisk(*)\Disk Writes/sec" "\PhysicalDisk(*)\Disk Read Bytes/sec" "\PhysicalDisk(*)\Disk Write Bytes/sec" "\PhysicalDisk(*)\Avg. Disk sec/Read" "\PhysicalDisk(*)\Avg. Disk sec/Write" "\PhysicalDisk(*)\Avg. Disk Queue Length" "\Processor(*)\% Processor Time" "\Memory\Available MBytes"`, needs: "" },
];
const onWindows = /Windows/.test(navigator.userAgent);
let system = onWindows ? 1 : 0;

/** A field for files that is a button. @param {string} id @param {string} label @param {string} [style] */
export const chooser = (id, label, style = "") =>
  h("label.button", { for: id, class: style }, label, h(`input.unseen#${id}`, { type: "file", multiple: true, onchange: (e) => { const files = [...e.target.files]; e.target.value = ""; if (files.length) drop(files); } }));

/** Handlers of a place where files are dropped. */
export const dropping = () => ({
  ondragover: (e) => { e.preventDefault(); e.currentTarget.classList.add("over"); },
  ondragleave: (e) => e.currentTarget.classList.remove("over"),
  ondrop: (e) => { e.preventDefault(); e.currentTarget.classList.remove("over"); const files = [...e.dataTransfer.files]; if (files.length) drop(files); },
});

/** What is being read, or why it was not. */
export const reading = () => [
  (state.busy.drop || state.busy.source) && h("div.reading", null, phases(), h("button#stop-reading", { type: "button", onclick: () => stopReading() }, t("stop"))),
  state.refused.drop && refusal(state.refused.drop), state.refused.source && refusal(state.refused.source),
];

/** How far the way from a file to its plan is: what is done, what is under way with its share, what comes. */
export function phases() {
  const share = state.read;
  const now = !state.busy.drop && !state.busy.source ? (state.plan ? 3 : 2) : share >= 1 ? 1 : 0;
  return h("div", { role: "status" }, h("ol.phases", null, [t("reading"), t("phase-load"), t("phase-plan"), t("phase-proof")].map((name, k) =>
    h("li", { class: k < now ? "good" : k > now ? "soft" : "", "aria-current": k === now ? "step" : undefined }, k < now ? "✓ " : "", name, k === now && [k === 0 && share > 0 && ` ${percent(Math.round(share * 100))}`, h("progress", { max: 1, value: k === 0 && share > 0 ? share : undefined, "aria-label": name })]))));
}

/** Two choices, and the command. */
export function startScreen() {
  const example = state.hello.sources.findIndex((source) => source.example);
  const others = state.hello.sources.map((source, /** @type {number} */ place) => ({ source, place })).filter((one) => !one.source.example);
  return h("div.start", null,
    h("h2.lead", null, t("start-what")),
    state.design.source === -1 && state.shared && h("p.hint", null, t("shared-needs-file")),
    h("div.doors", null,
      h("section.door.drop", dropping(), h("h3", null, t("drop-here")), h("p.soft", null, t("drop-formats")), chooser("file", t("choose-file"), "primary"), reading()),
      h("section.door", null, h("h3", null, t("example-title")), h("p.soft", null, t("example-what")),
        example >= 0 && h("button#example", { type: "button", onclick: () => open(example, true) }, t("example-open")),
        others.map(({ source, place }) => h("button", { type: "button", onclick: () => open(place, true) }, source.title)))),
    recordDay());
}

/** How to record a day, with a button that copies it. */
export function recordDay() {
  const { command, needs } = COMMANDS[system];
  return h("section.record", null,
    h("div.head", null, h("h2", null, t("record-title")), choice(t("system"), COMMANDS.map((one, k) => ({ name: one.system, is: k === system, id: `record-${one.system.toLowerCase()}`, take: () => { system = k; redraw(); } })))),
    h("div.command", null, h("code#command", { tabindex: 0 }, command), h("button#copy-command", { type: "button", onclick: () => copied(command) }, state.copied === "command" ? `✓ ${t("copied")}` : t("copy"))),
    h("p.hint", null, t("record-how"), needs && ` ${t("record-needs", { name: needs })}`));
}

/** @param {string} text */
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    state.copied = "command";
    setTimeout(() => { state.copied = ""; redraw(); }, 2000);
  } catch {
    // Where a page may not: it is chosen, to be copied by hand.
    const range = document.createRange();
    range.selectNodeContents(/** @type {Node} */ (document.getElementById("command")));
    getSelection()?.removeAllRanges();
    getSelection()?.addRange(range);
  }
  redraw();
}
