import type { Finding } from "../detectors/index.ts";
import { MESSAGE_PREFIX } from "../message-prefix.ts";
import type { LadderAnswer, Lasting, Rung, Tone } from "../policy/rungs.ts";
import { safely } from "../safely.ts";
import { explanationFor, messageFor, type Outlook } from "./index.ts";

/** What there is to say, for words of your own. */
export interface MessageFacts {
  readonly finding: Finding;
  /** What is done. */
  readonly action: Rung;
  /** How strongly we would word it: `last` comes before something is taken out of the agent's hands. */
  readonly tone: Tone;
  /** What comes next if the loop goes on, where that is known. */
  readonly next: Rung | undefined;
  /** How often the agent was told of this loop before, and went on. */
  readonly ignored: number;
  /** How long the loop has gone on since the first words about it. */
  readonly lasting: Lasting | undefined;
  /** The words that we would say. */
  readonly ours: string;
}

/** Words of your own, by what is done. What you leave out is said in ours. */
export type MessageTemplates = Readonly<Partial<Record<Rung | "explanation", (facts: MessageFacts) => string>>>;

/** Says what happened: `message` to the agent, `explanation` to a person. */
export interface Wording {
  message(finding: Finding, answer: LadderAnswer, outlook: Outlook): string;
  explanation(finding: Finding, answer: LadderAnswer, outlook: Outlook): string;
}

const MAX_MESSAGE = 2000;

/** Our own words. */
export const OUR_WORDS: Wording = { message: messageFor, explanation: explanationFor };

/** Words by the host's templates. One that throws, or gives no text, is reported, and our own words are said. */
export function wordingBy(templates: MessageTemplates | undefined, onFault: (fault: unknown) => void): Wording {
  if (templates === undefined) return OUR_WORDS;
  const say = (by: keyof MessageTemplates, facts: MessageFacts): string => {
    const template = templates[by];
    if (template === undefined) return facts.ours;
    const words: unknown = safely(() => template(facts), onFault);
    if (typeof words === "string" && words.trim() !== "") return words.slice(0, MAX_MESSAGE);
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
      // By this the guard knows its own words again.
      return words.startsWith(MESSAGE_PREFIX) ? words : `${MESSAGE_PREFIX} ${words}`;
    },
    explanation: (finding, answer, outlook) =>
      say("explanation", factsOf(finding, answer, explanationFor(finding, answer, outlook))),
  };
}

function factsOf(
  finding: Finding,
  { rung, tone, next, ignored = 0, lasting }: LadderAnswer,
  ours: string,
): MessageFacts {
  return { finding, action: rung, tone, next, ignored, lasting, ours };
}
