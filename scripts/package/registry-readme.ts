const REPOSITORY = "https://github.com/doomloop/doomloop";
const RAW = "https://raw.githubusercontent.com/doomloop/doomloop";

/** Code between fences, which stays as it is, or a line of anything else. */
const PIECE = /^ *(`{3,}|~{3,}).*\n(?:.*\n)*? *\1 *$|^.*$/gm;
const IMAGE = /(!\[[^\]\n]*\]\()([^)\s]+)(?=\)|\s+")/g;
const LINK = /(?<!!)(\[(?:!\[[^\]\n]*\]\([^)\n]*\)|[^[\]\n])*\]\()([^)\s]+)(?=\)|\s+")/g;
const DEFINITION = /^(\[[^\]\n]+\]:\s+)(\S+)/g;
const SOURCE = /(\bsrc=")([^"\n]+)/g;
const SOURCES = /(\bsrcset=")([^"\n]+)/g;
const REFERENCE = /(\bhref=")([^"\n]+)/g;

/**
 * The README for a registry's page. Such a page knows nothing of the repository, so links to its files and its pictures get their whole
 * address, at the tag of the version: the page of an old version goes on to show what was true then.
 */
export function registryReadme(text: string, version: string): string {
  const page = (path: string): string => absolute(path, `${REPOSITORY}/blob/v${version}`);
  const picture = (path: string): string => absolute(path, `${RAW}/v${version}`);
  const pictures = (list: string): string =>
    list
      .split(",")
      .map((one) => one.trim().split(/\s+/))
      .map(([path = "", ...size]) => [picture(path), ...size].join(" "))
      .join(", ");
  const change = (how: (path: string) => string) => (_all: string, before: string, path: string) => before + how(path);
  return text.replaceAll(PIECE, (piece, fence: string | undefined) =>
    fence === undefined
      ? piece
          .replaceAll(IMAGE, change(picture))
          .replaceAll(LINK, change(page))
          .replaceAll(DEFINITION, change(page))
          .replaceAll(SOURCE, change(picture))
          .replaceAll(SOURCES, change(pictures))
          .replaceAll(REFERENCE, change(page))
      : piece,
  );
}

/** A place on the page itself, and what has an address already, stay as they are. */
function absolute(path: string, base: string): string {
  if (/^(?:[a-z][a-z+.-]*:|\/\/|#)/i.test(path)) return path;
  return `${base}/${path.replace(/^(?:\.?\/)+/, "")}`;
}
