/** Longer answers are not about one thing's state. */
const SHORT = 400;
/** Up to this length, an answer that names a state, or says that something goes on, tells nothing else. */
const CURT = 120;

/** A state, by that name, that is told as something going on: `"phase": "Provisioning"`, `status=IN_PROGRESS`. */
const STATE_GOES_ON =
  /(?:status|state|phase|stage|health|conclusion|progress)["'>:=\s]{1,6}(?:[\w-]{0,30}ing\b|[\w-]{0,30}(?:progress|queued?|pend)|not[ _-]?(?:ready|started|yet)|["',}\s]{1,3}$|\d{1,2} ?%)/i;
const RUNS =
  /\b(?:process|command|task|job|container|session|build|run|script|agent)\b[^\n]{0,24}\b(?:running|pending|queued|waiting|in progress)\b/i;
const GOES_ON =
  /\b(?:pending|still \w{1,20}ing|running|in[ _-]progress|queued|waiting|not[ _-](?:yet|ready)|processing|(?:container)?creating|starting|initiali[sz]ing|provisioning|\d{1,2} ?% (?:done|complete))\b/i;
/** What speaks of a state at all. */
const STATE =
  /(?:status|\b(?:\w{0,20}_)?(?:state|phase|stage|health|conclusion|progress|ready|remaining|eta))["'>\s]{0,3}[:=>]/i;
const IS_OVER =
  /(?:^|[^a-z])(?:fail(?:ed|ure)?|error(?:ed)?|crash(?:ed|loopbackoff)?|rolled?[ _-]?back|rollback\w{0,20}|cancell?ed|aborted|rejected|expired|terminated|killed|not found|no such|does not exist|exited|stopped|dead)(?![a-z])/i;

/** Whether an answer says that something goes on: what it is about is worth another look. */
export function saysItGoesOn(text: string): boolean {
  return (
    text.length <= SHORT && (STATE_GOES_ON.test(text) || RUNS.test(text) || (text.length <= CURT && GOES_ON.test(text)))
  );
}

/** Whether an answer says that there is nothing to wait for any more. */
export function saysItIsOver(text: string): boolean {
  return text.length <= SHORT && IS_OVER.test(text) && !saysItGoesOn(text);
}

/** Whether an answer tells the state of something that may change by itself. */
export function tellsState(text: string): boolean {
  return saysItGoesOn(text) || (text.length <= CURT && STATE.test(text));
}
