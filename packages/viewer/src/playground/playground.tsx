import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Report } from "../../../doomloop/src/scan/report/report.ts";
import { count } from "../../../doomloop/src/scan/report/words.ts";
import { App } from "../app.tsx";
import { Foreign } from "../page/foreign.tsx";
import { runLink } from "../route/run-link.ts";
import { PasteForm } from "./paste-form.tsx";
import { type ReadText, readText } from "./read-text.ts";

interface PlaygroundProps {
  readonly version: string;
  /** A transcript to begin with. */
  readonly sample: string;
  /** The page's own Content Security Policy, to be shown. */
  readonly policy: string;
}

/** A text to read, and what to call it. */
export interface Source {
  readonly text: string;
  /** The name of the file. Undefined for a text that was pasted. */
  readonly name: string | undefined;
  readonly words: string;
}

type Stage =
  | { readonly is: "asking"; readonly fault: string }
  | { readonly is: "showing"; readonly source: Source; readonly report: Report; readonly format: string };

const OUR_FAULT = "The page failed to read this. That is a bug in doomloop, not a problem with your text.";

/** Takes a transcript, reads it in the page, and shows its report. */
export function Playground({ version, sample, policy }: PlaygroundProps) {
  const [stage, setStage] = useState<Stage>({ is: "asking", fault: "" });
  /** The part that was read so far. Undefined if nothing is being read. */
  const [part, setPart] = useState<number>();
  const [includesContent, setIncludesContent] = useState(false);
  /** Only the latest text that was asked for is shown. */
  const latest = useRef<Source | undefined>(undefined);
  const shown = stage.is === "showing" ? stage.source : undefined;
  useHeading(shown);

  const read = async (source: Source, withContent: boolean): Promise<void> => {
    latest.current = source;
    setIncludesContent(withContent);
    setPart(0);
    await drawn();
    const options = { name: source.name, includesContent: withContent, version, onProgress: setPart };
    const done = await readText(source.text, options).catch((): ReadText => ({ fault: OUR_FAULT }));
    if (latest.current !== source) return;
    setPart(undefined);
    if ("fault" in done) return setStage({ is: "asking", fault: done.fault });
    // The same text again, with or without content: the reader stays where they are.
    if (source !== shown) location.hash = firstPlace(done.report);
    setStage({ is: "showing", source, report: done.report, format: done.format });
  };

  const askAgain = (): void => {
    latest.current = undefined;
    setPart(undefined);
    setStage({ is: "asking", fault: "" });
    history.replaceState(null, "", "#/");
    scrollTo(0, 0);
  };

  if (stage.is === "asking") {
    return (
      <PasteForm
        sample={sample}
        policy={policy}
        fault={part === undefined ? stage.fault : ""}
        part={part}
        includesContent={includesContent}
        onContent={setIncludesContent}
        onFault={(fault) => setStage({ is: "asking", fault })}
        onRead={(source) => void read(source, includesContent)}
      />
    );
  }
  const { source, report, format } = stage;
  return (
    <>
      <nav class="paste-bar" aria-label="Your transcript">
        <button type="button" onClick={askAgain}>
          Paste another
        </button>
        <span>
          <Foreign text={source.words} />, read as {format}
          {report.skipped.lines > 0 && `. Skipped as damaged: ${count(report.skipped.lines, "line")}`}
        </span>
        <label class="check">
          <input
            type="checkbox"
            checked={includesContent}
            disabled={part !== undefined}
            onChange={(event) => void read(source, event.currentTarget.checked)}
          />
          Show content
        </label>
      </nav>
      <App key={report.generatedAt} report={report} />
    </>
  );
}

/** The run if there is only one with a loop to show, and otherwise the overview. */
function firstPlace({ totals, loops }: Report): string {
  const [first] = loops;
  return first !== undefined && totals.agents === 1 ? runLink(first.session) : "#/";
}

/** Waits until the browser has drawn what was rendered. */
function drawn(): Promise<void> {
  return new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
}

/** Goes to the heading of a report that was asked for: screen readers say it. */
function useHeading(source: Source | undefined): void {
  const latest = useRef<Source | undefined>(undefined);
  useLayoutEffect(() => {
    if (source === undefined || source === latest.current) return;
    latest.current = source;
    document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [source]);
}
