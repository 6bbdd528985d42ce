// Labels of the page: Fluent's format, as much of it as labels need: `id = text`, `{ $argument }`, and plurals on one line,
// `{ $n -> [one] a disk *[other] { $n } disks }`.
// @ts-check

/** @type {Map<string, string>} */
const texts = new Map();
let language = "en";

/** Languages by the names of their files, as their speakers call them. */
export const LANGUAGES = { en: "English", ru: "Русский", sv: "Svenska", "zh-Hans": "中文", ja: "日本語" };
const KEPT = "language";

/** The language that was chosen in this tab, that the program was started with, that was chosen last, or that the browser asks for. */
export function preferred() {
  const said = document.querySelector('meta[name="diskwright-language"]')?.getAttribute("content");
  return [kept("sessionStorage"), said, kept("localStorage"), ...navigator.languages].map(known).find(Boolean) ?? "en";
}

/** A language that there is, by the name of it or of one of its regions. @param {string | null | undefined} name */
function known(name) {
  const parts = (name ?? "").toLowerCase().split("-");
  if (parts[0] === "zh") return !parts.includes("hans") && parts.some((part) => ["hant", "tw", "hk", "mo"].includes(part)) ? undefined : "zh-Hans";
  return Object.keys(LANGUAGES).find((one) => one === parts[0]);
}

/** What was chosen in this tab, or in this browser. @param {"sessionStorage" | "localStorage"} where */
function kept(where) {
  try {
    return window[where].getItem(KEPT);
  } catch {
    return null;
  }
}

/** Keeps a choice in this browser. @param {string} lang */
export function keepLanguage(lang) {
  try {
    sessionStorage.setItem(KEPT, lang);
    localStorage.setItem(KEPT, lang);
  } catch { /* It holds until the page is closed. */ }
}

/** Speaks a language; what it lacks is said in English. @param {string} lang */
export async function load(lang) {
  const files = [...new Set(["en", lang])].map(async (name) => (await fetch(`/messages/${name}.ftl`)).text());
  const [english, own] = await Promise.all(files);
  texts.clear();
  read(english);
  // Of another language come texts alone, on the lines of their ids.
  const ids = [...texts.keys()];
  own?.split("\n").forEach((text, k) => { if (text) texts.set(ids[k], text); });
  language = lang;
  document.documentElement.lang = lang;
}

/** Labels with their ids, one a line. @param {string} text */
export function read(text) {
  for (const line of text.split("\n")) {
    const entry = /^([a-z][a-z0-9-]*) ?= ?(.*)$/.exec(line);
    if (entry) texts.set(entry[1], entry[2]);
  }
}

/** A label. @param {string} id @param {Record<string, string | number>} [values] @returns {string} */
export function t(id, values = {}) {
  const text = texts.get(id);
  if (text === undefined) return id;
  const chosen = text.replace(/\{ ?\$([a-z]+) -> (.*?\*\[other\] (?:[^{}]|\{ ?\$[a-z]+ ?\})*)\}/g, (_, name, variants) => {
    const wanted = new Intl.PluralRules(language).select(Number(values[name]));
    const all = [...variants.matchAll(/\*?\[([a-z]+)\] ((?:[^{}[\]]|\{ ?\$[a-z]+ ?\})*)/g)];
    const found = all.find((one) => one[1] === wanted) ?? all.find((one) => one[1] === "other");
    return (found?.[2] ?? "").replace(/\*$/, "").trim();
  });
  return chosen.replace(/\{ ?\$([a-z]+) ?\}/g, (_, name) => String(values[name] ?? ""));
}

/** The language of numbers. */
export const locale = () => language;
