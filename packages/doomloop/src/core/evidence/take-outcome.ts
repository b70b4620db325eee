import { compact, setRecent } from "../collections/bounded.ts";
import { type Digest, digestOfAll, uniqueDigest } from "../identity/digest.ts";
import { likeness, stemsOf } from "../identity/stems.ts";
import { mark } from "../memory/marks.ts";
import type { RunState, Voice } from "../memory/run-state.ts";
import { isFailing, type Step } from "../memory/step.ts";
import { acknowledges, saysItGoesOn, saysNothing } from "../outcome/answer-says.ts";
import { type MaskedText, type Masking, maskText, withMiddle } from "../outcome/mask-text.ts";
import { readFailure } from "../outcome/read-failure.ts";
import type { Outcome } from "../outcome/read-outcome.ts";
import { hashWith } from "./new-step.ts";
import {
  FEW_PIECES,
  LONG_ANSWER,
  NO_CALLS,
  NO_REPEATS,
  NO_TIMES,
  PIECES_PER_NEW_ONE,
  VALUE_LENGTH,
} from "./numbers.ts";

/** Longer texts are masked at the beginning and the end only, and skimmed in between. */
const WHOLE = 2048;
const HEAD = 1024;
const TAIL = 512;
const ACT_ANSWER = 400;
/** Long outcomes of one call that differ in numbers only are one outcome. */
const SOFT_PIECES = 4;
const MAX_LATEST = 96;
const SHORT_NO = 120;
/** `false` is a character longer than `true`, and says no more. */
const CLEARLY_MORE = 1.5;
/** So many answers that say more, each to one call, are what a tool usually says. */
const USUAL = 3;
const MAX_VOICES = 24;
const MAX_TOOLS = 12;

/** Notes on a step what its outcome says, whether it is news, and whether it may have changed something. */
export function takeOutcome(run: RunState, step: Step, outcome: Outcome): void {
  const { text, length } = outcome;
  step.isSeen = true;
  step.isSynthetic = outcome.isSynthetic;
  step.length = length;
  step.tookMs = outcome.at !== undefined && step.at !== undefined ? Math.max(0, outcome.at - step.at) : 0;
  const isVouched = step.effect === "look" || step.effect === "watch" || step.effect === "say";
  step.failure = outcome.isSynthetic ? undefined : readFailure(text, outcome.error, isVouched, step.isFileRead);
  step.isNothing = outcome.isComparable && (length < 2 || saysNothing(text));
  const masked = maskWhole(text, maskingFor(step));
  step.pieces = masked.pieces.length;
  step.fresh = 0;
  for (const piece of masked.pieces) if (mark(run.pieces, piece)) step.fresh++;
  step.raw = masked.rest ^ length;
  // What cannot be compared equals nothing.
  step.value = outcome.isComparable ? valueFor(run, step, masked, outcome.digest) : uniqueDigest("outcome", step.index);
  if (step.failure === undefined && !step.isNothing) noticeNo(run, step, text);
  step.isFirst = mark(run.met, hashWith(2, step.value));
  const isNewText = step.pieces < FEW_PIECES || step.fresh * PIECES_PER_NEW_ONE > step.pieces;
  step.isNews = !step.isSynthetic && !isFailing(step) && !step.isNothing && step.isFirst && isNewText;
  step.isChange = !step.isSynthetic && mayChange(step, text) && isFirstSuccess(run, step);
}

/** Of a long text, the beginning and the end are cut between lines if it has any: half a number would be another number. */
function maskWhole(text: string, masking: Masking): MaskedText {
  if (text.length <= WHOLE) return maskText(text, masking);
  const lastBreak = text.lastIndexOf("\n", HEAD);
  const head = lastBreak > 0 ? lastBreak : HEAD;
  const firstBreak = text.indexOf("\n", text.length - TAIL);
  const tail = firstBreak < 0 ? text.length - TAIL : firstBreak;
  return withMiddle(maskText(`${text.slice(0, head)}\n${text.slice(tail)}`, masking), text, head, tail);
}

/** Tools that hand out items of a queue: what differs from one item to the next may be its id alone. */
const HANDS_OUT =
  /(?:^|[^A-Za-z])(?:next|pop|dequeue|claim|lease|receive)(?![a-z])|(?:Next|Pop|Dequeue|Claim|Lease|Receive)(?![a-z])/;

