import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { detectors } from "../../packages/doomloop/src/core/detectors/index.ts";

const core = resolve(import.meta.dirname, "../../packages/doomloop/src/core");

/** What stands in the detectors' folder and is none. */
const OTHERS = ["detector", "index", "limits", "trail"];

describe("a detector", () => {
  it("stands in its four places", () => {
    expect(missingPlaces(core)).toEqual([]);
  });

  it("is found in its file, by the name that it is registered under", () => {
    expect(Object.keys(detectors).sort()).toEqual(kindsIn(core).sort());
  });

  it("exports its factory under its file's name", async () => {
    for (const kind of kindsIn(core)) {
      const module = (await import(join(core, "detectors", `${kind}.ts`))) as Record<string, unknown>;

      expect(Object.keys(module)).toEqual([camelCase(kind)]);
    }
  });
});

describe("the check of four places", () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "doomloop-places-"));
    for (const name of ["detectors", "messages"]) cpSync(join(core, name), join(folder, name), { recursive: true });
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("misses all three others where there is a file alone", () => {
    writeFileSync(join(folder, "detectors/new-kind.ts"), "export function newKind() {}\n");

    expect(missingPlaces(folder)).toEqual([
      "new-kind: a test beside it",
      "new-kind: its line in detectors/index.ts",
      "new-kind: its sentence in messages/sentences.ts",
    ]);
  });

  it("misses a test", () => {
    rmSync(join(folder, "detectors/test-fix.test.ts"));

    expect(missingPlaces(folder)).toEqual(["test-fix: a test beside it"]);
  });

  it.each([
    ["test-fix", "its line in detectors/index.ts", /^\s*"test-fix":.*\n/m],
    ["test-fix", "its sentence in messages/sentences.ts", /^\s*"test-fix":.*\n/m],
    ["stalled", "its line in detectors/index.ts", /^\s*stalled,\n/m],
    ["stalled", "its sentence in messages/sentences.ts", /^\s*stalled,\n/m],
  ])("misses, of %s, %s", (kind, place, line) => {
    const path = join(folder, place.slice(place.lastIndexOf(" ") + 1));
    writeFileSync(path, readFileSync(path, "utf8").replace(line, ""));

    expect(missingPlaces(folder)).toEqual([`${kind}: ${place}`]);
  });
});

/** What the detectors of a folder lack, each in one line. */
function missingPlaces(folder: string): string[] {
  /** A name without a hyphen is written bare, and alone where it names the value, too. */
  const lists = (file: string, kind: string, value: string) => {
    const text = readFileSync(join(folder, file), "utf8");
    return [`"${kind}": ${value},`, `\n  ${kind}: ${value},`, ...(kind === value ? [`\n  ${kind},`] : [])].some(
      (line) => text.includes(line),
    );
  };
  return kindsIn(folder).flatMap((kind) => {
    const factory = camelCase(kind);
    const places: readonly (readonly [boolean, string])[] = [
      [existsSync(join(folder, "detectors", `${kind}.test.ts`)), "a test beside it"],
      [lists("detectors/index.ts", kind, factory), "its line in detectors/index.ts"],
      [lists("messages/sentences.ts", kind, factory), "its sentence in messages/sentences.ts"],
    ];
    return places.filter(([isThere]) => !isThere).map(([, place]) => `${kind}: ${place}`);
  });
}

function kindsIn(folder: string): string[] {
  return readdirSync(join(folder, "detectors"))
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .map((file) => basename(file, ".ts"))
    .filter((kind) => !OTHERS.includes(kind));
}

function camelCase(kind: string): string {
  return kind.replaceAll(/-([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}
