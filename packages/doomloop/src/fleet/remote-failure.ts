import { wordSet } from "../core/collections/word-list.ts";
import { tellingLine } from "../core/outcome/read-failure.ts";
import { isElsewhere, isNamed, isOwnHost } from "./named-places.ts";

/** Statuses that say something about an address. Beyond 520, they are those of networks that stand before a server. */
const STATUS = /^(?:40[0456]|41[045]|422|451|50[0-5]|5[23]\d)$/;
/** Statuses that depend on who asks, and when. */
const OWN_STATUS = /^(?:40[12379]|429)$/;
/** Statuses that say that nothing is there. */
const MISSING = /^4(?:04|10)$/;

/** Says that what was asked for is not there, is closed or is broken, or that a name leads nowhere. */
const NOTHING_THERE =
  /\b(?:not ?found|gone|manifest unknown|(?:no ?such|the specified) key|no ?such|no longer|(?:not|doesnt) exist(?: or you (?:do not|dont) have permission(?: to \w+ \w+)?)?|(?:cannot|cant|could not|couldnt) (?:be )?(?:find|found)|(?:connection |econn)refused|cert(?:ificate)? has expired|domain (?:name )?(?:has )?expired|unresolved|nxdomain|enotfound|dns|gaierror|getaddrinfo|unknown host|(?:not|failed to|unable to|could not|couldnt|cannot|cant) (?:be )?resolved?|not known|is known)\b/g;

/**
 * The words in which servers, browsers and clients say that an address has nothing, and the general words for what can have an address. A
 * failure that says anything else may be about the one who asks: a cart, a draft, a token, a quota, a program, today.
 */
const PLAIN_WORDS = wordSet(`
  a an the this that it its is was were are be been has have had do does doesnt did didnt not no none isnt wasnt arent or nor and but if of for to at by on in with
  from as there here which what we you youre can cant cannot could couldnt may might unable failed fails fail failure error errors err exception
  exceptions exist exists found find any more longer anymore unknown known invalid
  page pages url uri urls resource resources document doc docs documentation article post item record object entity content site website web
  endpoint route path host hostname domain name server service repository repo project issue ticket bucket database version release
  package tag image manifest field node
  http https status code codes response responded returned return resulted request requests requested client message detail details reason type
  title method get head put patch delete options allowed acceptable implemented bad gateway timeout internal unprocessable unavailable
  temporarily legal reasons unsupported media remote indicate success true false ok null unexpected received got fetch fetching load loading goto
  open navigate access accessing reach reached retrieve looking specified matches match timestamp information see check awaiting sent
  moved removed deleted renamed permanently available oops sorry fatal
  occurred when calling operation scrape axios
  net netloc dns lookup resolve translate resolved resolution resolving nodename servname provided address addresses associated dial tcp urlopen socket
  connection connect connector ssl default pool max retries exceeded caused cause due errno records results origin probe finished typo
  aborted sending ray id ip port app establish new changed finding unresolved about neterror twisted java io system php network getaddresses urllib curl driver nsurl`);

/** What servers and clients say besides, where a status says that nothing is there, or a name leads nowhere. Otherwise, it may be about a file or a program here. */
const BESIDE = wordSet(
  "api retired deprecated discontinued sunset entry entity static file files contents text body data wget response",
);

