import { useState } from "preact/hooks";
import { adviceText, evidenceFor } from "../../../doomloop/src/scan/advice/advice.ts";
import type { Advice } from "../../../doomloop/src/scan/report/report.ts";
import { Foreign } from "../page/foreign.tsx";

/** Our own words, and the names of a few tools: they are copied as a whole, so they are shown as a whole. */
const MAX_PARAGRAPH = 1_000;

/** What to do about loops: text to take away. */
export function AdviceList({ advice }: { readonly advice: readonly Advice[] }) {
  if (advice.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="advice">
      <div class="panel-head">
        <h2 id="advice">What to do about it</h2>
        <CopyButton
          text={adviceText(advice)}
          label={advice.length === 1 ? "Copy for AGENTS.md" : "Copy all for AGENTS.md"}
        />
      </div>
      <ul class="advice">
        {advice.map(({ cause, title, paragraph, also, ...rest }) => (
          <li key={cause}>
            <p>
              <b>
                <Foreign text={title} />
              </b>{" "}
              <span class="note">{evidenceFor(rest)}</span>
            </p>
            <blockquote>
              <Foreign text={paragraph} most={MAX_PARAGRAPH} />
            </blockquote>
            {also !== undefined && (
              <p class="note">
                <Foreign text={also} />
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Copies a text. Where the browser does not allow it, the text can still be selected on the page. */
function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [said, say] = useState("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      say("Copied");
    } catch {
      say("The browser refused to copy: select the text below");
    }
  };
  return (
    <span class="copy">
      <button type="button" onClick={() => void copy()}>
        {label}
      </button>
      <span role="status">{said}</span>
    </span>
  );
}
