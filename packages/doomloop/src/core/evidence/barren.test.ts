import { describe, expect, it } from "vitest";
import { decisionsOf, step } from "../../testing/events.ts";

const PAGE = "Lamps and chairs\nTables of oak\nOpening hours\nHow to find us\nYour basket is empty";

describe("calls that bring only what the run knows", () => {
  it("are told of in the end, though no two of them are the same", () => {
    const clicks = Array.from({ length: 30 }, (_, at) =>
      step("browser_click", { element: `link ${at} of ${at * 3}` }, PAGE),
    );
    const [first] = decisionsOf(clicks.flat());

    expect(first?.action).toBe("nudge");
    expect(["stalled", "same-outcome"]).toContain(first?.finding?.kind);
  });

  it("are left alone where each brings something new", () => {
    const clicks = ["oak", "pine", "beech", "birch", "maple", "cedar", "larch", "walnut"].map((wood) =>
      step(
        "browser_click",
        { element: wood },
        `Tables of ${wood}\nChairs of ${wood}\nBeds of ${wood}\nWhat ${wood} costs`,
      ),
    );

    expect(decisionsOf(clicks.flat())).toEqual([]);
  });
});
