import { comparedFigures, repeatInWords } from "../../../doomloop/src/scan/report/repeat-words.ts";
import type { Report } from "../../../doomloop/src/scan/report/report.ts";
import { formatTime } from "../format/format-time.ts";
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

/** The figures beside those of the time before. */
export function ComparedTimes({ report }: { readonly report: Report }) {
  const { compared } = report;
  if (compared == null) return null;
  return (
    <section class="panel" aria-labelledby="compared">
      <h2 id="compared">
        Compared with {formatTime(compared.since, "day") ?? "before"} to {formatTime(compared.until, "day") ?? "then"}
      </h2>
      <table class="compared">
        <thead>
          <tr>
            <th scope="col">Figure</th>
            <th scope="col">Now</th>
            <th scope="col">Before</th>
          </tr>
        </thead>
        <tbody>
          {comparedFigures(report).map(({ name, now, before }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{now}</td>
              <td>{before}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