const TAG = /<[a-z!/][^<>]{0,300}>?/gi;
const IS_PAGE = /^\s{0,99}<(?:!doctype|html|head|title|body)\b/i;
const TITLE = /<title\b[^<>]{0,99}>([^<]{0,200})/i;
/** A quoted name within a sentence: `Failed to resolve 'docs'`. In a record, a quoted word is a value, and may say what is wrong. */
const QUOTED_NAME = /([a-z] )["'`][\w.-]{1,99}["'`]/gi;
/** Go says which server it has asked for a name. */
const RESOLVER = / on [\d.:a-f[\]]{3,45}:53\b/gi;
const OWN_NETWORK = /(?:^|\W)(?:127\.\d|::1\b|localhost\b)|\w\.(?:local|internal|localdomain|lan)(?![\w.])/i;
/** What clients add to the failure: where to read about it. */
const POINTER = /\b(?:information check|documentation_url)\W{1,5}https:\/\/\S{1,200}/gi;
/** A host that could not be found. It may have only one label. */
const UNRESOLVED =
  /\b(?:ENOTFOUND |resolve host(?: address)?:? |(?:resolve|host name) (?=["']))["'‘]?([\w.-]{1,253})/gi;
/** A letter of another script, or with an accent. Every word of ours is plain. */
const OTHER_LETTER = /[^\P{L}a-zA-Z]/u;
const SEPARATORS = /[\s"`<>()[\]{},;=|·–—]+/;
const NUMBER = /^\d/;
const ID = /^(?=\D{0,64}\d)[0-9a-f-]{8,64}$/i;
const DOTTED = /^[\w-]{1,63}(?:[.\\][\w$-]{1,63}){1,12}(?::\d{1,5})?$/;
const PRODUCT = /^[\w.-]{1,40}\/\d/;
const ENDS_IN_ERROR = /(?:error|exception)$/i;

/**
 * Whether a failure says that an address has nothing, and nothing else: so it is the same for everybody. Wherever a word remains that does
 * not belong to that, or a place that the call doesn't name, the failure may come from the one who asks, and the answer is no.
 */
export function isRemoteFailure(text: string, places: readonly number[]): boolean {
  const whole = textOf(text).replace(RESOLVER, "").replace(POINTER, "");
  if (OWN_NETWORK.test(whole) || isAboutElsewhere(whole, places)) return false;
  const bare = whole.replace(QUOTED_NAME, "$1").replace(/['’](?:s\b)?(?=[a-z ])/gi, "");
  const words: string[] = [];
  let [hasStatus, isClear, hasPath] = [false, whole.search(UNRESOLVED) >= 0, false];
  for (const token of tokensIn(bare)) {
    if (OWN_STATUS.test(token)) return false;
    if (MISSING.test(token)) isClear = true;
    if (STATUS.test(token)) hasStatus = true;
    else if (isNamed(token, places)) continue;
    else if (token.startsWith("/") && !token.startsWith("//")) hasPath = true;
    else words.push(...wordsIn(token));
  }
  const said = words.join(" ");
  const rest = said.replace(NOTHING_THERE, " ");
  if ((rest === said || hasPath) && !hasStatus) return false;
  const isPlain = (word: string): boolean => PLAIN_WORDS.has(word) || (isClear && BESIDE.has(word));
  return rest.split(" ").every((word) => word === "" || isPlain(word));
}

/** Whether a failure names a host or an address that the call doesn't name: a proxy, a login page. */
function isAboutElsewhere(text: string, places: readonly number[]): boolean {
  for (const [, host] of text.matchAll(UNRESOLVED)) if (!isOwnHost(host!, [], places)) return true;
  return tokensIn(text).some((token) => isElsewhere(token, places));
}

function tokensIn(text: string): string[] {
  return text.split(SEPARATORS).map(withoutSigns);
}

/** Shorter texts are read as a whole. Of longer ones, only the beginning and the line that tells are. */
const SHORT = 400;
const START = 80;
/** The title of a page stands near its beginning. */
const START_OF_PAGE = 2048;

/** What a failure says, without markup. Of a page, that is the title: what follows is written for every visitor. */
function textOf(text: string): string {
  if (IS_PAGE.test(text)) {
    const title = TITLE.exec(text.slice(0, START_OF_PAGE))?.[1];
    if (title !== undefined && text.length > SHORT) return title;
  }
  const start = text.slice(0, START);
  const whole =
    text.length <= SHORT ? text : `${start.slice(0, start.search(/\s[!-~]*$/) + 1) || start}\n${tellingLine(text)}`;
  return withoutSignature(whole).replaceAll("<http", " http").replace(TAG, " ");
}

/** What stands below the line at the end of a server's page is the server's name. */
function withoutSignature(text: string): string {
  const line = text.lastIndexOf("<hr");
  return line > 0 && IS_PAGE.test(text) ? text.slice(0, line) : text;
}

/** A token without the signs around it, except those that begin a path. */
function withoutSigns(part: string): string {
  if (OTHER_LETTER.test(part)) return part;
  let end = part.length;
  while (end > 0 && !/\w/.test(part.charAt(end - 1))) end--;
  return part.slice(0, end).replace(/^[^\w./~\\]+/, "");
}

/** The words of a token. Numbers, ids, names of hosts and addresses have none: they say where, not what. */
function wordsIn(token: string): string[] {
  if (OTHER_LETTER.test(token)) return [token];
  if (token === "" || NUMBER.test(token) || token.includes("//") || ID.test(token) || PRODUCT.test(token)) return [];
  const isDotted = DOTTED.test(token);
  if (isDotted && !ENDS_IN_ERROR.test(token)) return [];
  const name = isDotted ? token.split(/[.\\]/).at(-1)! : token;
  return name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9./~\\]+/)
    .filter((word) => word.length > 1);
}
