import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { result, step, text, times, user } from "../builders.ts";
import { piecesOf, secretShapes, secrets } from "../made-up-secrets.ts";
import { DOORS, excerpt } from "../opinion-attacks.ts";
import { propertyRuns } from "../property-runs.ts";

const LETTERS = "qXv7Rt2LmZ9wKc4Hn8Jd3Fs6Gb5Py";
/** What people would not send to somebody else, and how it stands in a text. */
const KINDS: readonly (readonly [kind: string, secret: string, text?: string])[] = [
  ["an AWS key id", "AKIAIOSFODNN7EXAMPLE"],
  ["an AWS secret", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"],
  ["a GitHub token", `ghp_${LETTERS}`],
  ["a fine-grained GitHub token", `github_pat_11ABC_${LETTERS}`],
  ["a GitLab token", "glpat-abcdefghijklmnopqrst"],
  ["an OpenAI key", `sk-proj-${LETTERS}`],
  ["an Anthropic key", `sk-ant-api03-${LETTERS}`],
  ["a Stripe key", "sk_live_abcdefghijklmnopqrstuvwx"],
  ["a Stripe test key", "rk_test_abcdefghijklmnopqrstuvwx"],
  ["a webhook secret", "whsec_abcdefghijklmnopqrstuvwx"],
  ["a Slack token", "xoxb-abcdefghij-klmnopqrst"],
  ["a Google key", "AIzaabcdefghijklmnopqrstuvwxyzabcdefghi"],
  ["a Google token", "ya29.abcdefghijklmnopqrst"],
  ["a JWT", "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEifQ.abcdefghijkl"],
  ["a SendGrid key", "SG.abcdefghijklmnop.qrstuvwxyzabcdef"],
  ["an npm token", "npm_abcdefghijklmnopqrstuvwxyzabcdefghij"],
  ["a PyPI token", "pypi-abcdefghijklmnopqrstuvwxyz"],
  ["a Hugging Face token", "hf_abcdefghijklmnopqrstuvwxyzabcdefgh"],
  ["a Shopify token", "shpat_abcdefghijklmnopqrstuvwxyzabcd"],
  ["a DigitalOcean token", "dop_v1_abcdefabcdefabcdefabcdef"],
  ["hexadecimal digits", "9f86d081884c7d659a2feaa0c55ad015"],
  ["a UUID as a key", "550e8400-e29b-41d4-a716-446655440000", "key 550e8400-e29b-41d4-a716-446655440000"],
  ["random letters", LETTERS],
  ["a mail address", "ada.lovelace@example.org"],
  ["a card", "4111 1111 1111 1111"],
  ["a card without gaps", "5500005555555559"],
  ["a social security number", "078-05-1120"],
  ["an IBAN", "DE89 3704 0044 0532 0130 00"],
  ["a password", "swordfish", "password: swordfish"],
  ["a password on the next line", "swordfish", "PASSWORD=\n  swordfish"],
  ["a password in words", "swordfish", "my password is swordfish, do not tell"],
  ["a password in JSON", "correct horse battery", '{"user":"ada","password":"correct horse battery"}'],
  ["a password with a hole", "swordfish", "password: sword\u200bfish"],
  ["a bearer", "Qwertyuiopas", "Authorization: Bearer Qwertyuiopas"],
  ["basic credentials", "YWRhOnN3b3JkZmlzaA", "Authorization: Basic YWRhOnN3b3JkZmlzaA=="],
  ["a cookie", "swordfish", "Set-Cookie: sid=swordfish; theme=swordfish; Path=/"],
  ["an address with a password", "swordfish", "postgres://ada:swordfish@db.internal/app"],
  ["a key in an address", "swordfish", "https://api.example.org/v1?api_key=swordfish&page=2"],
  ["a key without a name in an address", "swordfish", "https://maps.example.org/v1?key=swordfish&page=2"],
  ["a variable", "swordfish", "export AWS_SECRET_ACCESS_KEY=swordfish && make"],
  ["a flag", "swordfish", "gpg --passphrase swordfish -d file"],
  ["a short flag", "swordfish", "redis-cli -a swordfish PING"],
  ["a user with a password", "swordfish", "curl -u ada:swordfish https://api.example.org"],
  [
    "a private key",
    "swordfish",
    "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNz/swordfish\nswordfish/AAAA\n-----END OPENSSH PRIVATE KEY-----",
  ],
];
const CASES = KINDS.map(([kind, secret, words]) => ({ kind, secret, words }));
const SECRET_DOORS = DOORS.filter(([name]) => !name.includes("name"));

describe("secrets", () => {
  it.each(CASES)("are not in an excerpt: $kind", ({ secret, words = `the value is ${secret}, they say` }) => {
    for (const [, run] of SECRET_DOORS)
      for (const shown of [words, `${words}\n${"and more ".repeat(300)}`, `${"long before ".repeat(40)}${words}`])
        for (const piece of secret.split(/[ /]/).filter((piece) => piece.length > 3))
          expect(excerpt(run(shown))).not.toContain(piece);
  });

  it.each(CASES)("are not in an excerpt wherever a long text is cut: $kind", ({ secret, words = secret }) => {
    for (let at = 0; at < 90; at++) {
      const shown = excerpt(
        step("read_page", {}, `${"word ".repeat(230)}${"x".repeat(at)} ${words} ${"word ".repeat(3_00)}`),
      );
      const start = secret.slice(0, 6);
      expect(shown.includes(start) || shown.includes(secret.slice(-6))).toBe(false);
    }
  });

  it("are not shown because of the name of an argument or a tool", () => {
    const events = [
      ...step("login", { user: "ada", password: "swordfish", apiKey: "marlin", access_token: "barracuda" }, "ok"),
      ...step("ghp_abcdefghijklmnopqrstuvwxyz0123456789", { sk_live_abcdefghijklmnop: 1 }, "ok"),
    ];

    expect(excerpt(events)).not.toMatch(/swordfish|marlin|barracuda|ghp_|sk_live/);
    expect(excerpt(events)).toContain("user=ada");
  });

  it("stay apart: another one is another one", () => {
    const shown = excerpt([1, 2, 1].flatMap((at) => step("login", { password: `word ${at}` }, "no")));

    expect(shown).toMatch(/secret1[\s\S]*secret2[\s\S]*secret1/);
  });

  it("are in no excerpt of shapes, whatever they look like", () => {
    fc.assert(
      fc.property(secrets, fc.constantFrom(...secretShapes), (secret, shape) => {
        const lap = [shape(secret), result(`the same, and ${secret}`)];
        const shown = excerpt([user(secret), ...times(3, lap), text(secret)], "shapes");
        for (const piece of piecesOf(secret, 8)) expect(shown).not.toContain(piece);
      }),
      { numRuns: propertyRuns() },
    );
  });
});
