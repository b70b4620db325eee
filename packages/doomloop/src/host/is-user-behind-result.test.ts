import { describe, expect, it } from "vitest";
import { isUserBehindResult, type Spoken } from "./is-user-behind-result.ts";

const answer: Spoken = { by: "other", content: "" };
const result: Spoken = { by: "result", content: "3 items" };
const user = (content: unknown): Spoken => ({ by: "user", content });
/** Each message right behind a result. */
const behind = (...contents: unknown[]): Spoken[] => contents.flatMap((content) => [answer, result, user(content)]);

describe("isUserBehindResult", () => {
  it.each([
    ["words that differ from those before", behind("and now?", "did the pen arrive?"), true],
    ["words in parts", behind([{ type: "text", text: "and now?" }], [{ type: "text", text: "cart please" }]), true],
    ["the first words", behind("and now?"), false],
    ["the same words", behind("Remember the task.", "Remember the task."), false],
    ["a reminder that counts", behind("Step 1 of 9: mind the task.", "Step 2 of 9: mind the task."), false],
    ["two reminders in turn", behind("Mind the task.", "Be short, please.", "Mind the task."), false],
    ["two reminders at once", [...behind("Mind the task."), user("Be short, please.")], false],
    ["words behind an answer", [...behind("one"), answer, user("two")], false],
    ["a result", [...behind("one"), answer, result], false],
    ["nothing", [], false],
    ["what is no text", behind(null, [null, 1], 2), false],
  ])("takes %s for what they are", (_, messages, expected) => {
    expect(isUserBehindResult(messages)).toBe(expected);
  });
});
