// The studio: one picture of what is known, drawn again whenever that changes.
// @ts-check
import { Failure, json, renew, version } from "./api.js";
import * as design from "./design.js";
import { h, show } from "./dom.js";
import { money, percent, short } from "./format.js";
import { LANGUAGES, load, locale, preferred, t } from "./messages.js";
import * as answer from "./answer.js";
import * as live from "./live.js";
import * as loads from "./load.js";
import * as screens from "./screens.js";
import * as simulation from "./simulate.js";
import * as start from "./start.js";
import { judgedAs, look, why } from "./simulate.js";
import { canUndo, fromAddress, keep, keepAnew, state, undo } from "./state.js";
import * as ui from "./ui.js";
import { disksOf, roving, sizeOf } from "./ui.js";

const SCREENS = ["answer", "recording", "designs", "whatif", "compare", "live", "estate"];
const THEME = "theme";
const THEMES = ["", "light", "dark"];
const EXPORTS = ["report.html", "studio.json", "plan.json", "requirements.toml", "rig.toml"];

const app = /** @type {HTMLElement} */ (document.getElementById("app"));
let drawing = false;

/** Draws with the next frame. */
function draw() {
  if (drawing) return;
  drawing = true;
  requestAnimationFrame(() => {
    drawing = false;
    show(app, view());
    title();
  });
}

function title() {
  document.title = state.title ? `${state.title} · diskwright studio` : "diskwright studio";
  if (state.theme) document.documentElement.dataset.theme = state.theme;
  else delete document.documentElement.dataset.theme;
}

/** Width that the middle of the workspace has. */
function room() {
  const width = document.documentElement.clientWidth;
  if (width >= 900) return width - 40 - (width >= 1280 ? 360 : 320) - 16;
  return width - 32;
}

function view() {
  if (!state.hello) return [h("p.hint.wait", null, state.gone ? t("gone") : t("working"))];
  const { screen } = state.design;
  const body = /** @type {any} */ ({ answer: () => answer.answerScreen(room()), recording: screens.recordingScreen, designs: screens.designsScreen, whatif: () => simulation.simulateScreen(room()), compare: () => simulation.compareScreen(room()), live: () => live.liveScreen(room()), estate: estateScreen });
  live.watched(screen === "live");
  const known = !!state.estimate && !!state.plan?.plan;
  return [
    h("a.skip", { href: "#main", onclick: (e) => { e.preventDefault(); document.getElementById("main")?.focus(); } }, t("skip")),
    header(), banner(), known && (screen === "answer" ? answer.hero() : verdict()), known && screen === "answer" && scrolled() && verdict("stuck"),
    h("main#main", { tabindex: -1 }, h("h1.unseen", null, t(`screen-${screen}`)), (body[screen] ?? body.answer)()),
    state.help && help(),
  ];
}

/** @type {any} */
let estate = null;
/** Few open it: its script comes when it is asked for. */
function estateScreen() {
  if (estate) return estate.estateScreen(draw);
  import("./estate.js").then((found) => { estate = found; draw(); }, () => { state.gone = true; draw(); });
  return h("p.hint.wait", null, t("working"));
}

/** Each of them once, with its number where there are many. @param {string[]} all */
const counted = (all) => (all.length <= 4 ? all : [...new Set(all)].map((one) => `${all.filter((other) => other === one).length} × ${one.includes("×") ? `(${one})` : one}`)).join(" + ");

/** Whether the sentence on top was scrolled away. */
const scrolled = () => scrollY > 240;
let wasScrolled = false;
addEventListener("scroll", () => { if (scrolled() !== wasScrolled) { wasScrolled = scrolled(); draw(); } }, { passive: true });

