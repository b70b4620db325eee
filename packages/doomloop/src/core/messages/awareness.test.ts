import { SYSTEM_PROMPT_PARAGRAPH, TOOL_DESCRIPTION_PARAGRAPH } from "doomloop";
import { describe, expect, it } from "vitest";
import { MESSAGE_PREFIX } from "../message-prefix.ts";

describe("the paragraphs of awareness", () => {
  it("tell an agent how to know the guard's messages", () => {
    expect(SYSTEM_PROMPT_PARAGRAPH).toContain(`"${MESSAGE_PREFIX}"`);
  });

  it("tell what does not count, so that nobody stops testing, paging or waiting", () => {
    expect(SYSTEM_PROMPT_PARAGRAPH).toMatch(/tests again after an edit, .*next page.* waiting .* do not count/);
  });

  it.each([SYSTEM_PROMPT_PARAGRAPH, TOOL_DESCRIPTION_PARAGRAPH])("are one paragraph of plain text", (paragraph) => {
    expect(paragraph).toMatch(/^[A-Z][^\n]{100,}\.$/);
  });
});
