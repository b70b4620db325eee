import { count } from "../../../doomloop/src/scan/report/words.ts";
import { printable } from "../format/printable.ts";
import { Difference } from "./difference.tsx";
import { fieldChanges } from "./field-changes.ts";
import { FieldList } from "./field-list.tsx";

interface ContentProps {
  readonly title: string;
  readonly text: string | undefined;
  readonly before: string | undefined;
  /** Told field by field where it is a JSON object. */
  readonly hasFields?: boolean;
}

const MAX_CHARACTERS = 20_000;

/** A call or an outcome in full, or as its difference to the last time where there was one. */
export function Content({ title, text, before, hasFields = false }: ContentProps) {
  if (text === undefined) return null;
  const cut = text.slice(0, MAX_CHARACTERS).toWellFormed();
  const isDifferent = before !== undefined && before !== text;
  const fields = hasFields ? fieldChanges(before, text) : undefined;
  return (
    <figure class="content">
      <figcaption>
        {title}
        {before !== undefined && <span class="note">{isDifferent ? " changed" : " exactly the same"}</span>}
      </figcaption>
      {fields !== undefined ? (
        <FieldList fields={fields} />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <pre tabIndex={0}>
          {isDifferent ? (
            <Difference before={before.slice(0, MAX_CHARACTERS).toWellFormed()} after={cut} />
          ) : (
            printable(cut, true)
          )}
        </pre>
      )}
      {text.length > MAX_CHARACTERS && (
        <p class="note">
          The first {count(MAX_CHARACTERS)} of {count(text.length, "character")}.
        </p>
      )}
    </figure>
  );
}
