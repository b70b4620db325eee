import { count } from "../../../doomloop/src/scan/report/words.ts";
import { printable } from "../format/printable.ts";
import { Foreign } from "../page/foreign.tsx";
import { Difference } from "./difference.tsx";
import type { FieldChange } from "./field-changes.ts";

const MAX_FIELDS = 40;
/** What did not change needs no more than to be recognised. */
const MAX_SAME = 200;
const MAX_VALUE = 4_000;
const WORDS = { same: "", changed: "changed", added: "new", removed: "gone" };

/** The fields of a call: what differs from the last time first, the others cut short. */
export function FieldList({ fields }: { readonly fields: readonly FieldChange[] }) {
  const differing = fields.filter(({ type }) => type !== "same");
  const shown = [...differing, ...fields.filter(({ type }) => type === "same")].slice(0, MAX_FIELDS);
  return (
    <>
      <dl class="fields">
        {shown.map((field) => (
          <div key={field.name} class={`field field-${field.type}`}>
            <dt>
              <Foreign text={field.name} /> {field.type !== "same" && <span class="note">{WORDS[field.type]}</span>}
            </dt>
            <dd>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
              <pre tabIndex={0}>
                <Value field={field} />
              </pre>
            </dd>
          </div>
        ))}
      </dl>
      {fields.length > shown.length && <p class="note">{count(fields.length - shown.length, "field")} not shown</p>}
    </>
  );
}

function Value({ field: { type, before, after } }: { readonly field: FieldChange }) {
  if (type === "changed") return <Difference before={cut(before, MAX_VALUE)} after={cut(after, MAX_VALUE)} />;
  if (type === "same") return <>{printable(cut(after, MAX_SAME), true)}</>;
  return (
    <span class={`line line-${type}`}>
      <span aria-hidden="true">{type === "added" ? "+ " : "− "}</span>
      {printable(cut(type === "added" ? after : before, MAX_VALUE), true)}
    </span>
  );
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text;
}
