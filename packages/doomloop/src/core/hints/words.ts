/** What a word of a result may mean. A sum of these. */
export const FAILS = 1;
/** It names a failure where a line begins with it. */
export const NAMES = 2;
/** It may pass by itself. */
/** The same before a colon or at the end of a sentence, wherever it stands; and after a number of them. */
export const MARKED = 2048;
export const COUNTED = 4096;
export const TRANSIENT = 4;
/** It stays, however often it is tried. */
export const FINAL = 8;
export const PENDING = 16;
export const OVER = 32;
/** "0 failed", "no errors": what follows is denied. */
export const DENIES = 64;
/** "exit code 1", "exited with status 2". */
export const EXIT = 128;
export const CODE = 256;
/** A test that passed, whatever its title says. */
export const PASSES = 512;
/** "ok", "done": it only confirms. */
export const DONE = 1024;
/** `failed: 0`, `"error": null`: what came before is denied. */
export const EMPTY = 8192;

/** Words and pairs of words, by whom they were seen with. */
const MEANINGS: readonly (readonly [meaning: number, words: string])[] = [
  // Shells and system calls: bash, git, npm, curl
  [FAILS, "failed,cannot,can't,couldn't,unable,denied,refused,fatal,usage"],
  [FAILS, "not found,no such,could not,not exist,doesn't exist,not pass,not permitted,not allowed,not defined"],
  // Python, JavaScript, Java, Go, Rust; JSON-RPC and MCP servers
  [FAILS, "traceback,malformed,unrecognized,unrecognised,unauthorized,unauthorised,forbidden"],
  [NAMES, "error,errors,exception,failure,failures,fail,invalid,unexpected,panic,unknown,unsupported"],
  [MARKED, "error,errors,exception,invalid"],
  // Runners of tests: jest, vitest, pytest, go test, cargo test, eslint
  [COUNTED, "failed,failing,failures,failure,errors,error,problems,problem"],
  [PASSES, "✔,✓,√,ok,passed"],
  // Anthropic's text editor, Cline, aider
  [FAILS, "no replacement,not appear,not match,not unique"],
  // HTTP servers, databases, package managers, clouds
  [TRANSIENT | FAILS, "timed out,connection refused,connection reset,econnrefused,econnreset,etimedout,eaddrinuse"],
  [TRANSIENT, "timeout,busy,overloaded,locked,unavailable,temporarily,temporary,deadlock,throttled,throttling"],
  [
    TRANSIENT,
    "again later,retry later,retry after,retry in,many requests,rate limit,rate limited,in use,429,502,503,504",
  ],
  [
    FINAL,
    "401,403,404,forbidden,unauthorized,unauthorised,authentication,permission,permissions,credentials,quota,denied",
  ],
  [
    FINAL,
    "syntax,malformed,invalid,unrecognized,unexpected,usage,unsupported,missing,required,not allowed,not permitted",
  ],
  // CI services, job queues, Kubernetes, clouds, pages that load
  [
    PENDING,
    "pending,running,queued,waiting,loading,processing,creating,containercreating,starting,initializing,provisioning",
  ],
  [PENDING, "in progress,in_progress,inprogress,not ready,not yet,still,scheduled,building,deploying,updating"],
  [OVER, "completed,finished,succeeded,success,failed,cancelled,canceled,aborted,rejected,expired,terminated,closed"],
  [OVER, "crashloopbackoff,stopped,merged,delivered,resolved,declined,killed,dead"],
  // Tools of all kinds that answer an act
  [DONE, "ok,okay,done,success,succeeded,successful,successfully,passed,valid,sent,set"],
  [DENIES, "0,no,without,zero"],
  [EMPTY, "0,false,null,none,undefined"],
  [EXIT, "exit,exited,return,returned,returncode,exitcode,exit_code,exit_status"],
  [CODE, "code,status,returncode,exitcode,exit_code,exit_status"],
];

const PRIME = 0x01000193;
export const FIRST = 0x811c9dc5 | 0;

/** Mixes the next character of a word, in lower case, into its hash. */
export function mixed(hash: number, unit: number): number {
  return Math.imul(hash ^ (unit >= 65 && unit <= 90 ? unit | 32 : unit), PRIME);
}

/** The hash of two words in a row. */
export function pairOf(first: number, second: number): number {
  return Math.imul(first ^ 0x2f, PRIME) ^ Math.imul(second, 0x5bd1e995);
}

const SLOTS = 1024;
const hashes = new Int32Array(SLOTS);
const meanings = new Int16Array(SLOTS);

for (const [meaning, words] of MEANINGS) {
  for (const phrase of words.split(",")) {
    const [first, second] = phrase.split(" ").map(hashOfWord);
    const hash = second === undefined ? first! : pairOf(first!, second);
    let at = hash & (SLOTS - 1);
    while (hashes[at] !== 0 && hashes[at] !== hash) at = (at + 1) & (SLOTS - 1);
    hashes[at] = hash;
    meanings[at] = meanings[at]! | meaning;
  }
}

function hashOfWord(word: string): number {
  let hash = FIRST;
  for (let at = 0; at < word.length; at++) hash = mixed(hash, word.charCodeAt(at));
  return hash;
}

/** What a word, or a pair of words, may mean; 0 for most. */
export function meaningOf(hash: number): number {
  for (let at = hash & (SLOTS - 1); hashes[at] !== 0; at = (at + 1) & (SLOTS - 1))
    if (hashes[at] === hash) return meanings[at]!;
  return 0;
}
