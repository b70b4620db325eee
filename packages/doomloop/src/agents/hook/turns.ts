import { type Digest, digestOf } from "../../core/identity/digest.ts";
import { factsFor, stoppedBecause } from "../../core/messages/wording.ts";
import { MESSAGE_PREFIX } from "../../core/reading/result.ts";
import { presetOf } from "../../core/policy/levels.ts";
import type { HostRun } from "../../host/host-run.ts";
import type { Finding } from "../../index.ts";
import { type Dialect, type HookAnswer, type HookMoment, NOTHING, type TurnAbilities } from "./dialect.ts";

/** The turns of a run since the user spoke. The first is the user's; the others were started by the agent or by another hook. */
export interface Turns {
  /** How many have ended. */
  readonly ended: number;
  /** When the latest ended, if no event followed. */
  readonly endedAt?: number;
  /** The latest prompt. If it comes again as soon as a turn is over, nobody has typed it. */
  readonly prompt?: Digest;
  /** The agent's id of it. */
  readonly promptId?: Digest;
  /** The latest prompt that another hook gave, by what the agent said when that turn was over. */
  readonly ofHost?: Digest;
  /** What was said in these turns, if the agent repeats it all with each turn. */
  readonly said?: Said;
  /** A program has sent a prompt since the latest ended. It will send the next one, too, so that is the place to answer. */
  readonly isPrompted?: boolean;
  /** One that the user did not ask for was started by the agent itself, and not by another hook. */
  readonly isOwn?: boolean;
  /** As much speaks for a loop as it takes to end a run. */
  readonly isOver?: boolean;
  /** The agent was kept from taking another turn. If it takes one all the same, somebody wants it to. */
  readonly isHalted?: boolean;
}

interface Said {
  readonly length: number;
  readonly digest: Digest;
}

const NO_TURNS: Turns = { ended: 0 };

/** No turn is shorter. A second report of the same end comes from another hook of ours. */
const SHORTEST_TURN_MS = 100;
/** Nobody reads an answer and writes the same prompt again as fast as this. */
const TYPING_MS = 2_000;
/** Where nobody watches, nobody types: a script that sends the same again so soon goes on with the same. */
const SCRIPT_MS = 60_000;
/** Evidence is rounded to hundredths. */
const ENDED = presetOf("balanced").levels.ended - 0.01;

const HOW_TO_GO_ON = "To go on, write to the agent.";
const PLEASE_END = "No hook can end this agent between its turns. Look at it, and end it yourself.";

/** Whether another hook of ours has reported the end of this turn, or the prompt of which it is not sure whose it is. */
export function isSecondReport(
  moment: HookMoment,
  turns: Turns | undefined,
  now: number,
  isUndecided: boolean,
): boolean {
  if (moment.type === "user") return isUndecided && promptOf(moment) === turns?.prompt;
  return moment.type === "turn" && turns?.endedAt !== undefined && Math.abs(now - turns.endedAt) < SHORTEST_TURN_MS;
}

/** Whether a prompt comes from the agent itself or from another hook. */
export function isOfHost(moment: HookMoment, turns: Turns | undefined, now: number, isUnattended: boolean): boolean {
  if (moment.type !== "user" || turns === undefined || turns.ended === 0) return false;
  if (moment.isOfHost !== undefined) return moment.isOfHost;
  const prompt = promptOf(moment);
  if (moment.isUnsure === true && turns.isHalted !== true && (prompt === turns.ofHost || quotesUs(moment))) return true;
  if (moment.id !== undefined && digestOf(moment.id) === turns.promptId) return true;
  if (prompt !== turns.prompt || moment.text === undefined || turns.endedAt === undefined) return false;
  return now - turns.endedAt < (isUnattended ? SCRIPT_MS : TYPING_MS);
}

/** Whether a prompt may turn out to come from another hook, which speaks only when a turn is over. */
export function isInDoubt(moment: HookMoment, turns: Turns | undefined): boolean {
  return moment.type === "user" && moment.isUnsure === true && turns?.endedAt !== undefined && turns.isHalted !== true;
}

/** Whether a turn that ends was started by another hook, so that its prompt was not the user's. */
export function isContinued(moment: HookMoment, turns: Turns | undefined): boolean {
  if (moment.type !== "turn") return false;
  const isOther = moment.prompt !== undefined && digestWithoutNumbers(moment.prompt) !== turns?.prompt;
  return moment.isContinued === true || (isOther && turns?.prompt !== undefined);
}

