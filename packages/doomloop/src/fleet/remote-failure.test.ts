import { describe, expect, it } from "vitest";
import { placesOf } from "./named-places.ts";
import { isRemoteFailure } from "./remote-failure.ts";

/** Whether a call of these arguments fails for everybody. */
const isRemote = (
  text: string,
  args: unknown = { urls: ["https://docs.example/v2", "https://old.example"] },
): boolean => isRemoteFailure(text, placesOf(args));

describe("a failure of an address", () => {
  it.each([
    "404 Not Found",
    "HTTP 410 Gone",
    "Request failed with status code 404",
    '{"status":404,"error":"Not Found"}',
    "404: Cannot GET /v2",
    "500 Internal Server Error",
    "getaddrinfo ENOTFOUND old.example",
    "net::ERR_NAME_NOT_RESOLVED at https://old.example/",
    "NoSuchKey: The specified key does not exist.",
    "no such ticket",
    "Issue does not exist or you do not have permission to see it.",
    "socket.gaierror: [Errno -2] Name or service not known",
    "404 Client Error: Not Found for url: https://docs.example/files/local.html",
    `<html><head><title>404 Not Found</title></head>\n<body>${"<p>Try the search.</p>\n".repeat(40)}</body></html>`,
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
    "An error occurred (404) when calling the HeadObject operation: Not Found",
    "<html><head><title>404 Not Found</title></head><body><center><h1>404 Not Found</h1></center><hr><center>nginx</center></body></html>",
    '{"status":404,"body":"<html><body>Cannot GET /v2</body></html>"}',
    "404 Client Error. Entry Not Found for url: https://docs.example/v2.",
    "410 Gone: this API was retired",
    "wget: server returned error: HTTP/1.1 404 Not Found",
    "status: 404\nstatusText: Not Found",
    "failed to get file contents: 404 Not Found",
    'could not translate host name "docs.example" to address: Name or service not known',
    '{"errors":[{"code":"MANIFEST_UNKNOWN","message":"manifest unknown"}]}',
    "Client error '404 Not Found' for url 'https://docs.example/v2'\nFor more information check: https://developer.mozilla.org/en-US/docs/Web/HTTP/Status/404",
    '{"message":"Not Found","documentation_url":"https://docs.github.com/rest","status":"404"}',
    "404 Not Found for url: https://www.docs.example/v2/",
    "page.goto: net::ERR_NAME_NOT_RESOLVED at https://docs.example/v2",
  ])("is that of all workers: %j", (text) => {
    expect(isRemote(text)).toBe(true);
  });

  it.each([
    "fatal: destination path '/work' already exists and is not an empty directory.",
    "EACCES: permission denied, open 'package.json'",
    "ENOENT: no such file or directory, open 'a.ts'",
    "Executable doesn't exist at /root/.cache/chromium/chrome",
    "unable to read ./ca.pem: not found",
    "bash: wget: command not found",
    "ModuleNotFoundError: No module named 'requests'",
    "NoSuchElementException: Unable to locate it",
    "404: file not found: screenshot.png",
    "Error: no such session in this sandbox",
    "OSError: [Errno 28] No space left on device",
    "connect ECONNREFUSED 127.0.0.1:1025",
    "getaddrinfo EAI_AGAIN docs.example",
    "401 Unauthorized",
    "403: this token may not read it",
    "sh: 1: jq: not found",
    "not found: python3",
    "403 Forbidden: your API key is over its monthly limit",
    "404: your cart was not found",
    "404 Not Found: no task for you right now",
    "403 SignatureDoesNotMatch",
    "403 Forbidden (squid/5.7): access to this site is blocked by the administrator",
    "profile 'work-3' not found in config",
    "something went wrong",
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
    "403 Forbidden",
    "HTTP 403: page not found",
    "wget: not found",
    "404: no such API key",
    "getaddrinfo ENOTFOUND proxy.corp",
    "getaddrinfo ENOTFOUND server",
    "getaddrinfo ENOTFOUND Proxy.Corp",
    "Could not resolve host: egress.corp-proxy.com",
    "Failed to resolve 'database'",
    "net::ERR_NAME_NOT_RESOLVED at https://login.worker-7.example.com/",
    "404 Not Found for url: https://login.worker-7.example.com/",
    "404 Not Found <https://login.worker-7.example.com/>",
    "404 Not Found for url: https://docs.example/account",
    "HTTPSConnectionPool(host='egress.corp-proxy.com', port=3128): Max retries exceeded: Name or service not known",
    "connect ECONNREFUSED 203.0.113.7:443",
    "connect ECONNREFUSED 2001:db8:1:2::7:443",
    "404 Not Found: settings.json",
  ])("may be about the one who asks if it says anything else: %j", (text) => {
    expect(isRemote(text)).toBe(false);
  });

  it.each<[string, unknown]>([
    ["GET https://api.github.com/repos/acme/app/contents/a.md: 404 Not Found []", { owner: "acme", repo: "app" }],
    ["404 No such object: acme-public/sets/v3.parquet", { uri: "gs://acme-public/sets/v3.parquet" }],
    ["404 Not Found: https://acme-public.s3.amazonaws.com/a", { uri: "s3://acme-public/a" }],
    ["status: 404\nmessage: No static resource v1/list.", { url: "https://api.example/v1/list" }],
    ["connect ECONNREFUSED 203.0.113.7:443", { url: "https://203.0.113.7/x" }],
    ["404 Not Found: guide.html", { url: "https://docs.example/guide.html#top" }],
  ])("may name what the call names: %j", (text, args) => {
    expect(isRemote(text, args)).toBe(true);
    expect(isRemote(text, { url: "https://else.example/x" })).toBe(false);
  });
});
