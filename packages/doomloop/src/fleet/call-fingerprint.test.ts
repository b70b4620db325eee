import { createGuard } from "doomloop";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CallEvent } from "../core/event.ts";
import { platform } from "../platform.ts";
import { fleetCallOf } from "./call-fingerprint.ts";
import { memberOf } from "./fleet-evidence.ts";

/** What a guard asks its fleet about before the call is made, and what it reports when the result is there. */
function askedAndTold(event: CallEvent): (string | undefined)[] {
  const heard: string[] = [];
  const fleet = memberOf({
    world: "here",
    verdict: (fingerprint) => void heard.push(fingerprint),
    report: ({ fingerprint }) => void heard.push(fingerprint ?? ""),
  });
  const guard = createGuard({ fleet });
  guard.observe(event);
  guard.observe({ type: "result", output: "no", error: true });
  return [...new Set(heard)];
}

function fingerprint(tool: string, args: unknown): string | undefined {
  return fleetCallOf({ type: "call", tool, args }, platform)?.fingerprint;
}

const arbitraryCall: fc.Arbitrary<CallEvent> = fc.record({
  type: fc.constant("call" as const),
  tool: fc.oneof(fc.constantFrom("read_file", "bash", "fetch", "edit_file", "browser_click"), fc.string()),
  args: fc.oneof(
    fc.record({ path: fc.string(), limit: fc.nat() }, { requiredKeys: ["path"] }),
    fc.record({ command: fc.constantFrom("cat a.ts", "head -3 a.ts", "npm test", "rm -r b && ls") }),
    fc.record({ request_id: fc.string(), q: fc.string() }),
    fc.jsonValue(),
    fc.json(),
  ),
  readOnly: fc.option(fc.boolean(), { nil: undefined }),
});

describe("the fingerprint of a call", () => {
  it("is the one that a guard without rules asks its fleet about and reports, in its world", () => {
    fc.assert(
      fc.property(arbitraryCall, (event) => {
        expect(askedAndTold(event)).toEqual([fleetCallOf(event, platform, "here")?.fingerprint]);
      }),
    );
  });

  it("is the same for calls that are the same in substance", () => {
    expect(fingerprint("bash", { command: "head -3 a.ts" })).toBe(fingerprint("read_file", { path: "./a.ts" }));
    expect(fingerprint("fetch", '{"url":"https://docs.example"}')).toBe(
      fingerprint("fetch", { url: "https://docs.example" }),
    );
  });

  it("is another one for another call", () => {
    expect(fingerprint("fetch", { url: "https://docs.example/1" })).not.toBe(
      fingerprint("fetch", { url: "https://docs.example/2" }),
    );
  });

  it("is missing where arguments cannot be compared, and no fleet hears of such a call", () => {
    const args = { value: new Proxy({}, {}) };

    expect(fingerprint("fetch", args)).toBeUndefined();
    expect(askedAndTold({ type: "call", tool: "fetch", args })).toEqual([]);
  });
});
