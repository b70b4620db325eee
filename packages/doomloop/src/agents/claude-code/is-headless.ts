/**
 * Whether Claude Code, which starts the hook, runs without a person: a question is a refusal there. It tells its hooks so in the
 * environment, and in nothing else; versions that do not say it say at least that a program has started them.
 */
export function isHeadless(env: Readonly<Record<string, string | undefined>>): boolean {
  const { CLAUDE_CODE_SESSION_ATTENDED: attended, CLAUDE_CODE_ENTRYPOINT: entry } = env;
  return attended === undefined ? entry?.startsWith("sdk-") === true : attended === "0";
}
