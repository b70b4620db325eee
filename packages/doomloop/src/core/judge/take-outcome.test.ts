import { describe, expect, it } from "vitest";
import { call, failure, judgedBy, latestIn, newRun, result, step, takeCall } from "../../../../../test/builders.ts";
import { platform } from "../../platform.ts";
import type { ResultEvent } from "../event.ts";
import type { Digest } from "../identity/digest.ts";
import { readOutcome } from "../outcome/read-outcome.ts";
import type { Step } from "../step.ts";
import { takeOutcome } from "./take-outcome.ts";

/** A call's step with what came back. */
function taken(tool: string, args: object, event: Omit<ResultEvent, "type">): Step {
  const step = takeCall(newRun({ progress: { seesResults: true } }), call(tool, args));
  takeOutcome(step, readOutcome({ type: "result", ...event }, platform, undefined));
  return step;
}

const outcomeOf = (tool: string, args: object, output: string, more: Partial<ResultEvent> = {}): Digest =>
  taken(tool, args, { output, ...more }).outcome;
const mail = { to: "a@example.com", body: "The report is done." };

describe("takeOutcome", () => {
  it("notes what came back", () => {
    expect(taken("get_order", { id: 7 }, { output: "no such order", error: true })).toMatchObject({
      isSeen: true,
      length: 13,
      failure: { strength: "told" },
      isTelling: true,
      isEmpty: false,
      isNothing: false,
      isMute: true,
      isSynthetic: false,
    });
    expect(taken("get_order", { id: 7 }, { output: "" })).toMatchObject({ isEmpty: true, isNothing: true });
    expect(taken("get_order", { id: 7 }, { output: "No results found." })).toMatchObject({
      isEmpty: false,
      isNothing: true,
    });
  });

  it.each<[string, boolean]>([
    ["ok", true],
    ["x".repeat(20), true],
    ["x".repeat(21), false],
    ["Successfully updated the record", true],
    ["The record has the number 17", false],
  ])("takes %j for a word that something was done: %s", (output, isMute) => {
    expect(taken("frobnicate", {}, { output }).isMute).toBe(isMute);
  });

  it("takes all refusals for one outcome, whatever they say", () => {
    const refused = (output: string) => outcomeOf("get_order", {}, output, { synthetic: true });

    expect(refused("no")).toBe(refused("not allowed"));
    expect(refused("no")).not.toBe(outcomeOf("get_order", {}, "no"));
  });

  it("takes what cannot be compared for no other outcome", () => {
    const opaque = Array.from({ length: 2 }, (_, index) => {
      const step = { ...takeCall(newRun(), call("get_order")), index };
      takeOutcome(step, { ...readOutcome({ type: "result", output: "" }, platform, undefined), digest: undefined });
      return step.outcome;
    });

    expect(opaque[0]).not.toBe(opaque[1]);
  });

  it.each<[string, string, object]>([
    ["a mail", "send_email", mail],
    ["a question", "ask_user", { question: "May I go on?" }],
    ["an order", "create_order", { item: "a table of oak", street: "12 Long Lane, York" }],
  ])("takes what was said for said, whatever number comes back for it: %s", (_what, tool, args) => {
    const answer = (id: string) => outcomeOf(tool, args, `Accepted as ${id}.`);

    expect(answer("MSG-5512")).toBe(answer("MSG-5513"));
    expect(answer("1772787713.06")).toBe(answer("1772787714.91"));
    expect(answer("a draft")).not.toBe(answer("a reply"));
  });

  it.each<[string, string, object, Partial<ResultEvent>]>([
    ["it is a look", "get_order", { item: "a table of oak", street: "12 Long Lane, York" }, {}],
    ["it failed", "send_email", mail, { error: true }],
    ["it says too little to be an order", "create_order", { item: "oak" }, {}],
  ])("tells answers with another number apart if %s", (_what, tool, args, more) => {
    const answer = (id: string) => outcomeOf(tool, args, `Accepted as ${id}.`, more);

    expect(answer("MSG-5512")).toBe(answer("MSG-5512"));
    expect(answer("MSG-5512")).not.toBe(answer("MSG-5513"));
  });

  it("tells long answers and small numbers apart", () => {
    const long = (id: string) =>
      outcomeOf("ask_user", { question: "Which?" }, `${"Take it, please. ".repeat(12)}${id}`);
    const small = (count: number) => outcomeOf("ask_user", { question: "How many?" }, `Take ${count} of them.`);

    expect(long("MSG-5512")).not.toBe(long("MSG-5513"));
    expect(small(4)).not.toBe(small(5));
  });

  it("goes by the digest alone where the text is not all that came back, as with a picture", () => {
    const page = "The page https://shop.example/basket, 1280 by 720 points, as it looks now:\n[content]";
    const counts = (digests: readonly string[]) =>
      judgedBy(
        newRun({ progress: { seesResults: true } }),
        digests.flatMap((digest) => [call("screenshot"), { ...result(page), digest }]),
      ).map(({ exact }) => exact.count);

    expect(counts(["d1", "d2", "d3"])).toEqual([1, 1, 1]);
    expect(counts(["d1", "d1", "d1"])).toEqual([1, 2, 3]);
  });

  it("lets a run count a mail that is sent again, although each gets an id of its own", () => {
    const sent = ["MSG-1", "MSG-2", "MSG-3"].flatMap((id) => step("send_email", mail, `Sent as ${id}`));

    expect(judgedBy(newRun({ progress: { seesResults: true } }), sent).map(({ exact }) => exact.count)).toEqual([
      1, 2, 3,
    ]);
    expect(
      latestIn([call("send_email", mail), failure("busy"), call("send_email", mail), result("ok")]).exact.count,
    ).toBe(1);
  });
});
