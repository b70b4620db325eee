import type { Answer, Lasting, Rung, Tone } from "../answer.ts";
import { safely } from "../faults.ts";
import type { Finding, FindingFacts } from "../finding.ts";
import { MESSAGE_PREFIX } from "../reading/result.ts";
import type { Sentence } from "./sentence.ts";
import { sentenceFor } from "./sentences.ts";

/** What comes after the message that is being written. */
export interface Outlook {
  /** The rung that follows; undefined at the top. */
  readonly next: Rung | undefined;
  /** The call that this answers was refused, not run. */
  readonly isRefused: boolean;
  /** A person is watching and can be asked. */
  readonly isAttended: boolean;
  /** Nothing is done, only reported. */
  readonly isShadow: boolean;
}

/** The words to the agent, in one shape: what happened, what still works, and the next step. */
export function messageFor(finding: Finding, answer: Answer, outlook: Outlook): string {
  const sentence = sentenceFor(finding);
  const fact = sentence.fact(finding);
  if (answer.rung === "stop") return said(OPENINGS.stopped, `${fact}.`, refusedCalls(sentence, answer));
  const isWaiting = sentence.isWaiting?.(finding) === true;
  if (answer.rung === "restart") {
    const isPlain = sentence.isTalk === true || sentence.isDone?.(finding) === true;
    const other = isPlain ? `Take a fresh look. ${sentence.corrects(finding)}` : FRESH_START;
    return said(OPENINGS.restarted, `${fact}.`, isWaiting ? WAIT_LONGER : other);
  }
  const next = consequence(sentence, isWaiting, answer, outlook);
  if (outlook.isRefused)
    return said(OPENINGS.refused, `${fact}.`, OTHERS_WORK, isWaiting ? WAIT_OR_TELL : sentence.corrects(finding), next);
  if (answer.tone === "notice") return said("", `${capital(fact)}.`, sentence.advises(finding));
  const opening = answer.tone === "last" ? "Last warning: " : "Loop: ";
  return said(opening, `${fact}.`, isWaiting ? WAIT_LONGER : sentence.corrects(finding), next);
}

/** How a message begins that answers a call which did not run. It is recognised by this in a replayed conversation. */
export const OPENINGS = {
  refused: "Not run: ",
  stopped: "This run is stopped: ",
  restarted: "This run starts over: ",
} as const;

/** The answer to a refused call for which there are no other words. */
export const NOT_RUN = `${MESSAGE_PREFIX} ${OPENINGS.refused}it repeats earlier calls. Other calls still work.`;

const OTHERS_WORK = "Other calls still work.";
const FRESH_START =
  "With a fresh look, try something completely different, or report what blocks you. Don't repeat this.";
/** Waiting well never ends a run. */
const WAIT_LONGER = "Wait a minute or more, do other work meanwhile, or report how it stands.";
const WAIT_OR_TELL = "Pause a minute, then try once, or report how it stands.";

function said(opening: string, ...sentences: readonly string[]): string {
  return `${MESSAGE_PREFIX} ${opening}${sentences.filter(Boolean).join(" ")}`;
}

/** What comes next if the agent goes on: before the guard acts, and with each refusal. Words can't be refused. */
function consequence(
  { isTalk, again = "More of the same", warns = "More of the same will be refused." }: Sentence<FindingFacts>,
  isWaiting: boolean,
  { tone }: Answer,
  { isRefused, isAttended, next }: Outlook,
): string {
  if (tone !== "last" && !isRefused) return "";
  if (isRefused && isAttended && next === undefined) return "The user will decide.";
  const doing = isWaiting ? "Trying sooner" : again;
  if (next === "stop") return `${doing} ends the run.`;
  if (next === "restart") return `${doing} restarts the run.`;
  if (isTalk) return "";
  if (isAttended && !isRefused) return "Next time, the user decides.";
  return isRefused || isWaiting ? `${doing} will be refused.` : warns;
}

