import { isOfWords } from "./is-of-words.ts";

const list = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

const EXTENSIONS = list(`
  ts tsx mts cts js jsx mjs cjs json jsonc jsonl md mdx txt rst tex py pyi ipynb rb go mod rs c h cc cpp cxx hpp cs java kt kts
  scala clj ex exs erl hs ml lua r jl zig nim sol dart swift php pl pm sh bash zsh fish ps1 bat cmd sql html htm css scss sass
  less vue svelte astro yml yaml toml ini cfg conf xml xsd csv tsv lock log proto graphql gql gradle tf hcl nix png jpg jpeg
  gif svg webp ico pdf parquet ipynb diff patch snap`);
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
  if (endings.length === 0 || endings.length > 2 || !EXTENSIONS.has(extension)) return undefined;
  const hasMiddle = endings.length === 2;
  if (hasMiddle && !MIDDLES.has(endings[0]!)) return `*.${extension}`;
  return name.length <= MAX_NAME && isOfWords(stem) ? name : `*.${extension}`;
}