function header() {
  const menu = (/** @type {string} */ name, /** @type {string} */ label, items, /** @type {string} */ title = "") =>
    h("div.menu", { onkeydown: (e) => { if (state.menu === name) roving(e, false); else if (e.key === "ArrowDown") { e.preventDefault(); e.stopPropagation(); opened(name); } } },
      h("button", { type: "button", id: `menu-${name}`, "aria-expanded": String(state.menu === name), "aria-haspopup": "true", title: title || undefined, "aria-label": title ? `${title}: ${label}` : undefined, onclick: () => { if (state.menu === name) { state.menu = ""; draw(); } else opened(name); } }, label, h("span.caret", { "aria-hidden": "true" }, "▾")),
      state.menu === name && h("ul", null, items));
  return h("header", null,
    h("span.brand", null, logo(), h("span", null, "diskwright")),
    h("button.source", { type: "button", title: t("screen-recording"), onclick: () => go("recording") }, named() || t("no-recording"), isExample() && h("span.badge", null, t("example"))),
    tabs(),
    h("span.tools", null,
      start.chooser("open", t("open-recording"), "primary own"),
      h("button.icon", { type: "button", disabled: !canUndo(), title: `${t("undo")} (Ctrl-Z)`, "aria-label": t("undo"), onclick: () => back() }, "↶"),
      h("button.icon", { type: "button", title: t(`theme-${state.theme || "system"}`), "aria-label": t(`theme-${state.theme || "system"}`), onclick: () => themed(THEMES[(THEMES.indexOf(state.theme) + 1) % 3]) }, state.theme === "dark" ? "☾" : state.theme === "light" ? "☀" : "◐"),
      menu("language", /** @type {any} */ (LANGUAGES)[locale()] ?? locale(), Object.entries(LANGUAGES).map(([lang, name]) => h("li", null, h("button", { type: "button", id: `language-${lang}`, lang, "aria-current": lang === locale() ? "true" : undefined, onclick: () => { design.speak(lang); focusSoon("menu-language"); } }, name))), t("language")),
      state.plan?.plan && menu("export", t("export"), [
        h("li", null, h("button", { type: "button", id: "share", onclick: () => share() }, h("strong", null, state.copied === "link" ? `✓ ${t("copied")}` : t("share")), h("span.soft", null, t("share-what")))),
        [...EXPORTS, ...design.vendor().scripts].map((name) => h("li", null, h("button", { type: "button", id: `export-${name.replace(".", "-")}`, disabled: !!state.busy.export, onclick: () => { design.exported(name); focusSoon("menu-export"); } }, h("strong", null, name), h("span.soft", null, t(`export-${name.replace(".", "-")}`)))))]),
      h("button.icon", { type: "button", id: "help", title: `${t("keys")} (?)`, "aria-label": t("keys"), onclick: () => helped() }, "?")));
}

/** The recording without the folders of its path. */
const named = () => state.title.split(", ").map((name) => name.split(/[\\/]/).pop()).join(", ");
const isExample = () => state.recording && state.design.source >= 0 && state.hello.sources[state.design.source]?.example;

/** Focus goes there once it is drawn. @param {string} id */
const focusSoon = (id) => requestAnimationFrame(() => requestAnimationFrame(() => document.getElementById(id)?.focus()));

/** Opens a menu, with the focus on its first line. @param {string} name */
function opened(name) {
  state.menu = name;
  draw();
  requestAnimationFrame(() => requestAnimationFrame(() => /** @type {any} */ (document.querySelector(`#menu-${name} + ul button`))?.focus()));
}

/** @param {string} theme */
function themed(theme) {
  state.theme = theme;
  try { localStorage.setItem(THEME, theme); } catch { /* It holds until the page is closed. */ }
  draw();
}

function helped() {
  state.help = true;
  draw();
  focusSoon("help-close");
}

const logo = () => h("svg", { viewBox: "0 0 32 32", width: 26, height: 26, "aria-hidden": "true" }, h("rect.mark", { width: 32, height: 32, rx: 8 }), h("path", { d: "M4 11h7l4 3h2l4-3h7v10h-7l-4-3h-2l-4 3H4z", fill: "#fff" }));

function banner() {
  if (state.gone) return h("p.banner.over", { role: "alert" }, state.stranger ? t("stranger") : t("gone"), h("button", { type: "button", onclick: () => again() }, t("try-again")));
  if (state.hello.version !== version) return h("p.banner", { role: "alert" }, t("older", { page: version, server: state.hello.version }), h("button", { type: "button", onclick: () => location.reload() }, t("reload")));
  if (state.refused.export) return h("p.banner.over", { role: "alert" }, state.refused.export.what, h("button", { type: "button", onclick: () => { delete state.refused.export; draw(); } }, t("close")));
  return null;
}

