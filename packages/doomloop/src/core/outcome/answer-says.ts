/** Longer answers are about more than one thing's state. */
const SHORT_ANSWER = 400;
/** Up to this length, an answer that names a state, or says that something is going on, says nothing else. */
export const CURT_LENGTH = 120;

/** A named state that is still changing: `"phase": "Provisioning"`, `status=IN_PROGRESS`. */
const STATE_GOES_ON =
  /(?:status|state|phase|stage|health|conclusion|progress)["'>:=\s]{1,6}(?:[\w-]{0,30}ing\b|[\w-]{0,30}(?:progress|queued?|pend)|not[ _-]?(?:ready|started|yet)|["',}\s]{1,3}$|\d{1,2} ?%)/i;
const RUNS =
  /\b(?:process|command|task|job|container|session|build|run|script|agent)\b[^\n]{0,24}\b(?:running|pending|queued|waiting|in progress)\b/i;
const GOES_ON =
  /\b(?:pending|still \w{1,20}ing|running|in[ _-]progress|queued|waiting|not[ _-](?:yet|ready)|processing|(?:container)?creating|starting|initiali[sz]ing|provisioning|\d{1,2} ?% (?:done|complete))\b/i;
/** A value, or a whole short answer, that is only a participle: `driving`, `"mode": "heating"`. */
const PARTICIPLE =
  /(?:^|[:=]\s{0,2}["']?)(?!(?:noth|someth|anyth|everyth|miss|warn|str|sett|exist|fail|pric|bill|shipp|ship|mail|build)ing\b)[a-z]{3,20}ing["']?\s{0,2}(?:[,}\n]|$)/i;
const IS_OVER =
  /(?:^|[^a-z])(?:fail(?:ed|ure)?|error(?:ed)?|crash(?:ed|loopbackoff)?|rolled?[ _-]?back|rollback\w{0,20}|cancell?ed|aborted|rejected|expired|terminated|killed|not found|no such|does not exist|exited|stopped|dead)(?![a-z])/i;

/** A named state that is final: `"status": "declined"`. */
const STATE_IS_OVER =
  /(?:status|state|phase|stage|conclusion)["'>:=\s]{1,6}(?:declined|denied|closed|completed?|finished|succeeded|success|done|resolved|ended|merged|delivered)\b/i;

/** Whether an answer says that something is still going on, so that another check makes sense. */
export function saysItGoesOn(text: string): boolean {
  return (
    text.length <= SHORT_ANSWER &&
    (STATE_GOES_ON.test(text) ||
      RUNS.test(text) ||
      (text.length <= CURT_LENGTH && (GOES_ON.test(text) || PARTICIPLE.test(text))))
  );
}

/** Whether an answer says that there is nothing left to wait for. */
export function saysItIsOver(text: string): boolean {
  return text.length <= SHORT_ANSWER && (IS_OVER.test(text) || STATE_IS_OVER.test(text)) && !saysItGoesOn(text);
}

const CHANGED =
  /\b[1-9]\d{0,8} (?:rows?|records?|documents?|items?|files?|entries|messages?|objects?|jobs?)\b|(?:affected|deleted|updated|modified|inserted|processed|removed|moved)\w{0,12}"?\s{0,2}[:=]?\s{0,2}[1-9]|^(?:DELETE|UPDATE|INSERT \d{1,9}) [1-9]/i;

/** Whether a short answer says how much was changed. */
export function saysWhatChanged(text: string): boolean {
  return text.length <= CURT_LENGTH && CHANGED.test(text);
}

/** "Clicked", "Launched the app": only that it was done. */
const ACKNOWLEDGES = /^\W{0,3}(?:\p{L}{2,20}ed|ok(?:ay)?|done|success(?:ful(?:ly)?)?|sent|set)\b[^\n]{0,60}$/iu;

/** Whether a short answer says only that something was done. */
export function acknowledges(text: string): boolean {
  return text.length <= CURT_LENGTH && ACKNOWLEDGES.test(text);
}

/** Longer results come from calls that ran. */
const MAX_CANCELLATION = 300;
const DID_NOT_RUN =
  /\bsibling tool call\b|\btool (?:call|use|execution)s? (?:was |were |has been )?(?:cancell?ed|aborted|skipped|interrupted|not executed)|^\W{0,3}(?:error: )?(?:<[a-z_]{1,20}>)?(?:cancell?ed|aborted|interrupted|not executed|skipped)(?:\W{0,3}$|[\])]| (?:by|because|due|before)\b)|\bcall never started\b|\b(?:request|operation) (?:was )?(?:aborted|interrupted|cancell?ed)\b|^\W{0,3}cancell?ed: (?:sibling|parallel)\b/i;

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
