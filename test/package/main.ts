/** Tries what is published, or a part of it, as a user does: `npm run test:package [-- PART]`. Needs a build. */
const PARTS: Readonly<Record<string, string>> = {
  /** The tarball, installed into an empty project. The usual part. */
  tarball: "./test-package.ts",
  examples: "./run-examples.ts",
  /** The Python package in an empty environment, with all tests of the client. */
  wheel: "./test-wheel.ts",
  /** The Python recipes beside the real packages that they are for. */
  recipes: "./test-recipes.ts",
  readme: "./try-readme.ts",
  image: "./test-image.ts",
  reproducible: "./test-reproducible.ts",
};

const [name = "tarball"] = process.argv.splice(2, 1);
const part = Object.hasOwn(PARTS, name) ? PARTS[name] : undefined;
if (part === undefined) {
  console.error(`usage: npm run test:package -- ${Object.keys(PARTS).join("|")}`);
  process.exitCode = 2;
} else await import(part);
