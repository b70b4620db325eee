import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { CODING_AGENTS } from "../../packages/doomloop/src/agents/index.ts";

const source = resolve(import.meta.dirname, "../../packages/doomloop/src");
const files = globSync("**/*.ts", { cwd: source })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => !file.startsWith("agents/") && !/\.test(?:-d)?\.ts$/.test(file));

/** Words that core reads in commands, written from its sources: the names of programs are among them. Lists of words name whose they are. */
const EXEMPT = ["scan/redact/vocabulary.ts", ...["frame", "calls", "words"].map((list) => `core/hints/${list}.ts`)];
/** A shorter name is a word in many other places, as are these. Their folders are looked for all the same. */
const SHORTEST = 3;
const WORDS = ["cursor"];

const names = CODING_AGENTS.flatMap(({ name, label }) => [name, label]).filter(
  (name) => name.length >= SHORTEST && !WORDS.includes(name.toLowerCase()),
);
const NAMED = new RegExp(`(?<![\\w-])(?:${[...new Set(names)].join("|")})(?![\\w-])`, "i");
const IMPORTED = new RegExp(`/agents/(?:${CODING_AGENTS.map(({ name }) => name).join("|")})/`);

describe("a coding agent", () => {
  it("is named nowhere in the source but in its folder and in the list", () => {
    const places = files
      .filter((file) => !EXEMPT.includes(file))
      .flatMap((file) =>
        readFileSync(join(source, file), "utf8")
          .split("\n")
          .flatMap((line, at) =>
            NAMED.test(line) || IMPORTED.test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : [],
          ),
      );

    expect(places).toEqual([]);
  });

  it("shares nothing with another folder of agents by its name", () => {
    const shared = globSync("agents/{hook,hook-client,settings,doctor}/*.ts", { cwd: source })
      .filter((file) => !/\.test\.ts$/.test(file))
      .flatMap((file) =>
        readFileSync(join(source, file), "utf8")
          .split("\n")
          .flatMap((line, at) => (NAMED.test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : [])),
      );

    expect(shared).toEqual([]);
  });
});
