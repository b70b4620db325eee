import { wordSet } from "../core/collections/word-list.ts";
import { isIncidental } from "../core/evidence/new-step.ts";
import { type CallReading, CODE, fieldsOf, fieldValue, wordsOf } from "../core/progress/read-call.ts";

const MAX_VALUES = 24;
const MAX_DEPTH = 3;
const MAX_NAME = 2048;

/** A value in the arguments, with the name of its field. */
interface Value {
  readonly name: string;
  readonly value: unknown;
}

/**
 * Whose world a call is about, as far as its arguments tell. `address`: everything in them that could differ between workers is the same
 * for all of them, such as an address of another host, and at least one such thing is there. In doubt it is the worker's own, because a
 * wrong "own" costs a hint, and a wrong "shared" tells honest workers to leave what works for them.
 *
 * A command runs in the worker's own machine and depends on what is there, even if it names another host.
 */
export function scopeOf({ tool, command, args }: Pick<CallReading, "tool" | "command" | "args">): "address" | "own" {
  if (command !== undefined || wordsOf(tool).some((word) => CODE.has(word))) return "own";
  const values = valuesIn(args)?.filter((value) => !saysHow(value)) ?? [];
  const [owner, repo] = ["owner", "repo"].map((name) => fieldValue(fieldsOf(args), name));
  const isRepository = typeof owner === "string" && typeof repo === "string" && !isCallers(withoutAt(owner));
  const isShared = (value: Value): boolean => isUnique(value) || (isRepository && isInRepository(value));
  return values.length > 0 && values.every(isShared) ? "address" : "own";
}

/** The values in arguments, read without running a getter; undefined if there are too many to look at. */
export function valuesIn(args: unknown): readonly Value[] | undefined {
  const found: Value[] = [];
  let level: readonly Value[] = [{ name: "", value: args }];
  for (let depth = 0; depth <= MAX_DEPTH; depth++) {
    found.push(...level.filter(({ value }) => typeof value !== "object" || value === null));
    level = level.flatMap(inside);
    if (found.length + level.length > MAX_VALUES) return undefined;
  }
  return level.length === 0 ? found : undefined;
}

/** The values in a value. Those in a list have the name of the list. */
function inside({ name, value }: Value): Value[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.keys(value)
    .slice(0, MAX_VALUES + 1)
    .map((key) => {
      const { get, value: inner } = Object.getOwnPropertyDescriptor(value, key)!;
      return { name: Array.isArray(value) ? name : key, value: get ?? inner };
    });
}

const METHOD = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/i;
/** Names of texts that say what to do with an address, and how to show what is there. */
const MANNER = wordSet("action prompt question format formats accept language");
/** Words in the names of numbers that say how much to read, and for how long. */
const AMOUNT = wordSet("max min limit length size page start end offset depth count wait delay width height");

/** Whether a value only says how to ask. It names nothing that one worker has and another lacks. */
export function saysHow({ name, value }: Value): boolean {
  if (value === undefined || value === null || value === "" || typeof value === "boolean") return true;
  if (isIncidental(name)) return true;
  if (typeof value === "number") return wordsOf(name).some((word) => AMOUNT.has(word));
  return typeof value === "string" && (METHOD.test(value) || MANNER.has(name.toLowerCase()));
}

/** Names of what every worker sees in a repository of a forge, if `owner` and `repo` name one. */
const IN_REPOSITORY = wordSet("owner repo path ref branch sha tag");

function isInRepository({ name, value }: Value): boolean {
  return typeof value === "number" || (typeof value === "string" && IN_REPOSITORY.has(name));
}

