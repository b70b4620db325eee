import type { DeadEndKind, HonestKind } from "./honest-kinds.ts";
import { deadEnd, missed, ownTrouble } from "./short-kinds.ts";

/** Kinds of work that a swarm of an operator has shown to be told wrongly, in words of our own. */
export const reportedHonestKinds: readonly HonestKind[] = [
  ownTrouble(
    "a proxy of the own network that has no name there",
    {
      tool: "fetch",
      args: { url: "https://weather.example.com/v2/now" },
      output: "getaddrinfo ENOTFOUND gate.fleet-egress.com",
    },
    "unset HTTPS_PROXY",
  ),
  ownTrouble(
    "a sign-in page of the own tenant",
    {
      tool: "browser_navigate",
      args: { url: "https://reports.example.com/weekly" },
      output: "net::ERR_NAME_NOT_RESOLVED at https://sso.tenant-12.example.net/start",
    },
    "export TENANT=main",
  ),
  ownTrouble(
    "a redirect to the own site",
    {
      tool: "fetch",
      args: { url: "https://go.example.com/handbook" },
      output: "404 Not Found for url: https://team-4.example.net/handbook",
    },
    "git pull",
  ),
  ...[
    "https://files.example.com/v1/me/photos",
    "https://chat.example.com/users/@me/rooms",
    "https://shop.example.com/my/invoices",
    "https://api.example.com/notes?owner=me",
    "https://api.example.com/user/keys/4",
    "https://api.example.com/builds/current",
    "https://home.example.com/~/todo",
  ].map((url) =>
    ownTrouble(
      `what only the own account has: ${url}`,
      { tool: "http_get", args: { url }, output: "404 Not Found" },
      "login",
    ),
  ),
  ownTrouble(
    "a report that the own token may not read",
    { tool: "http_get", args: { url: "https://api.example.com/v1/payroll" }, output: "403 Forbidden" },
    "source .env",
  ),
];

export const reportedDeadEndKinds: readonly DeadEndKind[] = [
  deadEnd(
    "an object that a client of a bucket asks for",
    "object_info",
    { uri: "s3://acme-maps/tiles/9.bin" },
    "An error occurred (404) when calling the GetObject operation: Not Found",
  ),
  deadEnd(
    "a server's own page",
    "fetch",
    { url: "https://maps.example/old" },
    "<html>\r\n<head><title>404 Not Found</title></head>\r\n<body>\r\n<center><h1>404 Not Found</h1></center>\r\n<hr><center>openresty</center>\r\n</body>\r\n</html>",
  ),
  deadEnd(
    "an answer of a framework",
    "http_get",
    { url: "https://maps.example/api/tiles" },
    '{"statusCode":404,"message":"Cannot GET /api/tiles","error":"Not Found"}',
  ),
  deadEnd(
    "an API that was switched off",
    "http_get",
    { url: "https://maps.example/v1" },
    "410 Gone: the v1 API is retired",
  ),
  deadEnd(
    "a database whose host is gone",
    "connect",
    { dsn: "postgres://maps-old.example.com/tiles" },
    'could not translate host name "maps-old.example.com" to address: Name or service not known',
  ),
  missed(deadEnd("a tag of an image", "docker_pull", { image: "ghcr.io/acme/maps:0.1" }, "manifest unknown")),
];