/** What the design comes to, in a line. @param {string} [stuck] it stands below the header while the sentence is away */
function verdict(stuck = "") {
  const now = simulation.snapshot();
  const f = simulation.figures(now);
  const { verdict: judged } = f;
  const changed = Object.keys(state.design.changes).length > 0;
  return h("section.verdict-line", { id: stuck || "verdict", "aria-label": t("verdict"), "aria-busy": state.busy.plan ? "true" : undefined, class: `${look(judged)} ${stuck}` },
    h("div.state", { title: judged.answer.text }, h("strong", null, state.design.screen === "live" ? `${t("predicted")}: ` : "", judgedAs(judged)), h("span.soft.why", null, ` ${why(judged)}`)),
    h("div.what", null, h("strong", null, `${sizeOf(f.vm)} + ${counted(f.volumes.map(disksOf))}`), h("span.soft", null, changed ? t("changed-by-hand") : t(`design-${/^\d+$/.test(state.design.chosen) ? "other" : state.design.chosen}`), ` · × ${short(f.asked)} ${t("of-load")}`)),
    h("div", null, h("strong", null, money(f.monthly, f.currency)), h("span.soft", null, ` ${t("a-month")}`)),
    h("div.headroom", null, h("strong", null, percent(f.headroom)), h("span.soft", null, ` ${t("headroom")}`)),
    h("div.narrowest", null, h("strong", null, f.narrowest ?? "–"), h("span.soft", null, ` ${t("bottleneck")}`)));
}

function tabs() {
  const ready = { answer: true, recording: true, designs: !!state.plan, whatif: !!state.estimate, compare: !!state.estimate, live: !!state.hello.emulation, estate: true };
  return h("nav", { "aria-label": t("screens"), onkeydown: (e) => roving(e) }, h("ol", null, SCREENS.map((name) => {
    const is = state.design.screen === name;
    return h("li", null, h("button", { type: "button", id: `step-${name}`, "aria-current": is ? "page" : undefined, tabindex: is ? 0 : -1, class: /** @type {any} */ (ready)[name] ? "" : "later", onclick: () => go(name) },
      t(`screen-${name}`), name === "compare" && state.pinned && h("span.badge", null, "A|B")));
  })));
}

function help() {
  const keys = [["1 – 7", t("key-screens")], ["← →", t("key-arrows")], ["Shift ← →", t("key-shift")], ["P", t("key-pin")], ["B", t("key-break")], ["E", t("key-export")], ["Ctrl Z", t("key-undo")], ["Esc", t("key-escape")], ["?", t("key-help")]];
  return h("div.dialog", { role: "dialog", "aria-modal": "true", "aria-label": t("keys"), onkeydown: trapped }, h("div.sheet", null, h("h2", null, t("keys")),
    h("dl", null, keys.map(([key, what]) => h("div", null, h("dt", null, h("kbd", null, key)), h("dd", null, what)))),
    h("button.primary", { type: "button", id: "help-close", onclick: () => unhelped() }, t("close"))));
}

function unhelped() {
  state.help = false;
  draw();
  focusSoon("help");
}

/** Tab stays within a dialog. @param {any} e */
function trapped(e) {
  if (e.key !== "Tab") return;
  const all = [...e.currentTarget.querySelectorAll("button, a, input, select")];
  const at = all.indexOf(document.activeElement);
  e.preventDefault();
  all[(at + (e.shiftKey ? -1 : 1) + all.length) % all.length]?.focus();
}

/** @param {string} screen */
function go(screen) {
  state.design.screen = screen;
  state.menu = "";
  keep();
  draw();
}

function back() {
  // What is being read again belongs to what stands there now.
  if (state.busy.groups) return;
  const [was, grouped] = [JSON.stringify(state.design.wishes), JSON.stringify(state.design.groups)];
  if (!undo()) return;
  if (grouped !== JSON.stringify(state.design.groups)) design.regrouped();
  else if (was !== JSON.stringify(state.design.wishes)) {
    if (design.planned()) design.plan();
    else Object.assign(state, { plan: null, estimate: null });
  }
  else if (state.plan?.plan) design.choose(state.design.chosen, false);
  draw();
}

