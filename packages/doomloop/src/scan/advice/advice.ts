import type { Advice, LoopSummary } from "../report/report.ts";
import { count } from "../report/words.ts";

interface Words {
  readonly title: string;
  readonly paragraph: string;
  readonly also?: string;
}

const WORDS: Readonly<Record<string, Words>> = {
  "result-unread": {
    title: "The agent asked again for what it had already got.",
    paragraph:
      "Before you read a file or ask for something again, look above for the result that you already have. Ask again only if something changed since then, and say what.",
    also: "If results are long, let the tool return less at once, or a summary with line numbers: agents ask again for what is no longer in view.",
  },
  "tool-missing": {
    title: "The agent called a tool, a program or a script that is not there.",
    paragraph:
      "If a command or a tool is not found, do not try it again with other options. Use what is installed, or say what is missing and stop.",
    also: "List in AGENTS.md the commands that exist in this project, for tests, builds and searches, or install the missing one.",
  },
  "closed-door": {
    title: "The agent tried again where it has no access.",
    paragraph:
      "If access is denied (permission denied, 401, 403, a password), trying again does not help. Say which access is missing, go on with something else, or stop.",
    also: "Give the agent the access that the task needs, or say in AGENTS.md what it has no access to.",
  },
  "faulty-call": {
    title: "The calls were faulty: malformed, or with a name that does not exist.",
    paragraph:
      "If a call fails because it is malformed (a syntax error, an unknown name, a missing argument), it fails again unless you change that. Read the error, look up the right name or form (the schema, the help, an example), and change exactly that.",
    also: "Let the tool's description say which names and forms it takes, with one example, and let its errors name the valid ones.",
  },
  "edit-mismatch": {
    title: "An edit did not match the file.",
    paragraph:
      "If an edit fails because its text is not found or not unique, read that part of the file again and copy the text exactly, with its white space and a few lines around it. Do not send the same edit twice.",
    also: "Let the description of the edit tool say that the text must match exactly and occur once.",
  },
  "test-without-edit": {
    title: "The agent ran failing tests again without a change.",
    paragraph:
      "Do not run a failing test or build again before you have changed something that could make it pass. Read the failure first, and say what you will change because of it.",
  },
  "fix-without-effect": {
    title: "Changes did not affect the failure.",
    paragraph:
      "If the same test fails in the same way after two changes, your idea of the cause is wrong. Undo the changes, find out what the test really runs, and check one assumption before you edit again.",
  },
  "already-done": {
    title: "The agent made a call again that had already succeeded.",
    paragraph:
      "If the answer to a call says that it worked, do not make the call again. If you need to know what it did, check in another way.",
    also: "Let the tool say what it did: what changed, and that it need not be called again.",
  },
  "lost-after-compaction": {
    title: "After a compaction the agent looked up the same things again.",
    paragraph:
      "Keep a short file of notes: what you found, what you decided, what is left to do. After the conversation was compacted, read the notes first, and look other things up only once.",
  },
  "nothing-found": {
    title: "What the agent looked for was not found.",
    paragraph:
      "If a file is missing, or two or three searches for one thing find nothing, do not ask for it again, nor in other words: it is not there under that name, or you look in the wrong place. List the folder, read a file that should use it, or ask.",
  },
  impatient: {
    title: "The agent asked again and again for something that was still going on.",
    paragraph:
      "If something takes time, wait before you ask for its state again, longer each time, or use a command that waits until it is done.",
    also: "Give the agent a call that waits, such as one that returns when the job is finished.",
  },
};

const TOOL = /^[A-Za-z][\w.-]{0,63}$/;
const MAX_TOOLS = 3;

type Loop = Pick<LoopSummary, "cause" | "tools" | "session" | "count">;

/**
 * A paragraph for each cause of the loops, the most frequent first. Loops of unknown cause get none. Contains no foreign
 * text but names of tools.
 */
export function adviceFor(loops: readonly Loop[]): readonly Advice[] {
  const known = loops.filter(({ cause }) => Object.hasOwn(WORDS, cause));
  return [...new Set(known.map(({ cause }) => cause))]
    .map((cause) => ({ cause, found: known.filter((loop) => loop.cause === cause) }))
    .sort((one, other) => other.found.length - one.found.length)
    .map(({ cause, found }) => {
      const { title, paragraph, also } = WORDS[cause]!;
      const evidence = {
        loops: found.length,
        sessions: new Set(found.map(({ session }) => session)).size,
        repeats: found.reduce((sum, { count: times }) => sum + times, 0),
      };
      return {
        ...{ cause, title, ...evidence },
        paragraph: `${paragraph} (S${evidenceFor(evidence).slice(1)}${toolsOf(found)}.)`,
        ...(also && { also }),
      };
    });
}

/** The tools that repeated most. The first tool of a loop is the one whose calls show it. */
function toolsOf(loops: readonly Loop[]): string {
  const times = new Map<string, number>();
  for (const { tools, count: repeats } of loops) {
    const [tool] = tools;
    if (tool !== undefined && TOOL.test(tool)) times.set(tool, (times.get(tool) ?? 0) + repeats);
  }
  const names = [...times].sort((one, other) => other[1] - one[1]).slice(0, MAX_TOOLS);
  return names.length === 0 ? "" : `, with ${names.map(([name]) => `\`${name}\``).join(", ")}`;
}

/** On how much evidence a piece of advice rests: `seen in 3 sessions, 21 times`. */
export function evidenceFor({ loops, sessions, repeats }: Pick<Advice, "loops" | "sessions" | "repeats">): string {
  // Reports of earlier versions only count the loops.
  if (sessions === undefined) return `seen in ${count(loops, "loop")}`;
  return `seen in ${count(sessions, "session")}, ${count(repeats, "time")}`;
}

/** The cause of a loop in a few words: `cause: an edit did not match the file`. */
export function causeInWords(cause: string): string {
  const { title } = Object.hasOwn(WORDS, cause) ? WORDS[cause]! : {};
  return title === undefined ? "cause unknown" : `cause: ${title.charAt(0).toLowerCase()}${title.slice(1, -1)}`;
}

/** The paragraphs as a list in Markdown, to paste into a file that agents read. */
export function adviceText(advice: readonly Advice[]): string {
  return advice.map(({ paragraph }) => `- ${paragraph}\n`).join("");
}
