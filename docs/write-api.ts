import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { Application, Converter, ReflectionKind } from "typedoc";
import { importPaths, packageHome } from "../scripts/package/manifest.ts";

/** Writes the API reference from the built declarations into `docs/api`, one page an import path. What has no doc comment is an error. */
const out = resolve(import.meta.dirname, "api");
const paths = new Map(
  [...importPaths()].map(([path, file]) => [join(packageHome, file.replace(/\.js$/, ".d.ts")), path]),
);

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
