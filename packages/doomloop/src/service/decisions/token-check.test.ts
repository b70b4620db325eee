import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { createTokenCheck } from "./token-check.ts";

const asked = (headers: Readonly<Record<string, string>>) => ({ headers }) as unknown as IncomingMessage;

describe("the token of a request", () => {
  it.each(["t", "a-token-of-the-tests", "x".repeat(5_000), "żółw"])("is accepted: %.20s", (token) => {
    const hasToken = createTokenCheck(token);

    expect(hasToken(asked({ authorization: `Bearer ${token}` }), "/v1/runs/a")).toBe(true);
    expect(hasToken(asked({ authorization: `bearer ${token}` }), "/v1/runs/a")).toBe(true);
    expect(hasToken(asked({ "x-api-key": token }), "/v1/guardrails/litellm")).toBe(true);
    expect(hasToken(asked({ "x-api-key": token }), "/v1/runs/a")).toBe(false);
  });

  it.each([
    "",
    "Bearer ",
    "Bearer toke",
    "Bearer tokens",
    "Bearer token\0",
    "token",
    `Bearer token${"\0".repeat(2_000)}`,
  ])("is not the right one: %j", (authorization) => {
    expect(createTokenCheck("token")(asked({ authorization }), "/v1/runs/a")).toBe(false);
  });

  it("is not taken from the request before", () => {
    const hasToken = createTokenCheck("token");
    hasToken(asked({ authorization: "Bearer token" }), "/v1/runs/a");

    expect(hasToken(asked({}), "/v1/runs/a")).toBe(false);
    expect(hasToken(asked({ authorization: "Bearer t" }), "/v1/runs/a")).toBe(false);
  });
});
