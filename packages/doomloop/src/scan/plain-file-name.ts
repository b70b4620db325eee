import { isOfWords } from "./is-of-words.ts";
import { FILE_ENDINGS } from "./redact/file-endings.ts";

const list = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** What stands between a name and its extension. */
const MIDDLES = list("test spec d config stories module min e2e bench");
const BARE = list(`
  Makefile Dockerfile README LICENSE CHANGELOG CONTRIBUTING Gemfile Rakefile Procfile Jenkinsfile Vagrantfile Justfile`);
const MAX_NAME = 48;
const DIRECTORY = /^.*[\\/]/s;

/**
 * The base name of a path, if it looks like a file's name and nothing else: words, and an extension that files have. Of a name that
 * does not, the extension: `*.ts`. Undefined for all else, which may be a query, a customer, a password.
 */
export function plainFileName(path: string): string | undefined {
  const name = path.replace(DIRECTORY, "");
  if (BARE.has(name)) return name;
  const [stem = "", ...endings] = name.split(".");
  const extension = endings.at(-1) ?? "";
  if (endings.length === 0 || endings.length > 2 || !FILE_ENDINGS.has(extension)) return undefined;
  const hasMiddle = endings.length === 2;
  if (hasMiddle && !MIDDLES.has(endings[0]!)) return `*.${extension}`;
  return name.length <= MAX_NAME && isOfWords(stem) ? name : `*.${extension}`;
}
