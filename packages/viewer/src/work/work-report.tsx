import type { Report } from "../../../doomloop/src/scan/report/report.ts";
import { DayChart } from "./day-chart.tsx";
import { WhereItWent } from "./where-it-went.tsx";
import { CompactionList, FailedChecks, FilesReadAgain } from "./worth-knowing.tsx";

/** What sessions did, whether they had loops or not. Reports of earlier versions do not know it. */
export function WorkReport({ report: { work } }: { readonly report: Report }) {
  if (work == null || work.calls === 0) return null;
  return (
    <>
      <WhereItWent work={work} />
      <div class="work-grid">
        <FilesReadAgain work={work} />
        <FailedChecks work={work} />
        <DayChart days={work.days} />
        <CompactionList work={work} />
      </div>
    </>
  );
}
