import { describe, expect, it } from "vitest";
import { loginOf, readAddress } from "./redis-address.ts";

describe("the address of a store", () => {
  it.each([
    ["redis://store.example", { host: "store.example", port: 6379, isEncrypted: false }],
    ["valkeys://store.example:6380/1", { host: "store.example", port: 6380, isEncrypted: true }],
    ["redis://[::1]:7000", { host: "::1", port: 7000, isEncrypted: false }],
    [
      "rediss://ada:p%40ss@store.example",
      { host: "store.example", port: 6379, isEncrypted: true, username: "ada", password: "p@ss" },
    ],
    ["redis://:100%@store", { host: "store", port: 6379, isEncrypted: false, password: "100%" }],
  ])("says where to log in, and how: %s", (url, login) => {
    expect(loginOf(readAddress(url))).toEqual(login);
  });

  it("is one that every client knows", () => {
    expect(readAddress("valkey://:secret@store/1").href).toBe("redis://:secret@store/1");
  });
});
