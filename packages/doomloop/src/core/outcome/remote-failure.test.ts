import { describe, expect, it } from "vitest";
import { readFailure } from "./read-failure.ts";

const isRemote = (text: string) => readFailure(text, true, false)!.isRemote;

describe("a failure of an address", () => {
  it.each([
    "net::ERR_ABORTED 404 at https://docs.example/old",
    "Error 1016 Ray ID: 8a1 Origin DNS error",
    "This site can't be reached. Check if there is a typo in docs.example. DNS_PROBE_FINISHED_NXDOMAIN",
    "Domain expired",
    "curl: (6) Could not resolve host: docs.example",
    'Get "https://docs.example/a": dial tcp: lookup docs.example on 127.0.0.53:53: no such host',
    "java.net.UnknownHostException: docs.example",
    "dns error: failed to lookup address information: nodename nor servname provided, or not known",
    "System.Net.Http.HttpRequestException: No such host is known. (docs.example:443)",
    "GuzzleHttp\\Exception\\ClientException: Client error: `GET https://docs.example` resulted in a `404 Not Found` response",
    "aiohttp.client_exceptions.ClientResponseError: 404, message='Not Found', url='https://docs.example/a'",
    '{"timestamp":"2026-02-03T10:00:00Z","status":404,"error":"Not Found","path":"/v1/x"}',
    `<!DOCTYPE html><html><head><meta charset="utf-8"><title>Page not found</title></head>${"<p>Your cart</p>".repeat(40)}`,
  ])("is that of all workers: %j", (text) => {
    expect(isRemote(text)).toBe(true);
  });

  it.each([
    "429 Too Many Requests",
    "404 Not Found: this webhook delivery expired",
    '{"status":404,"error":"session_not_found"}',
    "404: nothing is planned for today",
    "404 unknown account",
    "410 Gone: the link was already used",
    "403: Request has expired",
    "DNS lookup timed out",
    "no such host: the resolver is offline",
    "getaddrinfo ENOTFOUND proxy.local",
    "Temporary failure in name resolution",
    "404 page not found: http://localhost:3000/health",
    "unable to read /etc/hosts: not found",
  ])("may be about the one who asks if it says anything else: %j", (text) => {
    expect(isRemote(text)).toBe(false);
  });
});
