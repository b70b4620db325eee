import type { CallReading } from "../progress/read-call.ts";
import type { DeclaredIdentity } from "../tool-rule.ts";
import { PAGING_FIELDS } from "./argument-sketch.ts";
import { byteWriter } from "./byte-writer.ts";
import { type Platform, writeCanonical } from "./canonical.ts";
import type { Digest } from "./digest.ts";
import { NAMES_ONE_TIME } from "./volatile-words.ts";

/** The arguments that say what a call is about; the others say how. */
const PRIMARY_ARGUMENTS = [
  "path",
  "file_path",
  "filePath",
  "filename",
  "file",
  "command",
  "cmd",
  "pattern",
  "query",
  "q",
  "url",
  "uri",
  "content",
  "offset",
  "limit",
];

/** The range of lines in a `sed -n 1,9p`. */
const LINE_RANGE = /\d{1,9},\d{1,9}p/;
const MAX_COMMAND = 4096;

/**
 * The digest under which calls that are the same in substance meet: tool family and primary arguments.
 *
 * Undefined where it would say no more than the exact call: then only equal calls are the same.
 */
export function fingerprintOf(
  tool: string,
  args: unknown,
  reading: CallReading,
  declared: DeclaredIdentity | undefined,
  platform: Platform,
): Digest | undefined {
  if (declared !== undefined) return fingerprintByRule(tool, args, declared, platform);
  byteWriter.begin();
  if (reading.file !== undefined && reading.effect.kind === "look") {
    byteWriter.text("file read");
    byteWriter.text(plainPath(reading.file));
    return byteWriter.digest();
  }
  if (reading.substance !== undefined) {
    byteWriter.text("command");
    byteWriter.text(reading.substance);
    return byteWriter.digest();
  }
  // Another change of the same thing is another change.
  if (reading.effect.kind === "change") return undefined;
  if (typeof args !== "object" || args === null || Array.isArray(args) || platform.isProxy(args)) return undefined;
  byteWriter.text(tool);
  if (reading.effect.kind === "page") return fingerprintOfAction(args, platform);
  const lasting = Object.keys(args).filter((key) => !NAMES_ONE_TIME.test(key));
  if (lasting.length < Object.keys(args).length) {
    byteWriter.byte(1);
    return writeFields(args, lasting.sort(), platform) === lasting.length ? byteWriter.digest() : undefined;
  }
  return fingerprintOfFields(args, platform);
}

/** The identity of one part of what a call reads: the file's, with the range or page that is asked for. */
export function partOf(whole: Digest, args: unknown, platform: Platform): Digest {
  if (typeof args !== "object" || args === null || platform.isProxy(args)) return whole;
  byteWriter.begin();
  byteWriter.text(whole);
  const written = writeFields(args, PAGING_FIELDS, platform);
  const command: unknown = Object.getOwnPropertyDescriptor(args, "command")?.value;
  const range = typeof command === "string" ? LINE_RANGE.exec(command.slice(0, MAX_COMMAND)) : null;
  if (range !== null) byteWriter.text(range[0]);
  return written === 0 && range === null ? whole : byteWriter.digest();
}

/** `./a//b/` and `a/b` are one file. */
export function plainPath(path: string): string {
  let plain = path.replaceAll("\\", "/").replace(/\/{2,}/g, "/");
  while (plain.startsWith("./")) plain = plain.slice(2);
  return plain.length > 1 && plain.endsWith("/") ? plain.slice(0, -1) : plain;
}

function fingerprintByRule(
  tool: string,
  args: unknown,
  declared: DeclaredIdentity,
  platform: Platform,
): Digest | undefined {
  // The host's function is asked before anything is written: it may use a guard of its own, and the writer is shared.
  const key = typeof declared === "function" ? declared(args) : undefined;
  byteWriter.begin();
  byteWriter.text("declared");
  byteWriter.text(tool);
  if (typeof declared === "function") {
    return key !== undefined && writeCanonical(key, platform) ? byteWriter.digest() : undefined;
  }
  if (typeof args !== "object" || args === null || platform.isProxy(args)) return undefined;
  return writeFields(args, declared, platform) > 0 ? byteWriter.digest() : undefined;
}

function fingerprintOfFields(args: object, platform: Platform): Digest | undefined {
  const written = writeFields(args, PRIMARY_ARGUMENTS, platform);
  return written > 0 && written < Object.keys(args).length ? byteWriter.digest() : undefined;
}

/** How browsers that are driven by tools name the elements of a page: `e52`, `f1e3`, `1_23`. */
const ELEMENT = /^(?:[a-z]{1,2}\d{1,6}|f\d{1,3}e\d{1,6}|\d{1,6}_\d{1,6})$/;

/** An action on a page: the same whatever number the element bears this time, and whatever number is filled in. */
function fingerprintOfAction(args: object, platform: Platform): Digest | undefined {
  let numbers = 0;
  for (const key of Object.keys(args).sort()) {
    const value: unknown = Object.getOwnPropertyDescriptor(args, key)?.value;
    byteWriter.text(key);
    if (typeof value === "number" || (typeof value === "string" && (isNumeral(value) || ELEMENT.test(value)))) {
      byteWriter.byte(0);
      numbers++;
    } else if (!writeCanonical(value, platform)) return undefined;
  }
  return numbers > 0 ? byteWriter.digest() : undefined;
}

/** Writes the named fields that are there; returns how many, or 0 if one of them is not comparable. */
function writeFields(args: object, names: readonly string[], platform: Platform): number {
  let written = 0;
  for (const name of names) {
    const property = Object.getOwnPropertyDescriptor(args, name);
    if (property === undefined || !("value" in property)) continue;
    byteWriter.text(name);
    if (!writeCanonical(property.value, platform)) return 0;
    written++;
  }
  return written;
}

function isNumeral(text: string): boolean {
  if (text.length === 0 || text.length > 20) return false;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if ((unit < 48 || unit > 57) && unit !== 46 && unit !== 44 && unit !== 45) return false;
  }
  return true;
}