/** A confirmation of what was said is the same whatever id comes back; what an act has made has another one each time. */
function maskingFor({ tool, effect, isCommand, failure, length }: Step): Masking {
  if (isCommand || failure !== undefined) return "volatile";
  if (HANDS_OUT.test(tool)) return "clocks";
  if ((effect === "say" || effect === "write") && length <= LONG_ANSWER) return "numbers";
  return effect === "act" && length <= ACT_ANSWER ? "ids" : "volatile";
}

/** The identity of the outcome: that of the call's latest one if it says the same but for numbers that were read. */
function valueFor(run: RunState, step: Step, masked: MaskedText, whole: Digest | undefined): Digest {
  const { numbers, sum } = masked;
  const own = whole === undefined ? masked.digest : digestOfAll(whole);
  const isFail = step.failure !== undefined;
  // `user7` is who comes next; in a failure, `attempt7` only counts on.
  const words = isFail ? masked.words : masked.words ^ masked.names;
  const plain = isFail ? `!${own}` : own;
  const before = run.latest.get(step.key);
  const way = before === undefined ? 0 : Math.sign(sum - before.sum);
  const isAlike = before !== undefined && before.words === words && before.isFailing === isFail;
  const isCounting = isAlike && isFail && whole === undefined && before.numbers === numbers;
  const isSame =
    isCounting ||
    (isAlike &&
      step.pieces >= SOFT_PIECES &&
      (whole === undefined || before.sum !== sum) &&
      !(way !== 0 && way === before.way));
  step.isSoft = isSame && !isCounting && before.value !== plain;
  const value = isSame ? before.value : plain;
  setRecent(run.latest, step.key, { value, isFailing: isFail, words, numbers, sum, way }, MAX_LATEST);
  return value;
}

function mayChange(
  { effect, brings, length, isCommand, isNothing, failure, isNo, pieces, fresh }: Step,
  text: string,
): boolean {
  if (failure !== undefined || isNo || (isNothing && effect === "act" && length > 1)) return false;
  // What other calls were answered before is no sign that this one did anything.
  if (effect === "act" && pieces > 0 && fresh === 0 && !acknowledges(text)) return false;
  if (effect === "act" || effect === "write") return true;
  return effect === "move" ? brings && length <= VALUE_LENGTH : effect === "test" && isCommand;
}

function isFirstSuccess(run: RunState, step: Step): boolean {
  return mark(run.met, hashWith(3, step.key));
}

/**
 * Notices a no: a short answer that several different calls of a tool got, which otherwise has more to say, and that names nothing of the
 * call. It is known late, so earlier steps with this answer were a no, too.
 */
function noticeNo(run: RunState, step: Step, text: string): void {
  if (step.isCommand || !["look", "watch", "act", "move"].includes(step.effect)) return;
  let voices = run.voices.get(step.tool);
  if (voices === undefined) {
    voices = [];
    setRecent(run.voices, step.tool, voices, MAX_TOOLS);
  }
  const voice = voiceOf(voices, step);
  if (voice === undefined) return;
  voice.times++;
  if (!step.isNewCall) voice.repeats++;
  if (voice.calls.length < NO_CALLS && !voice.calls.includes(step.key))
    voice.calls = compact([...voice.calls, step.key]);
  if (step.length > SHORT_NO || voice.calls.length < NO_CALLS || voice.times < NO_TIMES) return;
  // What a tool said first is its usual answer, and an exception that says more makes no "no" of it. Several are no exceptions.
  const more = voices.filter((other) => other.length > CLEARLY_MORE * step.length && other.calls.length === 1);
  const saysMore = more.length >= USUAL || more.some((other) => voices.indexOf(other) < voices.indexOf(voice));
  // A tool that has said nothing else yet, in more than a word, to calls of which several were made again.
  const saysOnlyThis = voices.length === 1 && voice.repeats >= NO_REPEATS && text.trim().includes(" ");
  if (!saysMore && !saysOnlyThis) return;
  if (acknowledges(text) || saysItGoesOn(text) || likeness(stemsOf(text), step.stems) > 0) return;
  step.isNo = true;
  for (const other of run.steps)
    if (other.tool === step.tool && other.value === step.value)
      Object.assign(other, { isNo: true, isNews: false, isChange: false });
}

function voiceOf(voices: Voice[], { value, length }: Step): Voice | undefined {
  const known = voices.find((voice) => voice.value === value);
  if (known !== undefined || voices.length === MAX_VOICES) return known;
  const voice: Voice = { value, calls: [], length, times: 0, repeats: 0 };
  voices.push(voice);
  return voice;
}
