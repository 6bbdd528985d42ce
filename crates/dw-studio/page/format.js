// Numbers for people.
// @ts-check
import { locale, t } from "./messages.js";

/** To make one takes longer than all else that a number needs. @type {Map<string, Intl.NumberFormat>} */
const formats = new Map();

/** @param {number} value @param {{ minimumFractionDigits?: number, maximumFractionDigits?: number }} [options] */
export function number(value, options) {
  const key = `${locale()} ${options?.minimumFractionDigits} ${options?.maximumFractionDigits}`;
  let format = formats.get(key);
  if (!format) formats.set(key, (format = new Intl.NumberFormat(locale(), options)));
  return format.format(value);
}

/** Large counts as the language counts them: 1.02M, 1,02 млн, 102万. @param {number} value */
export const compact = (value) => new Intl.NumberFormat(locale(), { notation: "compact", maximumFractionDigits: 2 }).format(value);

/** About three digits. @param {number | null | undefined} value */
export function short(value) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  const digits = size >= 100 || size === 0 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
  return number(value, { maximumFractionDigits: digits });
}

/** @param {number | null | undefined} value */
export const iops = (value) => (value === null || value === undefined ? "–" : number(Math.round(value)));
/** Microseconds. @param {number | null | undefined} us */
export const ms = (us) => (us === null || us === undefined || !Number.isFinite(us) ? "–" : unit("ms", short(us / 1000)));
/** A figure in the unit as the language writes it. @param {"s" | "min" | "h" | "d" | "ms" | "mbs" | "mib"} of @param {string} n */
const unit = (of, n) => t(`unit-${of}`, { n });
/** Bytes a second. @param {number} bytes */
export const rate = (bytes) => unit("mbs", short(bytes / 1e6));
/** What was bought for a disk, in the unit in which it is sold. @param {number} n @param {string | undefined} of */
export const bought = (n, of) => unit(of === "MiB/s" ? "mib" : "mbs", number(n));
/** @param {number | null | undefined} value */
export const percent = (value) => (value === null || value === undefined || !Number.isFinite(value) ? "–" : t("percent", { n: short(value) }));

/** @param {number | null | undefined} amount @param {string} currency @param {number} [digits] */
export const money = (amount, currency, digits = 2) =>
  amount === null || amount === undefined ? "–" : `${number(amount, { minimumFractionDigits: digits, maximumFractionDigits: digits })} ${currency}`.trim();

/** Seconds as a place on a clock: 12:30, 1:02:00. @param {number} seconds */
export function clock(seconds) {
  const s = Math.round(seconds);
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  const [hours, minutes] = [Math.floor(s / 3600), Math.floor(s / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(s % 60)}` : `${minutes}:${two(s % 60)}`;
}

/** Seconds as a length. @param {number} seconds */
export function length(seconds) {
  if (seconds < 90) return unit("s", short(seconds));
  if (seconds < 5400) return unit("min", short(seconds / 60));
  if (seconds < 172800) return unit("h", short(seconds / 3600));
  return unit("d", short(seconds / 86400));
}

/** A figure of the checklist in its unit. @param {number | null | undefined} value @param {string} of */
export function figure(value, of) {
  if (value === null || value === undefined) return "–";
  if (of === "s") return value < 1 ? unit("ms", short(value * 1000)) : unit("s", short(value));
  if (of === "B/s" || of === "bytes/s") return rate(value);
  if (of === "bytes" || of === "B") return value >= 2 ** 30 ? `${short(value / 2 ** 30)} GiB` : value >= 2 ** 20 ? `${short(value / 2 ** 20)} MiB` : value >= 1024 ? `${short(value / 1024)} KiB` : `${short(value)} B`;
  if (of === "percent") return percent(value);
  if (of === "1/s") return short(value);
  return `${short(value)}`;
}
