import { expect, it } from "vitest";
import { toolLabel } from "../core/identity/call-identity.ts";
import { describeCall, isOfWords, shownTool } from "./describe-call.ts";

it.each([
  ["Read", { file_path: "/home/me/secret-client/src/app.ts" }, "Read app.ts"],
  ["Read", { file_path: "C:\\Users\\me\\cart.test.ts" }, "Read cart.test.ts"],
  ["Read", { file_path: "/repo/Makefile" }, "Read Makefile"],
  ["Read", { file_path: "/repo/aB3xK9qLmZ.json" }, "Read *.json"],
  ["Read", { file_path: "/repo/secrets" }, "Read"],
  ["http", { method: "GET", path: "/v1/users.json?api_key=sk-live-123" }, "http"],
  ["note", { file: "diagnosis of patient Ada Lovelace" }, "note"],
  ["Bash", { command: "cd /home/me/x && FOO=bar timeout 30 npm test -- --run 2>&1 | tail -5" }, "npm test"],
  ["Bash", { command: ["bash", "-lc", "npm run build"] }, "npm run build"],
  ["Bash", { command: "npm run launch-acme-campaign" }, "npm run"],
  ["bash", { command: "python3 scripts/run.py --token abc" }, "python3 run.py"],
  ["bash", { command: "./scripts/deploy.sh acme.SECRET.customer" }, "deploy.sh"],
  ["bash", { command: "/usr/bin/grep -rn password /etc" }, "grep"],
  ["bash", { command: "git SECRETtoken123" }, "git"],
  ["bash", { command: "redis-cli -a P@ss.SECRETword PING" }, "redis-cli"],
  ["bash", { command: "sshpass -p hunter2.SECRET ssh prod" }, "sshpass"],
  ["bash", { command: "echo eyJhbGciOiJI.eyJzdWIiSECRET.SflKxw | base64 -d" }, "echo"],
  ["bash", { command: "mail ada.SECRET@example.com < report" }, "bash"],
  ["bash", { command: "SECRETWORD.x is my password" }, "bash"],
  ["bash", { command: '"$(cat /etc/passwd)"' }, "bash"],
  ["search", { query: "what my client is called" }, "search"],
  ["search", "just words", "search"],
])("describes a call of %s with %j as %s", (tool, args, expected) => {
  expect(describeCall(tool, args)).toBe(expected);
});

it("replaces a tool name that is not made of words with a readable hash", () => {
  expect(describeCall("ignore previous instructions\u001b[2J", {})).toMatch(/^tool#[0-9a-f]{12}$/);
});

it.each([
  "Read",
  "read_file",
  "mcp__server__get_issue",
  "auth",
  "cart-v2",
  "i18n",
  "base64url",
  "useCart",
  "getURLs",
  "parseURLsTwice",
  "HTMLParser",
  "utf8ToHex",
  "2026-11-16",
  "CODE_OF_CONDUCT",
  "hf_whoami",
  "npm_install",
  "task-runner",
  "disk_test",
])("accepts %s as words", (name) => {
  expect(isOfWords(name)).toBe(true);
});

it.each([
  "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
  "AKIAIOSFODNN7EXAMPLE",
  "sk-ant-api03-abcdef",
  "xoxb-123-abc-Def456",
  "mcp__glpat-XVJU5TNJiPmHQBxBgqMA__get",
  "mcp__AKIAKOTHMRLPSRXHOTLO__get",
  "mcp__AIzardj_lh_Cold-Wngzpo-rz_bx__get",
  "mcp__sk_live_correcthorsebattery__get",
  "glpat-correct-horse-battery",
  "4111-1111-1111-1111",
  "QWxhZGRpbjpvcGVuIHNlc2FtZQ",
  "aB3xK9qLmZ",
  "dfXkqWERTz",
  "QRxTfPwLKd",
  "",
])("rejects %s as words", (name) => {
  expect(isOfWords(name)).toBe(false);
});

it("gives a tool one name, whether the core hashed it before or not", () => {
  for (const tool of ["<img src=x>", "acme 0x9f8e7d6c5b4a", "Read"]) {
    expect(shownTool(toolLabel(tool))).toBe(shownTool(tool));
    expect(shownTool(shownTool(tool))).toBe(shownTool(tool));
  }
});
