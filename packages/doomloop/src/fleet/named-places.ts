import { compact } from "../core/collections/bounded.ts";
import { hashWith } from "../core/evidence/new-step.ts";
import { addressIn, isAboutCaller, isOtherHost, saysHow, valuesIn } from "./fleet-scope.ts";

const MAX_PLACES = 32;
/** A use of `hashWith` that nobody else has. */
const PLACE = 6;

/**
 * The places that a call names, as hashes: the hosts of its addresses, the parts of its texts, and for what has no host, such as a bucket or a
 * repository, its name. They stay with the call until its result comes, because what failed may be another place.
 */
export function placesOf(args: unknown): readonly number[] {
  const texts = (valuesIn(args) ?? [])
    .filter((value) => !saysHow(value))
    .map(({ value }) => String(value).trim().toLowerCase());
  const hosts = texts.map((text) => addressIn(text)?.host ?? "").filter(isOtherHost);
  const parts = texts.map(partsOf);
  const names = hosts.length > 0 ? [] : parts.flatMap((each) => each.slice(0, 1));
  const places = [
    ...hosts.map((host) => hashOf("host", bareHost(host))),
    ...names.map((name) => hashOf("name", name)),
    ...parts.flat().map((part) => hashOf("part", part)),
  ];
  return compact([...new Set(places)].slice(0, MAX_PLACES));
}

function hashOf(kind: "host" | "name" | "part", text: string): number {
  return hashWith(PLACE, `${kind} ${text}`) & 0xffff;
}

/** A host without what may be added to it on the way: a port, `www`. */
function bareHost(host: string): string {
  return host.replace(/:\d{0,5}$/, "").replace(/^www\.|\.$/g, "");
}

/** What an address or a path consists of, without its scheme. */
function partsOf(text: string): string[] {
  return text
    .replace(/^[a-z][a-z0-9+.-]{0,20}:\/\//, "")
    .split(/[/\\?#&=]/)
    .filter((part) => part !== "");
}

const HOST_IN_URL = /\/\/(?:[^\s/?#@]{0,256}@)?([^\s/?#@]{1,260})/;
const HOST_NAME = /^(?:[a-z0-9_-]{1,63}\.){1,12}[a-z][a-z0-9-]{1,62}(?::\d{1,5})?$/;
const IP_ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?|[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){3,8})$/;
/** How names in code end, and those of hosts do not: `page.goto`, `socket.gaierror`. Names of classes have capitals. */
const IN_CODE = /\.(?:goto|get|post|put|head|fetch|request|navigate|load|connect|send|\w{0,60}(?:error|exception))$/;

/** Whether a word of a failure names a host or an address, and none that the call names. */
export function isElsewhere(word: string, places: readonly number[]): boolean {
  const text = word.toLowerCase();
  const host = HOST_IN_URL.exec(text)?.[1];
  if (host !== undefined) return isAboutCaller(text) || !isOwnHost(host, partsOf(text).slice(1), places);
  if (isNamed(word, places)) return false;
  const isPlace = IP_ADDRESS.test(text) || (HOST_NAME.test(word) && !IN_CODE.test(word));
  return isPlace && !isOwnHost(text, [], places);
}

/** Whether a host is one of the call's own: if the call names none, one that has the call's own name, or was asked for it. */
export function isOwnHost(given: string, path: readonly string[], places: readonly number[]): boolean {
  const host = bareHost(given.toLowerCase());
  if (places.includes(hashOf("host", host))) return true;
  return [host.split(".", 1)[0]!, ...path].some((part) => places.includes(hashOf("name", part)));
}

/** Whether a word is a part of what the call names. A plain word may say what is wrong, so it is none. */
export function isNamed(word: string, places: readonly number[]): boolean {
  return /[./\\\d]/.test(word) && partsOf(word.toLowerCase()).every((part) => places.includes(hashOf("part", part)));
}
