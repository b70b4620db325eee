import { existsSync, readdirSync } from "node:fs";

/** Runs a bench by its name: `npm run bench quality -- --check`. */
const [name = ""] = process.argv.splice(2, 1);
const main = (folder: string): URL => new URL(`./${folder}/main.ts`, import.meta.url);
const names = readdirSync(import.meta.dirname).filter((folder) => existsSync(main(folder)));
if (names.includes(name)) await import(main(name).href);
else {
  console.error(`usage: npm run bench ${names.join("|")} [-- OPTIONS]`);
  process.exitCode = 2;
}
