// Labels of the page: Fluent's format, as much of it as labels need: `id = text`, `{ $argument }`, and plurals on one line,
// `{ $n -> [one] a disk *[other] { $n } disks }`.
// @ts-check

/** @type {Map<string, string>} */
const texts = new Map();
let language = "en";

/** @param {string} lang */
export async function load(lang) {
  const answer = await fetch(`/messages/${lang}.ftl`);
  language = lang;
  read(await answer.text());
  document.documentElement.lang = lang;
}

/** @param {string} text */
export function read(text) {
  let last = "";
  for (const line of text.split("\n")) {
    const entry = /^([a-z][a-z0-9-]*) = (.*)$/.exec(line);
    if (entry) texts.set((last = entry[1]), entry[2]);
    else if (last && /^ +\S/.test(line)) texts.set(last, `${texts.get(last)} ${line.trim()}`);
    else last = "";
  }
}

/** A label. @param {string} id @param {Record<string, string | number>} [values] @returns {string} */
export function t(id, values = {}) {
  const text = texts.get(id);
  if (text === undefined) return id;
  const chosen = text.replace(/\{ \$([a-z]+) -> (.*?\*\[other\] (?:[^{}]|\{ \$[a-z]+ \})*)\}/g, (_, name, variants) => {
    const wanted = new Intl.PluralRules(language).select(Number(values[name]));
    const all = [...variants.matchAll(/\*?\[([a-z]+)\] ((?:[^{}[\]]|\{ \$[a-z]+ \})*)/g)];
    const found = all.find((one) => one[1] === wanted) ?? all.find((one) => one[1] === "other");
    return (found?.[2] ?? "").trim();
  });
  return chosen.replace(/\{ \$([a-z]+) \}/g, (_, name) => String(values[name] ?? ""));
}

/** The language of numbers. */
export const locale = () => language;
