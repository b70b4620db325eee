import type { Report } from "../../../doomloop/src/scan/report/report.ts";
import { repeatInWords } from "../../../doomloop/src/scan/report/words.ts";
import { Foreign } from "../page/foreign.tsx";

/** What was repeated most, and why it is no loop. Reports of earlier versions do not know it. */
export function Repeats({ report: { repeated = [] } }: { readonly report: Partial<Report> }) {
  if (repeated.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="repeated">
      <h2 id="repeated">Repeated most, and why it is no loop</h2>
      <dl class="repeats">
        {repeated.map(repeatInWords).map(({ what, why }) => (
          <div key={what}>
            <dt>
              <Foreign text={what} />
            </dt>
            <dd>
              <Foreign text={why} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
