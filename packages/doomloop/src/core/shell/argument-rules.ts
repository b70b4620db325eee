import { baseName } from "./base-name.ts";
import { EffectRank } from "./effect-rank.ts";
import { fetchEffect } from "./fetch-effect.ts";
import { gitEffect } from "./git-effect.ts";
import { interpreterEffect } from "./interpreter-effect.ts";

/** Tells what a program does by the words after the one at `from`. */
export type ArgumentRule = (words: readonly string[], from: number) => EffectRank;

const { change, look, none, unknown, wait } = EffectRank;
const IN_PLACE_SED = /^-[nErsuz]*i/;
const IN_PLACE_PERL = /^-[A-Za-z0-9]*i/;
const AWK_OUTPUT = />\s{0,8}["(]|>>|\bsystem\(|\|\s{0,8}"/;

/** Programs whose arguments decide what they do. */
export const ARGUMENT_RULES: ReadonlyMap<string, ArgumentRule> = new Map<string, ArgumentRule>([
  ["git", gitEffect],
  ["curl", fetchEffect],
  ["wget", fetchEffect],
  ["http", fetchEffect],
  ["sed", (words, from) => (some(words, from, isInPlaceSed) ? change : look)],
  ["gsed", (words, from) => (some(words, from, isInPlaceSed) ? change : look)],
  ["perl", (words, from) => (some(words, from, (word) => IN_PLACE_PERL.test(word)) ? change : unknown)],
  ["ruby", (words, from) => (some(words, from, (word) => word === "-i" || word === "-pi") ? change : unknown)],
  ...["awk", "gawk", "mawk"].map((name): [string, ArgumentRule] => [name, awkEffect]),
  ["sort", (words, from) => (some(words, from, isSortOutput) ? change : look)],
  ["tail", (words, from) => (some(words, from, isFollowing) ? wait : look)],
  ["tee", (words, from) => (some(words, from, isRealFile) ? change : look)],
  ["tar", (words, from) => (isTarListing(words[from + 1] ?? "") ? look : change)],
  ["unzip", (words, from) => (/^-[a-z]*[lptvZ]/.test(words[from + 1] ?? "") ? look : change)],
  ...["gzip", "gunzip", "bzip2", "bunzip2", "xz", "unxz", "zstd"].map((name): [string, ArgumentRule] => [
    name,
    compressionEffect,
  ]),
  ...["source", "."].map((name): [string, ArgumentRule] => [name, sourceEffect]),
  ["mount", (words, from) => (words.length === from + 1 ? look : change)],
  ["alias", (words, from) => (words.length === from + 1 ? look : change)],
  ["export", (words, from) => (words.length === from + 1 || words[from + 1] === "-p" ? look : change)],
  ...["black", "isort", "autopep8", "yapf", "rustfmt"].map((name): [string, ArgumentRule] => [name, formatterEffect]),
  ...["prettier", "gofmt", "clang-format", "shfmt"].map((name): [string, ArgumentRule] => [
    name,
    printingFormatterEffect,
  ]),
  ...["python", "python2", "python3", "pypy", "pypy3"].map((name): [string, ArgumentRule] => [name, interpreterEffect]),
]);

function some(words: readonly string[], from: number, test: (word: string) => boolean): boolean {
  for (let index = from + 1; index < words.length; index++) if (test(words[index]!)) return true;
  return false;
}

function isInPlaceSed(word: string): boolean {
  return IN_PLACE_SED.test(word) || word.startsWith("--in-place");
}

function isSortOutput(word: string): boolean {
  return word === "-o" || word.startsWith("--output");
}

function isFollowing(word: string): boolean {
  return word === "-f" || word === "-F" || word.startsWith("--follow");
}

function isRealFile(word: string): boolean {
  return !word.startsWith("-") && !word.startsWith("/dev/");
}

function isTarListing(mode: string): boolean {
  return mode === "--list" || (!mode.startsWith("--") && mode.includes("t") && !/[xcru]/.test(mode));
}

function awkEffect(words: readonly string[], from: number): EffectRank {
  return some(words, from, (word) => word === "inplace" || AWK_OUTPUT.test(word)) ? change : look;
}

function compressionEffect(words: readonly string[], from: number): EffectRank {
  return some(words, from, (word) => /^-[a-z0-9]*[clt]/.test(word) || word === "--stdout") ? look : change;
}

/** Entering a virtual environment prepares the rest of the chain; any other script may do anything. */
function sourceEffect(words: readonly string[], from: number): EffectRank {
  return baseName(words[from + 1] ?? "").startsWith("activate") ? none : change;
}

function formatterEffect(words: readonly string[], from: number): EffectRank {
  return some(words, from, (word) => word === "--check" || word === "--diff" || word === "-d") ? look : change;
}

function printingFormatterEffect(words: readonly string[], from: number): EffectRank {
  return some(words, from, (word) => word === "-w" || word === "-i" || word === "--write") ? change : look;
}
