import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";
import { sourceAliases } from "./source-aliases.ts";

/** Lets a process that a test starts read the package's source: `node --import` this file. */
registerHooks({
  resolve(specifier, context, next) {
    const alias = sourceAliases.find(({ find }) => find.test(specifier));
    if (alias === undefined) return next(specifier, context);
    return next(pathToFileURL(specifier.replace(alias.find, alias.replacement)).href, context);
  },
});
