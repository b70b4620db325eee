import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { readArguments, toolLabel } from "./call-identity.ts";

describe("readArguments", () => {
  it("parses an object or a list that came as JSON text", () => {
    expect(readArguments('{"a":[1,"b"]}')).toEqual({ a: [1, "b"] });
    expect(readArguments(" \n[1]")).toEqual([1]);
  });

  it.each(["", "ls -la", "null", "1", '"text"', "{", '{"a":}', "{'a':1}", '{"a":1} and more', "[".repeat(100_000)])(
    "leaves other text as it is (%#)",
    (text) => {
      expect(readArguments(text)).toBe(text);
    },
  );

  it("leaves JSON with an integer that would not survive", () => {
    expect(readArguments('{"id":9007199254740993}')).toBe('{"id":9007199254740993}');
    expect(readArguments('{"id":900719925474099}')).toEqual({ id: 900719925474099 });
  });

  it("leaves JSON that is too long to parse", () => {
    const text = JSON.stringify({ a: "x".repeat(300_000) });

    expect(readArguments(text)).toBe(text);
  });

  it("leaves JSON whose parts are too many to parse", () => {
    const [deep, wide] = ["[".repeat(30_000) + "]".repeat(30_000), `[${"[],".repeat(30_000)}1]`];

    expect(readArguments(deep)).toBe(deep);
    expect(readArguments(wide)).toBe(wide);
    expect(readArguments(`[${"1,".repeat(15_000)}1]`)).toHaveLength(15_001);
  });

  it("hands other values through", () => {
    const value = { a: 1 };

    expect(readArguments(value)).toBe(value);
    expect(readArguments(undefined)).toBeUndefined();
  });
});

describe("toolLabel", () => {
  it("keeps nothing of the text that a name was cut out of", () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const cutOut = (at: number): string => {
      const text = Buffer.alloc(1_000_000, ".").toString("latin1");
      return toolLabel(`${text}search_the_catalogue_${at}`.slice(text.length));
    };
    collect();
    const before = process.memoryUsage().heapUsed;
    const labels = Array.from({ length: 40 }, (_, at) => cutOut(at));
    collect();

    expect(process.memoryUsage().heapUsed - before).toBeLessThan(20_000_000);
    expect(labels[7]).toBe("search_the_catalogue_7");
  });
});
