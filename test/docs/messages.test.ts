import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { messagesPage } from "../../scripts/messages/messages-page.ts";

it("lists every message as the guard words it (node scripts/write-messages.ts)", () => {
  expect(readFileSync(new URL("../../docs/messages.md", import.meta.url), "utf8")).toBe(messagesPage());
});
