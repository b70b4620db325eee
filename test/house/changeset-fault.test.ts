import { globSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { changesetFault } from "../../scripts/package/changelog.ts";

const folder = resolve(import.meta.dirname, "../../.changeset");
const changeset = (head: string) => `---\n${head}---\n\nWhat a user notices.\n`;

describe("a changeset", () => {
  it.each(['"doomloop": patch\n', "'doomloop': minor\n", "doomloop: major\n", '"doomloop": "patch"\n', ""])(
    "is fine with %j",
    (head) => {
      expect(changesetFault(changeset(head))).toBeUndefined();
      expect(changesetFault(changeset(head).replaceAll("\n", "\r\n"))).toBeUndefined();
    },
  );

  it.each([
    ["another package", changeset('"doomlop": patch\n'), /the package doomloop is required, got doomlop/],
    ["another bump", changeset('"doomloop": tiny\n'), /major, minor or patch is required, got tiny/],
    ["no bump", changeset('"doomloop":\n'), /a line such as "doomloop": patch is required, got "doomloop":/],
    ["a second line that is wrong", changeset('"doomloop": patch\n"viewer": patch\n'), /got viewer/],
    ["no front matter", "What a user notices.\n", /begins with no lines such as ---/],
    ["an end that is missing", '---\n"doomloop": patch\n', /begins with no lines such as ---/],
  ])("is refused with %s", (_title, text, fault) => {
    expect(changesetFault(text)).toMatch(fault);
  });

  it("is fine if it is one of ours", () => {
    const files = globSync("*.md", { cwd: folder }).filter((file) => basename(file) !== "README.md");

    expect(files.map((file) => changesetFault(readFileSync(join(folder, file), "utf8")))).toEqual(
      files.map(() => undefined),
    );
  });
});
