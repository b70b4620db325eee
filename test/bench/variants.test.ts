import { describe, expect, it } from "vitest";
import { variants } from "../../bench/quality/variants.ts";
import { call, result, round, user } from "../builders.ts";

const events = [
  user("go"),
  round,
  call("read_file", { path: "a" }, { at: 1 }),
  result("text", { at: 2 }),
  round,
  call("wait", {}, { at: 3 }),
  result("text", { at: 4 }),
  call("read_file", { path: "b" }, { at: 5 }),
];
const toolsOf = (told: readonly object[]) => told.flatMap((event) => ("tool" in event ? [event.tool] : []));

describe("a run told otherwise", () => {
  it("has other names for its tools, equal for equal ones and different for different ones", () => {
    const [first, second, third] = toolsOf(variants["tools renamed"](events, "a run"));

    expect(third).toBe(first);
    expect(second).not.toBe(first);
    expect(["read_file", "wait"]).not.toContain(first);
    expect(first).toMatch(/^[a-z]+$/);
  });

  it("has neither", () => {
    const told = variants["no clock, no rounds"](events);

    expect(told).toHaveLength(6);
    expect(told.some((event) => "at" in event || event.type === "round")).toBe(false);
  });

  describe("in other words", () => {
    const reworded = (...outputs: unknown[]) =>
      variants["tools renamed, answers reworded"](
        outputs.map((output) => result(output, { error: true })),
        "a run",
      ).map((event) => ("output" in event ? event.output : undefined));

    it("has other words in answers, equal for equal ones and different for different ones", () => {
      const [first, second] = reworded("Not found: file", "file found") as [string, string];

      expect(first).not.toMatch(/found|file/i);
      expect(second.split(" ")).toEqual([first.split(/\W+/)[2], first.split(/\W+/)[1]]);
    });

    it("keeps length, case, digits, ids and punctuation", () => {
      const [told] = reworded("ERROR: file_name (line 12) of E0382 in 3.5s") as [string];

      expect(told).toMatch(/^[A-Z]{5}: [a-z]{4}_[a-z]{4} \([a-z]{4} 12\) [a-z]{2} E0382 [a-z]{2} 3\.5s$/);
    });

    it("rewords values and keys, and keeps what is syntax", () => {
      const [object, json] = reworded({ status: "failed", ok: true }, '{"ok":true,"lines":"one\\ntwo"}') as [
        object,
        string,
      ];

      expect(Object.values(object)).toEqual([expect.stringMatching(/^(?!failed)[a-z]{6}$/), true]);
      expect(Object.keys(object)).not.toContain("status");
      expect(json).toMatch(/^\{"[a-z]{2}":true,"[a-z]{5}":"[a-z]{3}\\n[a-z]{3}"\}$/);
    });

    it("keeps requests, arguments and error flags", () => {
      const [asked, called, answered] = variants["tools renamed, answers reworded"](
        [user("find the file"), call("find", { name: "file" }), result("file", { error: true })],
        "a run",
      );

      expect(asked).toEqual(user("find the file"));
      expect(called).toMatchObject({ args: { name: "file" } });
      expect(answered).toMatchObject({ error: true });
    });
  });
});
