import { wordSet } from "../core/collections/word-list.ts";
import { fieldValue, isIncidental, isShell, wordsOf } from "../core/hints/calls.ts";

const MAX_VALUES = 24;
const MAX_NAME = 2048;

/** Tools that run code: it may depend on anything in its own machine. */
const CODE = wordSet("python ipython interpreter jupyter notebook repl code javascript");

/** A value in the arguments, with the name of its field. */
type Value = readonly [name: string, value: unknown];

/**
 * Whose world a call is about, as far as its arguments tell. `address`: everything in them that could differ between workers is the same
 * for all of them, such as an address of another host, and at least one such thing is there. In doubt it is the worker's own, because a
 * wrong "own" costs a hint, and a wrong "shared" tells honest workers to leave what works for them.
 *
 * A command runs in the worker's own machine and depends on what is there, even if it names another host.
 */
export function scopeOf(tool: string, args: unknown): "address" | "own" {
  if (isShell(tool) || wordsOf(tool).some((word) => CODE.has(word))) return "own";
  const values = valuesIn(args);
  const telling = values.filter((value) => !saysHow(value));
  const isShared = values.length <= MAX_VALUES && telling.length > 0 && telling.every(isUnique);
  return isShared ? "address" : "own";
}

/** The values in arguments, and in lists in them, read without running a getter; too many if there are more than are looked at. */
function valuesIn(args: unknown): Value[] {
  const fields = typeof args === "object" && args !== null ? (args as Record<string, unknown>) : { "": args };
  return Object.keys(fields)
    .slice(0, MAX_VALUES + 1)
    .flatMap((name) => {
      const value = fieldValue(fields, name);
      return (Array.isArray(value) ? value.slice(0, MAX_VALUES + 1) : [value]).map((each): Value => [name, each]);
    });
}

const METHOD = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/i;
/** Names of texts that say what to do with an address, and how to show what is there. */
const MANNER = wordSet("action prompt question format formats accept language");
/** Words in the names of numbers that say how much to read, and for how long. */
const AMOUNT = wordSet("max min limit length size page start end offset depth count wait delay width height");

/** Whether a value only says how to ask. It names nothing that one worker has and another lacks. */
function saysHow([name, value]: Value): boolean {
  if (value === undefined || value === null || value === "" || typeof value === "boolean") return true;
  if (isIncidental(name)) return true;
  if (typeof value === "number") return wordsOf(name).some((word) => AMOUNT.has(word));
  return typeof value === "string" && (METHOD.test(value) || MANNER.has(name.toLowerCase()));
}

const ADDRESS =
  /^([a-z][a-z0-9+.-]{1,20}):\/\/(?:[^\s/?#@]{0,256}@)?(\[[0-9a-f:.]{2,45}\]|[^\s/?#:@[\]]{1,253})(?::\d{0,5})?(?:[/?#]\S*)?$/i;
/** Schemes of addresses whose host is a host. In `attachment://report.pdf`, it is a file. */
const NETWORK = wordSet("http https ws wss ftp sftp postgres postgresql mysql mongodb redis rediss amqp amqps");

/** Whether a text as a whole names something that is the same for everybody. A text that only mentions an address does not. */
function isUnique([, value]: Value): boolean {
  if (typeof value !== "string" || value.length > MAX_NAME) return false;
  const [, scheme = "", host = ""] = ADDRESS.exec(value.trim().toLowerCase()) ?? [];
  return NETWORK.has(scheme) && isOtherHost(host) && !isAboutCaller(value.trim());
}

/** Words in an address that stand for the one who asks, or for what is theirs at the moment. */
const CALLERS = wordSet(
  "~ me my mine self whoami user current account profile settings preferences session cart basket checkout inbox notifications sandbox workspace devtools",
);
/** The first of several words: `my-orders`, `currentUser`. */
const OF_CALLER = /^(?:my|current)(?:[-_]|(?=[A-Z]))/;

/** A password or a key in an address: each worker may have its own. */
const CREDENTIALS =
  /^[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/?#@:]{0,128}:[^\s/?#@]{1,128}@|[?&][\w.-]{0,40}(?:key|token|sig|signature|auth|secret|password)=/i;

/** Whether what is at an address depends on who asks: `/users/me`, `?user=me`, `/my/orders`, `/runs/latest`, `?api_key=k7`. */
function isAboutCaller(address: string): boolean {
  if (CREDENTIALS.test(address)) return true;
  const [host = "", ...parts] = address.slice(address.indexOf("//") + 2).split(/[/?#&=]/);
  const labels = host.split(".");
  const words = [...labels.slice(0, labels.length > 2 ? 1 : 0), ...parts].map((part) => part.replace(/^(?:@|%40)/, ""));
  return words.at(-1) === "latest" || words.some((word) => CALLERS.has(word.toLowerCase()) || OF_CALLER.test(word));
}

/** Several labels, the last of which is a word. */
const NAMED_HOST = /^(?:[\w-]{1,63}\.){1,20}(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})\.?$/;
/** The last label of names that mean something else in each network, or that lead back to the machine itself. */
const LOCAL_NAMES = wordSet(
  "localhost local localdomain internal intranet lan home corp private test invalid svc arpa onion host docker box multipass",
);
/** Names that lead to the machine itself, into a network of its own, or to the address that is part of them, as `127.0.0.1.nip.io` does. */
const LOOPBACK =
  /(?:^|\.)(?:localhost\.|(?:localtest\.me|lvh\.me|vcap\.me|mshome\.net|ts\.net)\.?$)|\d[.-]\d{1,3}[.-]\d{1,3}[.-]\d/;

/** Whether a host is the same one for everybody. Numbers, loopback, private networks and names without a dot may not be. */
function isOtherHost(host: string): boolean {
  if (!NAMED_HOST.test(host) || LOOPBACK.test(host)) return false;
  return !LOCAL_NAMES.has(host.replace(/\.$/, "").split(".").at(-1)!);
}

/** Says that an address has nothing. Without a status, a failure may come from a program here, or from this network. */
const STATUS = /\b(?:404|410|451|50[0-4])\b/;
/** Says that a failure comes from the one who asks: from their rights, their machine, or what is theirs at the moment. */
const OWN_FAILURE =
  /(?:\b|_)(?:40[12379]\b|429\b|you|my\b|account|session|log(?:ged)?[ _-]?in\b|sign(?:ed)?[ _-]?in\b|token|api[ _-]?key|credential|quota|cart\b|draft|expired|denied|forbidden|unauthori[sz]ed|permission|proxy|localhost|127\.\d|disk\b|device|memory|file\b|today|now\b|yet\b|already)/i;
/** A letter of another script, or with an accent: such words are not known here. */
const OTHER_LETTER = /[^\P{L}a-zA-Z]/u;
const SHORT = 400;
const START = 120;

/**
 * Whether a failure of an address may be the same for everybody: it has a status that says so, and no word about the one who asks. Of a
 * long text, only the beginning and the end are read.
 */
export function isRemoteFailure(text: string): boolean {
  const said = text.length <= SHORT ? text : `${text.slice(0, START)}\n${text.slice(-START)}`;
  return STATUS.test(said) && !OWN_FAILURE.test(said) && !OTHER_LETTER.test(said);
}
