import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { appendWords, isJsonText } from "./append-words.ts";
import { hasOwnWords, isRefusal, withoutOwnWords } from "./own-words.ts";

const WORDS = "[doomloop] This exact `search` call gave the same result 3 times.";
const REFUSAL = "[doomloop] Not run: you made this exact `search` call 3 times.";

describe("our words in a result", () => {
  it("are found and removed, which leaves the tool's own answer", () => {
    const part = fc.record({ type: fc.constant("text"), text: fc.string() });
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.array(part)), (output) => {
        const spoken = appendWords(output, WORDS);

        expect([hasOwnWords(output), hasOwnWords(spoken), isRefusal(spoken)]).toEqual([false, true, false]);
        // Text that is JSON becomes a part beside the words.
        expect(withoutOwnWords(spoken)).toEqual(
          typeof output === "string" && isJsonText(output) ? [{ type: "text", text: output }] : output,
        );
        expect(withoutOwnWords(output)).toEqual(output);
      }),
      { examples: [["{}"], [" [1]"]] },
    );
  });

  it("are found and removed at the end of the last part, where no part could be added", () => {
    const parts = [
      { type: "text", text: "a" },
      { type: "text", text: "b", cache_control: {} },
    ];
    const spoken = [parts[0], { ...parts[1], text: `b\n\n${WORDS}` }];

    expect([hasOwnWords(parts), hasOwnWords(spoken)]).toEqual([false, true]);
    expect(withoutOwnWords(spoken)).toEqual(parts);
  });

  it("are distinguished from the answer to a call that was not run", () => {
    const stopped = "[doomloop] This run is stopped: this exact `search` call gave the same result 9 times.";

    expect([REFUSAL, stopped].map(isRefusal)).toEqual([true, true]);
    expect([REFUSAL, stopped].map(hasOwnWords)).toEqual([false, false]);
    expect(hasOwnWords(`${WORDS}\n\n${REFUSAL}`)).toBe(true);
    expect(isRefusal(`${WORDS}\n\n${REFUSAL}`)).toBe(true);
  });

  it.each([[undefined], [null], [7], [{ text: WORDS }], [[null]], [`I read "${WORDS}"`]])("are not in %j", (output) => {
    expect([hasOwnWords(output), isRefusal(output)]).toEqual([false, false]);
    expect(withoutOwnWords(output)).toBe(output);
  });
});
