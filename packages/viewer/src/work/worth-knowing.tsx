import { capitalized, count } from "../../../doomloop/src/scan/report/words.ts";
import type { CheckRuns, Work } from "../../../doomloop/src/scan/report/work.ts";
import {
  checkInWords,
  compactionsInWords,
  failedChecks,
  fileInWords,
  readsInWords,
  timesReadInWords,
} from "../../../doomloop/src/scan/report/work-words.ts";
import { Foreign } from "../page/foreign.tsx";
import { ShareBar } from "./share-bar.tsx";

const MAX_CHECKS = 5;
/** After one compaction, most files are read again: that says nothing of a file. */
const LEAST_TIMES = 2;

/** Files that were read again and again. */
export function FilesReadAgain({ work }: { readonly work: Work }) {
  const words = readsInWords(work);
  const { most } = work.files;
  if (words === undefined || most.length === 0) return null;
  const top = Math.max(...most.map(({ times }) => times));
  return (
    <section class="panel" aria-labelledby="read-again">
      <h2 id="read-again">Files read again and again</h2>
      <p class="work-words">{capitalized(words)}.</p>
      <ul class="work-list">
        {most.map((file) => (
          <li key={`${file.session} ${file.what} ${file.times}`}>
            <span class="work-name">
              <Foreign text={fileInWords(file)} />
            </span>
            <span class="work-value">{count(file.times, "time")}</span>
            <ShareBar share={file.times / top} part={file.unchanged / top} />
            <span class="note">
              {timesReadInWords(file).replace(/^[\d,]+ times? /, "")}, session <Foreign text={file.session} />
            </span>
          </li>
        ))}
      </ul>
      {most.some(({ unchanged }) => unchanged > 0) && (
        <p class="note">Strong colour: the read returned the same text as the one before.</p>
      )}
    </section>
  );
}

/** The checks that failed most. */
export function FailedChecks({ work }: { readonly work: Work }) {
  const checks = failedChecks(work).slice(0, MAX_CHECKS);
  if (checks.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="failed-checks">
      <h2 id="failed-checks">Checks that failed most</h2>
      <ul class="work-list">
        {checks.map((check: CheckRuns) => (
          <li key={check.what}>
            <span class="work-name">
              <Foreign text={check.what} />
            </span>
            <span class="work-value">{count(check.failed)}</span>
            <ShareBar share={1} part={check.failed / check.runs} />
            <span class="note">{checkInWords(check)} failed</span>
          </li>
        ))}
      </ul>
      <p class="note">Strong colour: the runs that failed.</p>
    </section>
  );
}

/** How often conversations were compacted, and what was read again after it. */
export function CompactionList({ work }: { readonly work: Work }) {
  const words = compactionsInWords(work);
  if (words === undefined) return null;
  const most = work.compactions.most.filter(({ times }) => times >= LEAST_TIMES);
  const top = Math.max(...most.map(({ times }) => times));
  return (
    <section class="panel" aria-labelledby="compactions">
      <h2 id="compactions">Compactions</h2>
      <p class="work-words">{words}.</p>
      {most.length > 0 && (
        <ul class="work-list">
          {most.map((file) => (
            <li key={`${file.session} ${file.what} ${file.times}`}>
              <span class="work-name">
                <Foreign text={fileInWords(file)} />
              </span>
              <span class="work-value">{count(file.times, "time")}</span>
              <ShareBar share={file.times / top} />
              <span class="note">
                read again after a compaction, session <Foreign text={file.session} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
