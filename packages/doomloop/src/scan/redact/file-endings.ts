const list = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** The endings of files' names that tell nothing but what kind of file it is. */
export const FILE_ENDINGS = list(`
  ts tsx mts cts js jsx mjs cjs json jsonc jsonl md mdx txt rst tex py pyi ipynb rb go mod rs c h cc cpp cxx hpp cs java kt kts
  scala clj ex exs erl hs ml lua r jl zig nim sol dart swift php pl pm sh bash zsh fish ps1 bat cmd sql html htm css scss sass
  less vue svelte astro yml yaml toml ini cfg conf xml xsd csv tsv lock log proto graphql gql gradle tf hcl nix png jpg jpeg
  gif svg webp ico pdf parquet ipynb diff patch snap`);