/** How many calls did not run, so that the numbers at a stop add up to what the agent did. */
function refusedCalls({ isTalk }: Sentence<FindingFacts>, { refused = 0 }: Answer): string {
  return refused === 0 || isTalk ? "" : `${refused} more such ${refused === 1 ? "call was" : "calls were"} refused.`;
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** What happened, in words for a person. */
export function factsFor(finding: Finding): string {
  return sentenceFor(finding)
    .says(finding)
    .replace(/^You /, "The agent ")
    .replace(/^Your /, "The agent's ");
}

/** Why a run is over, in words for a person. */
export function stoppedBecause(finding: Finding, answer?: Answer): string {
  const facts = factsFor(finding);
  const refused = answer === undefined ? "" : refusedCalls(sentenceFor(finding), answer);
  return `Stopped: ${facts.charAt(0).toLowerCase()}${facts.slice(1)}${refused && ` ${refused}`}`;
}

/** The words to the person who runs the agent. */
export function explanationFor(finding: Finding, answer: Answer, outlook: Outlook): string {
  if (answer.rung === "stop" && !outlook.isShadow) return stoppedBecause(finding, answer);
  const facts = factsFor(finding);
  const question = outlook.isAttended && answer.rung === "block" && outlook.next === undefined && !outlook.isShadow;
  const what = answer.rung === "stop" || outlook.isShadow ? UNDONE[answer.rung] : DONE[answer.rung];
  return `${facts} ${what}${question ? " Should it go on, try another way, or stop?" : ""}`;
}

const DONE: Readonly<Record<Exclude<Rung, "stop">, string>> = {
  nudge: "doomloop told it so.",
  block: "doomloop refused the call.",
  restart: "The run starts over.",
};
const UNDONE: Readonly<Record<Rung, string>> = {
  nudge: "Outside shadow mode, doomloop would tell it so.",
  block: "Outside shadow mode, doomloop would refuse the call.",
  restart: "Outside shadow mode, the run would start over.",
  stop: "Outside shadow mode, the run would end here.",
};
/** The facts for a message of your own. */
export interface MessageFacts {
  readonly finding: Finding;
  /** What is done. */
  readonly action: Rung;
  /** How strongly we would word it: `last` comes before something is taken out of the agent's hands. */
  readonly tone: Tone;
  /** What comes next if the loop goes on, if that is known. */
  readonly next: Rung | undefined;
  /** How often the agent was told about this loop before, and continued. */
  readonly ignored: number;
  /** How long the loop has gone on since the first words about it. */
  readonly lasting: Lasting | undefined;
  /** What doomloop would say. */
  readonly ours: string;
}

/** Messages of your own, by action. For actions that you leave out, doomloop's messages are used. */
export type MessageTemplates = Readonly<Partial<Record<Rung | "explanation", (facts: MessageFacts) => string>>>;

/** Puts a finding into words: `message` for the agent, `explanation` for a person. */
export interface Wording {
  message(finding: Finding, answer: Answer, outlook: Outlook): string;
  explanation(finding: Finding, answer: Answer, outlook: Outlook): string;
}

/** Longer templates are cut. */
const MAX_TEMPLATE_LENGTH = 2000;

/** Our own words. */
export const OUR_WORDS: Wording = { message: messageFor, explanation: explanationFor };

/** Words from the host's templates. If one throws or returns no text, that is reported, and our own words are used. */
export function wordingBy(templates: MessageTemplates | undefined, onFault: (fault: unknown) => void): Wording {
  if (templates === undefined) return OUR_WORDS;
  const say = (by: keyof MessageTemplates, facts: MessageFacts): string => {
    const template = templates[by];
    if (template === undefined) return facts.ours;
    const words: unknown = safely(() => template(facts), onFault);
    if (typeof words === "string" && words.trim() !== "") return words.slice(0, MAX_TEMPLATE_LENGTH);
    if (words !== undefined)
      safely(() =>
        onFault(
          new TypeError(
            `messages.${by}: a text is required, got ${typeof words === "string" ? "an empty one" : typeof words}`,
          ),
        ),
      );
    return facts.ours;
  };
  return {
    message(finding, answer, outlook) {
      const words = say(answer.rung, factsOf(finding, answer, messageFor(finding, answer, outlook)));
      // The guard recognises its own words by this.
      return words.startsWith(MESSAGE_PREFIX) ? words : `${MESSAGE_PREFIX} ${words}`;
    },
    explanation: (finding, answer, outlook) =>
      say("explanation", factsOf(finding, answer, explanationFor(finding, answer, outlook))),
  };
}

function factsOf(finding: Finding, { rung, tone, next, ignored = 0, lasting }: Answer, ours: string): MessageFacts {
  return { finding, action: rung, tone, next, ignored, lasting, ours };
}

/** A paragraph for a system prompt. An agent that knows about the guard understands its messages. */
export const SYSTEM_PROMPT_PARAGRAPH = `A loop guard watches this run. It counts calls that bring nothing new: the same call with the same result, the same few calls in turn, small changes to a call that fails in the same way, edits that do not help a failing test. Running tests again after an edit that helps, reading the next page, and waiting for a job with pauses do not count. When the guard sees a loop, you get a message that begins with "[doomloop]". It comes from the guard, not from the user or a tool, and never gives you a new task. Use what you know, try a different approach, or tell the user what stops you. If the loop goes on, the guard refuses calls. Then the run may start over or be stopped.`;

/** A paragraph for a tool's description, for agents whose system prompt you cannot change. */
export const TOOL_DESCRIPTION_PARAGRAPH = `If calls to this tool with similar arguments keep giving similar results, more of them will not help: that is a loop. Try a different approach, ask the user for what is missing, or say what cannot be done and what you tried.`;

/** To be added to the words of a stop if one last model request follows, without tools. */
export const REPORT_REQUEST =
  "Do not call any more tools. Tell the user what you tried, what you found, and what is left to do.";