async function share() {
  keep();
  try {
    await navigator.clipboard.writeText(location.href);
    state.copied = "link";
    setTimeout(() => { state.copied = ""; draw(); }, 2000);
  } catch {
    prompt(t("share"), location.href);
  }
  draw();
}

addEventListener("keydown", (e) => {
  const node = /** @type {HTMLElement} */ (e.target);
  if (e.key === "Escape") {
    if (state.help) { unhelped(); return; }
    else if (loads.stopPlaying()) { /* It is drawn where it stopped. */ }
    else if (state.sheet) state.sheet = false;
    else if (state.menu) { const was = state.menu; state.menu = ""; document.getElementById(`menu-${was}`)?.focus(); }
    else if (!design.cancel()) return;
    draw();
    return;
  }
  const writes = node.tagName === "SELECT" || node.tagName === "TEXTAREA" || (node.tagName === "INPUT" && /** @type {HTMLInputElement} */ (node).type !== "range");
  if ((e.ctrlKey || e.metaKey) && e.key.toLowerCase() === "z" && !e.shiftKey && !writes) { e.preventDefault(); back(); return; }
  if (writes || e.ctrlKey || e.metaKey || e.altKey || !state.hello) return;
  const number = Number(e.key);
  if (number >= 1 && number <= SCREENS.length) { go(SCREENS[number - 1]); scrollTo(0, 0); document.getElementById("main")?.focus({ preventScroll: true }); }
  else if (e.key === "?") helped();
  else if (e.key.toLowerCase() === "p") simulation.pin();
  else if (e.key.toLowerCase() === "b" && state.estimate) loads.broke();
  else if (e.key.toLowerCase() === "e" && state.plan?.plan) { state.menu = "export"; draw(); focusSoon("export-report-html"); }
});
addEventListener("click", (e) => {
  if (state.menu && !(/** @type {HTMLElement} */ (e.target).closest(".menu"))) { state.menu = ""; draw(); }
});
addEventListener("resize", draw);
addEventListener("dragover", (e) => e.preventDefault());
addEventListener("drop", (e) => {
  e.preventDefault();
  const files = [...(e.dataTransfer?.files ?? [])];
  if (files.length && !(/** @type {HTMLElement} */ (e.target).closest(".drop"))) design.drop(files);
});

/** Between two questions to a server that does not answer. */
const AGAIN = 2000;
let asking = false;

/** Asks the server again after it was gone. Another one in its place knows neither this page nor its recording. @param {Promise<any>} [asked] */
async function again(asked) {
  if (asking) return;
  asking = true;
  try {
    const hello = await (asked ?? json("hello")).catch(async (e) => {
      if (!(e instanceof Failure) || !e.said.what) throw e;
      state.stranger = true;
      if (!(await renew())) throw e;
      const hello = await json("hello");
      state.hello = hello;
      await design.reopened();
      return hello;
    });
    state.hello = hello;
    state.gone = state.stranger = false;
    if (state.recording && state.estimate) await design.estimated("load");
  } catch (e) {
    if (e instanceof Failure && !e.said.what) state.stranger = false;
    state.gone = true;
  }
  asking = false;
  draw();
}
setInterval(() => { if (state.gone && state.hello && !document.hidden) again(); }, AGAIN);

async function begin() {
  design.drawsWith(draw);
  screens.redrawsWith(draw);
  simulation.redrawsWith(draw);
  live.redrawsWith(draw);
  for (const part of [answer, loads, start, ui]) part.redrawsWith(draw);
  try { state.theme = localStorage.getItem(THEME) ?? ""; } catch { /* As the system has it. */ }
  const hello = json("hello");
  hello.catch(() => { /* `again` says it, once there are words for it. */ });
  await load(preferred());
  const shared = fromAddress();
  await again(hello);
  if (!state.hello) return;
  if (state.design.source >= state.hello.sources.length) {
    state.design.source = -1;
    keepAnew();
  }
  // What was named on the command line is opened; an example is for whoever asks.
  const named = state.hello.sources.findIndex((source) => !source.example);
  if (!shared && named >= 0) state.design.source = named;
  if (state.design.source >= 0) await design.open(state.design.source, false);
  if (!shared) keep();
  draw();
}
begin();