/** The turns as the next event finds them. Undefined: they begin anew. `isGap`: the user may have spoken meanwhile. */
export function turnsBefore(turns: Turns = NO_TURNS, moment: HookMoment, isGap: boolean): Turns | undefined {
  const isResumed = turns.isHalted === true && moment.type !== "user";
  return isGap || isResumed ? undefined : turns;
}

type TurnEnd = Extract<HookMoment, { type: "turn" }>;

/** What is known about an event, besides the event. */
export interface TurnFacts {
  readonly at: number;
  /** The prompt comes from the agent itself or from another hook. */
  readonly isOfHost: boolean;
  readonly isOver: boolean;
  readonly isHalted: boolean;
}

export function turnsAfter(moment: HookMoment, before: Turns, { at, isOfHost, isOver, isHalted }: TurnFacts): Turns {
  const prompt = moment.type === "user" ? promptIn(moment) : {};
  const ofHost = isContinued(moment, before) ? before.prompt : before.ofHost;
  if ((moment.type === "user" && !isOfHost) || moment.type === "task")
    return { ended: 0, ...prompt, ...(ofHost !== undefined && { ofHost }) };
  const isPrompted =
    moment.type === "user" ? moment.isUnsure !== true : moment.type !== "turn" && before.isPrompted === true;
  const startedItself = moment.type === "turn" && moment.isOwn === true && before.ended > 0;
  const isOwn = before.isOwn === true || (startedItself && before.isPrompted !== true);
  return {
    ended: before.ended + (moment.type === "turn" ? 1 : 0),
    ...(isOwn && { isOwn }),
    ...(isPrompted && { isPrompted }),
    ...(before.prompt !== undefined && { prompt: before.prompt }),
    ...(before.promptId !== undefined && { promptId: before.promptId }),
    ...prompt,
    ...(ofHost !== undefined && { ofHost }),
    ...(moment.type === "turn" ? saidIn(moment) : before.said && { said: before.said }),
    // A prompt that is refused is over at once.
    ...((moment.type === "turn" || (moment.type === "user" && isHalted)) && { endedAt: at }),
    ...(isOver && { isOver }),
    ...(isHalted && { isHalted }),
  };
}

/** Whether so much speaks for this loop that a run is ended for it. */
export function isEnough(finding: Finding | undefined): boolean {
  return finding !== undefined && finding.weight >= ENDED;
}

/** What is said between two turns, by what a hook can do there. `over`: the loop for which there should be no other turn. */
export function betweenTurns(
  run: HostRun,
  able: TurnAbilities | undefined,
  over: Finding | undefined,
  dialect: Dialect,
): HookAnswer {
  if (over !== undefined && able?.end === true) {
    const what = run.stopped()?.explanation ?? stoppedBecause(over);
    return { type: "end", explanation: `${what} ${able.goOn ?? HOW_TO_GO_ON}` };
  }
  const canEnd = dialect.turnEnd?.end === true || dialect.prompt?.end === true;
  if (over !== undefined && !canEnd) return { type: "alarm", explanation: `${factsFor(over)} ${PLEASE_END}` };
  const words = able?.words === true ? run.words() : undefined;
  if (words === undefined) return NOTHING;
  return { type: "words", words: able?.wayOut === undefined ? words : `${words} ${able.wayOut}` };
}

/** What was said in this turn alone. */
export function newWordsOf({ text, isAppended }: TurnEnd, said: Said | undefined): string {
  const isLonger = isAppended === true && said !== undefined && text.length > said.length;
  if (!isLonger || digestOf(text.slice(0, said.length)) !== said.digest) return text;
  return text.slice(said.length).trim();
}

function saidIn({ text, isAppended }: TurnEnd): Pick<Turns, "said"> {
  return isAppended === true ? { said: { length: text.length, digest: digestOf(text) } } : {};
}

/** Whether a prompt has words of ours in it, which only a hook passes on as soon as a turn is over. */
function quotesUs({ text = "" }: Extract<HookMoment, { type: "user" }>): boolean {
  return text.includes(MESSAGE_PREFIX);
}

function promptOf({ text }: Extract<HookMoment, { type: "user" }>): Digest {
  return digestWithoutNumbers(text);
}

function promptIn(moment: Extract<HookMoment, { type: "user" }>): Pick<Turns, "prompt" | "promptId"> {
  const { id } = moment;
  return { prompt: promptOf(moment), ...(id !== undefined && { promptId: digestOf(id) }) };
}

/** Scripts and hooks count what they say ("attempt 3"). */
function digestWithoutNumbers(text: string | undefined): Digest {
  return digestOf((text ?? "").replace(/\d{1,20}/g, "0"));
}
