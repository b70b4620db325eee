import type { BracketPart } from "./layout-strip.ts";

/** The pieces of the loops' brackets over one cell. Cells touch, so that the pieces make a line. */
export function Brackets({ parts }: { readonly parts: readonly BracketPart[] }) {
  return (
    <span class="brackets" aria-hidden="true">
      {parts.map(({ loop, lane, isStart, isEnd }, at) => (
        <span key={loop} class={`bracket lane-${lane}${isStart ? " is-start" : ""}${isEnd ? " is-end" : ""}`}>
          {isStart && !parts.slice(0, at).some((before) => before.isStart && before.lane === lane) && (
            <span class="badge">{loop + 1}</span>
          )}
        </span>
      ))}
    </span>
  );
}