const ADDRESS =
  /^([a-z][a-z0-9+.-]{1,20}):\/\/(?:[^\s/?#@]{0,256}@)?(\[[0-9a-f:.]{2,45}\]|[^\s/?#:@[\]]{1,253})(?::\d{0,5})?(?:[/?#]\S*)?$/i;
const UUID = /^(?:urn:uuid:)?[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
/** An id of anything else, such as `session_id`, may have come with the image of the sandbox. */
const ID = wordSet("id uuid");
/** Schemes of addresses whose host is a host. In `attachment://report.pdf`, it is a file. */
const NETWORK = wordSet("http https ws wss ftp sftp postgres postgresql mysql mongodb redis rediss amqp amqps");
/** Buckets have names that are unique in the world, without a dot. */
const BUCKETS = wordSet("s3 s3a gs gcs r2 abfss wasbs");

/** Whether a text as a whole names something that is the same for everybody. A text that only mentions an address does not. */
function isUnique({ name, value }: Value): boolean {
  if (typeof value !== "string" || value.length > MAX_NAME) return false;
  const text = value.trim();
  const address = addressIn(text.toLowerCase());
  if (address === undefined) return (name === "" || ID.has(name.toLowerCase())) && UUID.test(text);
  const { scheme, host } = address;
  return (BUCKETS.has(scheme) || (NETWORK.has(scheme) && isOtherHost(host))) && !isAboutCaller(text);
}

/** The scheme and the host of a text, in lower case, that is an address as a whole. */
export function addressIn(text: string): { readonly scheme: string; readonly host: string } | undefined {
  const [, scheme = "", host] = ADDRESS.exec(text) ?? [];
  return host === undefined ? undefined : { scheme, host };
}

/** Words in an address that stand for the one who asks, or for what is theirs at the moment. */
const CALLERS = wordSet(
  "~ me my mine self whoami user current account profile settings preferences session cart basket checkout inbox notifications sandbox workspace devtools",
);
/** An account that stands for none, as emulators of a cloud have. */
const NO_ACCOUNT = /^0{6,32}$/;
/** The first of several words: `my-orders`, `currentUser`. */
const OF_CALLER = /^(?:my|current)(?:[-_]|(?=[A-Z]))/;

/** A password or a key in an address: each worker may have its own. */
const CREDENTIALS =
  /^[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/?#@:]{0,128}:[^\s/?#@]{1,128}@|[?&][\w.-]{0,40}(?:key|token|sig|signature|auth|secret|password)=/i;

/** Whether what is at an address depends on who asks: `/users/me`, `?user=me`, `/my/orders`, `/runs/latest`, `?api_key=k7`. */
export function isAboutCaller(address: string): boolean {
  if (CREDENTIALS.test(address)) return true;
  const [host = "", ...parts] = address.slice(address.indexOf("//") + 2).split(/[/?#&=]/);
  const labels = host.split(".");
  const words = [...(labels.length > 2 ? labels.slice(0, 1) : []), ...parts].map(withoutAt);
  return words.some(isCallers) || words.at(-1) === "latest";
}

function withoutAt(part: string): string {
  return part.replace(/^(?:@|%40)/, "");
}

function isCallers(word: string): boolean {
  return CALLERS.has(word.toLowerCase()) || OF_CALLER.test(word) || NO_ACCOUNT.test(word);
}

const IPV4 = /^(\d{1,3})\.(\d{1,3})\.\d{1,3}\.\d{1,3}$/;
const GLOBAL_IPV6 = /^\[[23][0-9a-f]{3}:/;
/** Several labels, the last of which is a word. */
const NAMED_HOST = /^(?:[\w-]{1,63}\.){1,20}(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})\.?$/;
/** The last label of names that mean something else in each network, or that lead back to the machine itself. */
const LOCAL_NAMES = wordSet(
  "localhost local localdomain internal intranet lan home corp private test invalid svc arpa onion host docker box multipass",
);
/** Names that lead to the machine itself, into a network of its own, or to the address that is part of them, as `127.0.0.1.nip.io` does. */
const LOOPBACK =
  /(?:^|\.)(?:localhost\.|(?:localtest\.me|lvh\.me|vcap\.me|mshome\.net|ts\.net)\.?$)|\d[.-]\d{1,3}[.-]\d{1,3}[.-]\d/;

/** Whether a host is the same one for everybody. Loopback, private networks and names without a dot are not. */
export function isOtherHost(host: string): boolean {
  const [, first, second] = IPV4.exec(host) ?? [];
  if (first !== undefined) return isPublic(Number(first), Number(second));
  if (host.startsWith("[")) return GLOBAL_IPV6.test(host);
  if (!NAMED_HOST.test(host) || LOOPBACK.test(host)) return false;
  return !LOCAL_NAMES.has(host.replace(/\.$/, "").split(".").at(-1)!);
}

function isPublic(first: number, second: number): boolean {
  if (first === 0 || first === 10 || first === 127 || first > 223) return false;
  if (first === 100) return second < 64 || second > 127;
  if (first === 169) return second !== 254;
  if (first === 172) return second < 16 || second > 31;
  if (first === 192) return second !== 168 && second !== 0;
  return first !== 198 || (second !== 18 && second !== 19);
}
