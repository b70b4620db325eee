import { describe, expect, it } from "vitest";
import { isUserAfterResult, type Spoken } from "./is-user-after-result.ts";

const answer: Spoken = { by: "other", content: "" };
const result: Spoken = { by: "result", content: "3 items" };
const user = (content: unknown): Spoken => ({ by: "user", content });
/** Each message comes right after a result. */
const after = (...contents: unknown[]): Spoken[] => contents.flatMap((content) => [answer, result, user(content)]);

describe("isUserAfterResult", () => {
  it.each([
    ["words that differ from those before", after("and now?", "did the pen arrive?"), true],
    ["words in parts", after([{ type: "text", text: "and now?" }], [{ type: "text", text: "cart please" }]), true],
    ["the first words", after("and now?"), false],
    ["the same words", after("Remember the task.", "Remember the task."), false],
    ["a reminder that counts", after("Step 1 of 9: mind the task.", "Step 2 of 9: mind the task."), false],
    ["two reminders in turn", after("Mind the task.", "Be short, please.", "Mind the task."), false],
    ["two reminders at once", [...after("Mind the task."), user("Be short, please.")], false],
    ["words after an answer", [...after("one"), answer, user("two")], false],
    ["a result", [...after("one"), answer, result], false],
    ["nothing", [], false],
    ["a message without text", after(null, [null, 1], 2), false],
  ])("recognises %s", (_, messages, expected) => {
    expect(isUserAfterResult(messages)).toBe(expected);
  });
});
