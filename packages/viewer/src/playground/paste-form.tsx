import { useRef } from "preact/hooks";
import { ThemeToggle } from "../page/theme-toggle.tsx";
import type { Source } from "./playground.tsx";
import { MAX_CHARACTERS, TOO_LARGE } from "./read-text.ts";
import { textReaders } from "./text-readers.ts";

interface PasteFormProps {
  readonly sample: string;
  readonly policy: string;
  /** Why the last text could not be read. Empty if there is nothing to say. */
  readonly fault: string;
  /** The part that was read so far, from 0 to 1. Undefined if nothing is being read. */
  readonly part: number | undefined;
  readonly includesContent: boolean;
  readonly onContent: (includes: boolean) => void;
  readonly onFault: (words: string) => void;
  readonly onRead: (source: Source) => void;
}

/** A longer text is read at once: a text field that holds it would be slow. */
const MAX_SHOWN = 1_000_000;

/** The page before there is a report: where to put a transcript, and what happens to it. */
export function PasteForm(props: PasteFormProps) {
  const { sample, policy, fault, part, includesContent, onContent, onFault, onRead } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const isReading = part !== undefined;

  const readPasted = (text: string): void => onRead({ text, name: undefined, words: "What you pasted" });
  const readFile = async (file: File | undefined): Promise<void> => {
    if (file === undefined || isReading) return;
    if (file.size > MAX_CHARACTERS) return onFault(TOO_LARGE);
    try {
      onRead({ text: await file.text(), name: file.name, words: file.name });
    } catch {
      onFault("The browser could not read this file.");
    }
  };

  return (
    <>
      <header class="top">
        <span class="brand">
          <span class="brand-sign" aria-hidden="true" />
          doomloop
        </span>
        <span class="top-facts">Playground</span>
        <ThemeToggle />
      </header>
      <main>
        <div class="hero">
          <h1>Paste a transcript</h1>
          <p class="hero-facts">
            See where your agent went in circles, and what that cost. Your browser does all the work: nothing leaves
            this page.
          </p>
        </div>
        <form
          class="panel paste"
          onSubmit={(event) => {
            event.preventDefault();
            if (!isReading) readPasted(field.current?.value ?? "");
          }}
          onDragOver={(event) => event.preventDefault()}
          onDrop={(event) => {
            const [file] = event.dataTransfer?.files ?? [];
            if (file === undefined) return;
            event.preventDefault();
            void readFile(file);
          }}
        >
          <label for="transcript">A session of a coding agent, or a list of messages</label>
          <textarea
            id="transcript"
            ref={field}
            rows={9}
            spellcheck={false}
            autocomplete="off"
            placeholder={'{"type":"user","message": ...}'}
            readOnly={isReading}
            onPaste={(event) => {
              const text = event.clipboardData?.getData("text/plain") ?? "";
              if (text.length <= MAX_SHOWN) return;
              event.preventDefault();
              if (!isReading) readPasted(text);
            }}
          />
          <div class="paste-actions">
            <button type="submit" class="primary" aria-disabled={isReading}>
              Find loops
            </button>
            <label class="file">
              <input
                type="file"
                class="unseen"
                accept=".json,.jsonl,.ndjson,.traj,.txt,.log"
                onChange={(event) => {
                  const { currentTarget: input } = event;
                  void readFile(input.files?.[0]);
                  // The same file can be chosen again.
                  input.value = "";
                }}
              />
              <span>Choose a file</span>
            </label>
            <button
              type="button"
              aria-disabled={isReading}
              onClick={() => !isReading && onRead({ text: sample, name: undefined, words: "The sample" })}
            >
              Try the sample
            </button>
            <label class="check">
              <input
                type="checkbox"
                checked={includesContent}
                onChange={(event) => onContent(event.currentTarget.checked)}
              />
              Show content: what tools were asked and what they answered
            </label>
          </div>
          <div role="status" class="paste-status">
            {isReading && (
              <>
                Reading<span aria-hidden="true">: {Math.floor(part * 100)}%</span>
              </>
            )}
          </div>
          <div role="alert">{fault !== "" && <p class="banner">{fault}</p>}</div>
        </form>
        <section class="panel paste-facts">
          <h2>Where your data stays</h2>
          <p>
            The transcript stays in the memory of this tab, and is gone when you close it. The page sends nothing, and
            your browser holds it to that: by this Content Security Policy, it refuses every connection, every image
            from elsewhere, every font and form, and every script but the page's own.
          </p>
          <pre>
            <code>{policy.split("; ").join(";\n")}</code>
          </pre>
          <p>Once the page is loaded, you can go offline. It works the same.</p>
        </section>
        <section class="panel paste-facts">
          <h2>What it reads</h2>
          <ul class="formats">
            {textReaders.map(({ agent, label }) => (
              <li key={agent}>{agent === "trace" ? "doomloop traces" : label}</li>
            ))}
          </ul>
          <p>
            A transcript is a file that your agent writes, not what you see in its terminal. Claude Code keeps them in{" "}
            <code>~/.claude/projects</code>, Codex in <code>~/.codex/sessions</code>, Gemini CLI in{" "}
            <code>~/.gemini/tmp</code>.
          </p>
          <p>
            Up to 20 MB. Agents that keep a session in several files need the command line: <code>npx doomloop</code>{" "}
            finds all sessions on your machine and sends nothing either.
          </p>
        </section>
      </main>
    </>
  );
}
