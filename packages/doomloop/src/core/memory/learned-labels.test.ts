import { describe, expect, it } from "vitest";
import { createLearnedLabels } from "./learned-labels.ts";

describe("createLearnedLabels", () => {
  it("takes a label for volatile once it was the only difference three times", () => {
    const learned = createLearnedLabels();
    for (let at = 0; at < 2; at++) learned.note("tool", [7]);
    expect(learned.areVolatile("tool", [7])).toBe(false);
    learned.note("tool", [7]);

    expect(learned.areVolatile("tool", [7])).toBe(true);
  });

  it("learns tool by tool and label by label", () => {
    const learned = createLearnedLabels();
    for (let at = 0; at < 3; at++) learned.note("tool", [7]);

    expect(learned.areVolatile("other", [7])).toBe(false);
    expect(learned.areVolatile("tool", [7, 8])).toBe(false);
  });

  it("learns nothing from answers that differ in many places", () => {
    const learned = createLearnedLabels();
    for (let at = 0; at < 5; at++) learned.note("tool", [1, 2, 3, 4]);

    expect(learned.areVolatile("tool", [1])).toBe(false);
  });

  it("learns a bounded number of labels and tools", () => {
    const learned = createLearnedLabels();
    for (let label = 0; label < 1000; label++) for (let at = 0; at < 3; at++) learned.note("tool", [label]);
    for (let tool = 0; tool < 1000; tool++) for (let at = 0; at < 3; at++) learned.note(`tool_${tool}`, [1]);

    expect(JSON.stringify(learned.save()).length).toBeLessThan(4000);
  });

  it("goes on from where it was saved", () => {
    const learned = createLearnedLabels();
    for (let at = 0; at < 2; at++) learned.note("tool", [7]);
    const resumed = createLearnedLabels(JSON.parse(JSON.stringify(learned.save())));
    resumed.note("tool", [7]);

    expect(resumed.areVolatile("tool", [7])).toBe(true);
  });
});
