import { comparedFigures, habitFacts } from "../../../doomloop/src/scan/report/habit-words.ts";
import type { Report } from "../../../doomloop/src/scan/report/report.ts";
import { formatTime } from "../format/format-time.ts";
import { Foreign } from "../page/foreign.tsx";

/** What sessions did apart from loops: most people have none. Reports of earlier versions do not know it. */
export function Habits({ report }: { readonly report: Report }) {
  const facts = report.habits == null ? [] : habitFacts(report);
  if (facts.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="habits">
      <h2 id="habits">What else stood out</h2>
      <dl class="habits">
        {facts.map(({ name, lines }) => (
          <div key={name}>
            <dt>{name}</dt>
            {lines.map((line) => (
              <dd key={line}>
                <Foreign text={line} />
              </dd>
            ))}
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
