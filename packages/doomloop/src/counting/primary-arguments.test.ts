import { describe, expect, it } from "vitest";
import { readCall } from "../core/progress/read-call.ts";
import { platform } from "../platform.ts";
import { primaryIdentity } from "./primary-arguments.ts";

const identityOf = (tool: string, args: unknown) => primaryIdentity(readCall(tool, args), platform);
const ofCommand = (command: string) => identityOf("bash", { command });

describe("primaryIdentity", () => {
  it.each(["cat a.ts | head", "cat a.ts > b.ts", "cat a.ts; ls", "cd src && cat a.ts"])(
    "takes %s as a whole",
    (line) => {
      expect(ofCommand(line)).not.toBe(ofCommand("cat a.ts"));
      expect(ofCommand(line)).toBe(ofCommand(line));
    },
  );

  it.each<[string, unknown]>([
    ["no primary argument", { id: 7 }],
    ["no fields", "text"],
    ["nothing", undefined],
    ["a value that cannot be compared", { path: Promise.resolve("a") }],
    ["a proxy", new Proxy({ path: "a" }, {})],
  ])("is undefined for %s", (_what, args) => {
    expect(identityOf("look", args)).toBeUndefined();
  });
});
