import { rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Application, Converter, ReflectionKind } from "typedoc";
import { importPaths, packageHome } from "../scripts/package/manifest.ts";

/** Writes the API reference from the built declarations into `docs/api`, one page an import path. What has no doc comment is an error. */
const out = resolve(import.meta.dirname, "api");
const paths = new Map(
  [...importPaths()].map(([path, file]) => [join(packageHome, file.replace(/\.js$/, ".d.ts")), path]),
);

const ABOUT: Readonly<Record<string, string>> = {
  doomloop: "the guard: `createGuard`, its options, decisions and findings",
  "doomloop/ai-sdk": "for the AI SDK",
  "doomloop/anthropic": "for the Anthropic SDK: the tool runner, and loops written by hand",
  "doomloop/claude-agent-sdk": "for the Claude Agent SDK",
  "doomloop/counting": "a guard that counts by rules of your own, instead of weighing evidence",
  "doomloop/fleet": "many workers that tell each other what led nowhere, over Redis, Valkey or a store of your own",
  "doomloop/langchain": "for LangChain and LangGraph",
  "doomloop/mastra": "for Mastra",
  "doomloop/mcp": "for clients of the Model Context Protocol",
  "doomloop/openai": "for the OpenAI SDK: Chat Completions and Responses",
  "doomloop/openai-agents": "for the OpenAI Agents SDK",
  "doomloop/opinion": "asks a model of yours whether an agent is stuck",
  "doomloop/telemetry": "metrics and spans for OpenTelemetry",
  "doomloop/testing": "tests that your agent is guarded, and contracts for detectors and stores of your own",
  "doomloop/transcripts": "reads the transcripts of coding agents",
  "doomloop/workspace": "checkpoints of files, and starting over",
};

const markdown = {
  outputFileStrategy: "modules",
  hideBreadcrumbs: true,
  hidePageHeader: true,
  entryFileName: "README",
  pageTitleTemplates: { index: "API", module: "{name}" },
  useCodeBlocks: true,
  expandParameters: true,
  interfacePropertiesFormat: "table",
  parametersFormat: "table",
  typeAliasPropertiesFormat: "table",
  typeDeclarationFormat: "table",
  classPropertiesFormat: "table",
  tableColumnSettings: { hideInherited: true, hideModifiers: true, hideOverrides: true, hideSources: true },
  // The tool numbers headings in an order of its own.
  useCustomAnchors: true,
  sanitizeComments: true,
};
const app = await Application.bootstrapWithPlugins({
  name: "API",
  entryPoints: [...paths.keys()],
  tsconfig: join(import.meta.dirname, "tsconfig.api.json"),
  plugin: ["typedoc-plugin-markdown"],
  outputs: [{ name: "markdown", path: out }],
  readme: "none",
  githubPages: false,
  disableSources: true,
  excludeExternals: true,
  sort: ["source-order"],
  groupOrder: ["Functions", "Interfaces", "Type Aliases", "Classes", "Variables", "References", "*"],
  validation: { notExported: false, invalidLink: true },
  logLevel: "Warn",
  ...(markdown as object),
});

// A module is known by the path that people import.
app.converter.on(Converter.EVENT_CREATE_DECLARATION, (context, reflection) => {
  if (!reflection.kindOf(ReflectionKind.Module)) return;
  const file = context.getSymbolFromReflection(reflection)?.declarations?.[0]?.getSourceFile().fileName;
  const path = file === undefined ? undefined : paths.get(resolve(file));
  if (path === undefined) throw new Error(`write-api: no import path leads to ${file}`);
  reflection.name = path;
});
// Parameters that are taken apart at once have no name in the declarations.
app.converter.on(Converter.EVENT_CREATE_PARAMETER, (_, reflection) => {
  if (reflection.name === "__namedParameters") reflection.name = "options";
});

const project = await app.convert();
if (project === undefined) throw new Error("write-api: the declarations cannot be read");
app.validate(project);
for (const module of project.children ?? []) {
  for (const { children } of module.groups ?? []) children.sort((one, other) => one.name.localeCompare(other.name));
}
for (const { name, children = [] } of project.children ?? []) {
  const bare = children.filter(
    (child) =>
      !child.isReference() && !child.hasComment() && !child.signatures?.some((signature) => signature.hasComment()),
  );
  if (bare.length > 0) app.logger.error(`${name}: no doc comment has ${bare.map((child) => child.name).join(", ")}`);
}
rmSync(out, { recursive: true, force: true });
await app.generateOutputs(project);
process.exitCode = app.logger.hasErrors() || app.logger.hasWarnings() ? 1 : 0;
writeFileSync(join(out, "README.md"), indexPage());

/** The index: the package itself first, and a line for each path. */
function indexPage(): string {
  const rows = [...paths.values()].sort().map((path) => {
    const about = ABOUT[path];
    if (about === undefined) throw new Error(`write-api: a line about ${path} is required`);
    return `| [${path}](${path}.md) | ${about} |`;
  });
  return `# API\n\n| import | what it has |\n|---|---|\n${rows.join("\n")}\n`;
}
