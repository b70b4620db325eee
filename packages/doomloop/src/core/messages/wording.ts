import type { Answer, Lasting, Rung, Tone } from "../answer.ts";
import { safely } from "../faults.ts";
import type { Finding, FindingFacts } from "../finding.ts";
import { MESSAGE_PREFIX } from "../outcome/read-outcome.ts";
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

/** The words to the agent: what happened, what to do instead, and what comes next. */
export function messageFor(finding: Finding, answer: Answer, outlook: Outlook): string {
  const sentence = sentenceFor(finding);
  const isFirst = answer.tone === "notice" || outlook.isRefused || answer.rung !== "nudge";
  const says = isFirst ? sentence.says(finding) : sentence.insists(finding);
  const facts = `${MESSAGE_PREFIX} ${opening(answer, outlook)}${says}`;
  if (answer.rung === "stop") return facts;
  if (answer.rung === "restart") return `${facts}\n${numbered(startingOver(finding, sentence))}`;
  if (sentence.isWaiting?.(finding) === true) return `${facts}${waiting(answer, outlook)}`;
  if (answer.tone === "notice") return `${facts} ${IF_INTENDED}\n${numbered(sentence.advises(finding))}`;
  const steps = sentence.corrects(finding);
  const goesOn = sentence.goesOn?.(finding);
  if (!outlook.isRefused || sentence.isDone?.(finding)) return `${facts}${advice(steps, goesOn, answer, outlook)}`;
  // A refusal says by itself what to leave.
  const [, ...others] = steps;
  if (!sentence.mayWait?.(finding)) return `${facts}${advice(others, goesOn, answer, outlook)}`;
  return `${facts}${advice([WAIT_FIRST, ...others], "do none of this", answer, outlook)}`;
}

/** Steps, and what comes next if the agent goes on. */
function advice(steps: readonly string[], goesOn: string | undefined, answer: Answer, outlook: Outlook): string {
  return `\n${numbered(steps)}${goesOn === undefined ? "" : consequence(goesOn, answer, outlook)}`;
}

/** The first words must do no harm if they are wrong. */
const IF_INTENDED = "If you have a good reason, go on. If not:";
const WAIT = "Wait 30 seconds or more before you call again (in a shell: `sleep 30`).";
const WAIT_LONGER = "Wait a minute or more (in a shell: `sleep 60`). Then call once.";
const WAIT_FIRST = "If you are waiting, wait 30 seconds first.";
const WITHOUT_WAIT = "keep calling without waiting";
const HOW_IT_STANDS = "If you cannot wait, tell the user how it stands.";

/** For an agent that may be waiting: how to wait better. Waiting well never ends a run. */
function waiting(answer: Answer, outlook: Outlook): string {
  if (answer.tone === "notice") {
    const steps = [WAIT, "Until then, do other work.", "If it stays the same for long, tell the user."];
    return ` If you are waiting for a change:\n${numbered(steps)}\nIf not, do not call again.`;
  }
  const steps = outlook.isRefused ? [WAIT, HOW_IT_STANDS] : [WAIT_LONGER, "Until then, do other work.", HOW_IT_STANDS];
  return advice(steps, WITHOUT_WAIT, answer, outlook);
}

function startingOver(finding: Finding, sentence: Sentence<FindingFacts>): readonly string[] {
  if (sentence.isDone?.(finding)) {
    const [leave, missing] = sentence.corrects(finding);
    return [leave, "Take a fresh look at the task.", missing!];
  }
  return [
    "Take a fresh look at the task. Keep what is done.",
    "Take a completely different approach.",
    "Do not repeat what led to the loop.",
  ];
}

/** What happened, in words for a person. */
export function factsFor(finding: Finding): string {
  return sentenceFor(finding)
    .says(finding)
    .replace(/^You /, "The agent ")
    .replace(/^Your /, "The agent's ");
}

/** Why a run is over, in words for a person. */
export function stoppedBecause(finding: Finding): string {
  const said = factsFor(finding);
  return `Stopped: ${said.charAt(0).toLowerCase()}${said.slice(1)}`;
}

/** The words to the person who runs the agent. */
export function explanationFor(finding: Finding, answer: Answer, outlook: Outlook): string {
  if (answer.rung === "stop" && !outlook.isShadow) return stoppedBecause(finding);
  const said = factsFor(finding);
  const question = outlook.isAttended && answer.rung === "block" && outlook.next === undefined && !outlook.isShadow;
  const gap = said.includes("\n") ? "\n" : " ";
  const what = answer.rung === "stop" || outlook.isShadow ? UNDONE[answer.rung] : DONE[answer.rung];
  return `${said}${gap}${what}${question ? " Should it go on, try another way, or stop?" : ""}`;
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
/** How a message begins that answers a call which did not run. It is recognised by this in a replayed conversation. */
export const OPENINGS = {
  refused: "This call was not run. ",
  stopped: "This run is stopped: it is in a loop. ",
  restarted: "This run starts over: it is in a loop. ",
} as const;

function opening(answer: Answer, outlook: Outlook): string {
  if (answer.rung === "stop") return OPENINGS.stopped;
  if (answer.rung === "restart") return OPENINGS.restarted;
  if (outlook.isRefused) return OPENINGS.refused;
  if (answer.tone === "notice" || (answer.tone === "warning" && answer.next === undefined)) return "";
  return answer.tone === "last" ? "Last warning. " : "You are in a loop. ";
}

/** What comes next if the agent goes on. */
function consequence(goesOn: string, answer: Answer, { isRefused, isAttended, next }: Outlook): string {
  if (answer.tone !== "last" && !isRefused) return "";
  if (isRefused && isAttended && next === undefined) return "\nThe user has been asked how to go on.";
  if (next === "stop") return `\nIf you ${goesOn}, the run will be stopped.`;
  if (next === "restart") return `\nIf you ${goesOn}, the run will start over.`;
  if (isRefused) return "";
  return `\nIf you ${goesOn}, such calls will ${isAttended ? "need the user's consent" : "be refused"}.`;
}

function numbered(lines: readonly string[]): string {
  return lines.map((line, at) => `${at + 1}. ${line}`).join("\n");
}

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
