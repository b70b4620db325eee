/** Longer answers are about more than one thing's state. */
const SHORT_ANSWER = 400;

const GOES_ON =
  /(?:status|state|phase|stage|progress)["'>:=\s]{1,6}(?:[\w-]{0,30}ing\b|[\w-]{0,30}(?:progress|queued?|pend)|not[ _-]?ready|\d{1,2} ?%)|\b(?:pending|still \w{1,20}ing|running|in[ _-]progress|queued|waiting|loading|not[ _-](?:yet|ready)|processing|(?:container)?creating|starting|initiali[sz]ing|provisioning|\d{1,2} ?% (?:done|complete))\b/i;
const IS_OVER =
  /(?:^|[^a-z])(?:failed|failure|error(?:ed)?|crash\w{0,12}|roll(?:ed)?[ _-]?back|cancell?ed|aborted|rejected|expired|terminated|killed|not found|exited(?! (?:with )?(?:exit )?(?:code|status):? 0)|stopped|dead)(?![a-z])|(?:status|state|phase|conclusion)["'>:=\s]{1,6}(?:declined|denied|closed|completed?|finished|succeeded|success|done|resolved|ended|merged|delivered)\b/i;

/** Whether an answer says that something is still going on, so that another check makes sense. */
export function saysItGoesOn(text: string): boolean {
  return text.length <= SHORT_ANSWER && GOES_ON.test(text);
}

/** Whether an answer says that there is nothing left to wait for. */
export function saysItIsOver(text: string): boolean {
  return text.length <= SHORT_ANSWER && IS_OVER.test(text) && !GOES_ON.test(text);
}

/** Longer answers say more than what they confirm. */
const CURT = 120;
const CHANGED =
  /\b[1-9]\d{0,8} (?:rows?|records?|documents?|items?|files?|entries|messages?|objects?|jobs?)\b|(?:affected|deleted|updated|modified|inserted|processed|removed|moved)\w{0,12}"?\s{0,2}[:=]?\s{0,2}[1-9]|^(?:DELETE|UPDATE|INSERT \d{1,9}) [1-9]/i;

/** Whether a short answer says how much was changed: the next thousand rows. */
export function saysWhatChanged(text: string): boolean {
  return text.length <= CURT && CHANGED.test(text);
}

const ACKNOWLEDGES = /^\W{0,8}(?:\p{L}{2,20}ed|ok(?:ay)?|done|success(?:ful(?:ly)?)?|sent|set)\b[^\n]{0,60}\s{0,8}$/iu;

/** Whether a short answer says only that something was done: "Clicked", "ok". */
export function acknowledges(text: string): boolean {
  return text.length <= CURT && ACKNOWLEDGES.test(text);
}

const NOTHING =
  /^(?:|\[\]|\{\}|null|none|nil|undefined|0|""|''|\(?0 [a-z]{2,20}\)?|no (?:results?|matches|matching|files?|rows|entries|records|data)\b.{0,80}|no [\w ]{1,40}(?:found|available))[.!]?$/i;
/** What harnesses wrap around an output. */
const WRAPPING = /<[^<>\s]{1,30}>|\bexit(?:ed)?(?: with)?(?: code| status)?:? {0,2}-?\d{1,3}/gi;

/** Whether an answer says that there is nothing: empty, an empty list, no matches. */
export function saysNothing(text: string): boolean {
  if (text.length > 400) return false;
  const bare = text.trim();
  if (bare.length < 2) return true;
  if (text.length < CURT && NOTHING.test(bare)) return true;
  return (bare.includes("<") || /exit/i.test(bare)) && bare.replace(WRAPPING, "").trim().length < 2;
}

/** Longer results come from calls that ran. */
const MAX_CANCELLATION = 300;
const DID_NOT_RUN =
  /\bsibling tool call\b|\btool (?:call|use|execution)s? (?:was |were |has been )?(?:cancell?ed|aborted|skipped|interrupted|not executed)|^\W{0,3}(?:error: )?(?:<[a-z_]{1,20}>)?(?:cancell?ed|aborted|interrupted|not executed|skipped)(?:\W{0,3}$|[\])]| (?:by|because|due|before)\b)|\bcall never started\b|\b(?:request|operation) (?:was )?(?:aborted|interrupted|cancell?ed)\b/i;
/** A call that timed out did run. */
const TIMED_OUT = /\b(?:aborted|interrupted|cancell?ed) (?:due to|because of|after) (?:an? |the )?time-?out\b/i;

/** Whether a failing result says that the call never ran: another call of the round failed first, or somebody pressed stop. */
export function didNotRun(text: string, isFailing: boolean): boolean {
  return isFailing && text.length <= MAX_CANCELLATION && DID_NOT_RUN.test(text) && !TIMED_OUT.test(text);
}

const FAILING_TESTS =
  /\b(\d{1,6}) (?:failed|failing|failures?|errors?)\b|\bfailures=(\d{1,6})\b|\bFailed:\s{0,3}(\d{1,6})\b/gi;

/** How many tests fail according to a test runner's last words, the most that it says of suites and tests; undefined if it does not. */
export function failingTests(output: string): number | undefined {
  const counts = [...output.slice(-600).matchAll(FAILING_TESTS)].map((match) =>
    Number(match[1] ?? match[2] ?? match[3]),
  );
  return counts.length === 0 ? undefined : Math.max(...counts);
}
