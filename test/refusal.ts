import { expect } from "vitest";

/** Matches the error that refuses an option, by its whole message; "…" stands for any words. */
export function refusal(message: string): unknown {
  const pattern = message
    .split("…")
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"))
    .join(".+");
  return expect.objectContaining({
    name: "DoomloopError",
    code: "invalid-option",
    message: expect.stringMatching(new RegExp(`^${pattern}$`)),
  });
}
