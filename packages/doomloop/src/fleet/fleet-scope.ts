import { wordSet } from "../core/collections/word-list.ts";
import type { FleetScope } from "../core/memory/step.ts";
import { type CallReading, CODE, type Fields, PATHS, wordsOf } from "../core/progress/read-call.ts";

const MAX_FIELDS = 24;
const MAX_ITEMS = 8;
const MAX_DEPTH = 2;
const MAX_NAME = 2048;

/**
 * Whose world a call is about, as far as its arguments tell. A call is `shared` if it names something that two workers cannot both have by
 * chance: another host, an id that is unique in the world, a repository of a forge. In doubt it is the worker's own, because a wrong "own"
 * costs a hint, and a wrong "shared" tells honest workers to leave what works for them.
 *
 * A command runs in the worker's own machine and depends on what is there, even if it names another host.
 */
export function scopeOf({ tool, command, args }: Pick<CallReading, "tool" | "command" | "args">): "shared" | "own" {
  if (command !== undefined || wordsOf(tool).some((word) => CODE.has(word))) return "own";
  if (typeof args === "string") return kindOf(args) === "shared" ? "shared" : "own";
  if (typeof args !== "object" || args === null) return "own";
  const fields = args as Fields;
  if (namesRepository(fields)) return "shared";
  // What is fetched into a file, or from here to there, may fail because of either.
  return scopeIn(fields, 0) === "shared" && !Object.keys(fields).some((name) => PATHS.has(name)) ? "shared" : "own";
}

/** `{ owner, repo }`: the way in which tools of GitHub, GitLab and their like name a repository. */
function namesRepository(fields: Fields): boolean {
  return ["owner", "repo"].every((name) => typeof Object.getOwnPropertyDescriptor(fields, name)?.value === "string");
}

/** Whose the texts in arguments are, read without running a getter: `own` if any is, else `shared` if any is. */
function scopeIn(value: object, depth: number): FleetScope | undefined {
  const keys = Object.keys(value);
  const count = Math.min(keys.length, Array.isArray(value) ? MAX_ITEMS : MAX_FIELDS);
  let scope: FleetScope | undefined;
  for (let at = 0; at < count; at++) {
    const inner: unknown = Object.getOwnPropertyDescriptor(value, keys[at]!)?.value;
    const own =
      typeof inner === "string" ? kindOf(inner) : isDeeper(inner, depth) ? scopeIn(inner, depth + 1) : undefined;
    if (own === "own") return "own";
    scope ??= own;
  }
  return scope;
}

function isDeeper(value: unknown, depth: number): value is object {
  return typeof value === "object" && value !== null && depth < MAX_DEPTH;
}

const ADDRESS =
  /^([a-z][a-z0-9+.-]{1,20}):\/\/(?:[^\s/?#@]{0,256}@)?(\[[0-9a-f:.]{2,45}\]|[^\s/?#:@[\]]{1,253})(?::\d{0,5})?(?:[/?#]\S*)?$/i;
const UUID = /^(?:urn:uuid:)?[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const RESOURCE_NAME = /^arn:[a-z-]{1,20}:[a-z0-9-]{1,40}:\S{1,1024}$/;
/** Buckets have names that are unique in the world, without a dot. */
const BUCKETS = wordSet("s3 s3a gs gcs r2 abfss wasbs");

const LONGEST_SCHEME = 21;

/** Whose a text is, if it is a name as a whole. A text that only mentions an address is not about it. */
function kindOf(given: string): FleetScope | undefined {
  if (given.length > MAX_NAME) return undefined;
  const mark = given.indexOf(":");
  if (mark < 0) return given.length >= 36 && UUID.test(given.trim()) ? "shared" : undefined;
  if (mark > LONGEST_SCHEME) return undefined;
  const text = given.trim();
  const [, scheme = "", host] = ADDRESS.exec(text) ?? [];
  if (host !== undefined) {
    return isOtherHost(host.toLowerCase()) || BUCKETS.has(scheme.toLowerCase()) ? "shared" : "own";
  }
  if (text.startsWith("file:")) return "own";
  return RESOURCE_NAME.test(text) || UUID.test(text) ? "shared" : undefined;
}

const IPV4 = /^(\d{1,3})\.(\d{1,3})\.\d{1,3}\.\d{1,3}$/;
const GLOBAL_IPV6 = /^\[[23][0-9a-f]{3}:/;
/** Several labels, the last of which is a word. */
const NAMED_HOST = /^(?:[\w-]{1,63}\.){1,20}(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})\.?$/;
/** The last label of names that mean something else in each network, or that lead back to the machine itself. */
const LOCAL_NAMES = wordSet(
  "localhost local localdomain internal intranet lan home corp private test invalid svc arpa onion host docker",
);
const LOOPBACK_NAMES = wordSet("localtest.me lvh.me vcap.me nip.io sslip.io xip.io");

/** Whether a host is the same one for everybody. Loopback, private networks and names without a dot are not. */
function isOtherHost(host: string): boolean {
  const [, first, second] = IPV4.exec(host) ?? [];
  if (first !== undefined) return isPublic(Number(first), Number(second));
  if (host.startsWith("[")) return GLOBAL_IPV6.test(host);
  if (!NAMED_HOST.test(host)) return false;
  const labels = host.replace(/\.$/, "").split(".");
  return !LOCAL_NAMES.has(labels.at(-1)!) && !LOOPBACK_NAMES.has(labels.slice(-2).join("."));
}

function isPublic(first: number, second: number): boolean {
  if (first === 0 || first === 10 || first === 127 || first > 223) return false;
  if (first === 100) return second < 64 || second > 127;
  if (first === 169) return second !== 254;
  if (first === 172) return second < 16 || second > 31;
  if (first === 192) return second !== 168 && second !== 0;
  return first !== 198 || (second !== 18 && second !== 19);
}
