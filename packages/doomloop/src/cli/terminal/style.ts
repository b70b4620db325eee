import { styleText } from "node:util";

/** Colours for a terminal. Plain text for pipes, terminals without colours, and `NO_COLOR`. */
export interface Style {
  strong(text: string): string;
  dim(text: string): string;
  alarm(text: string): string;
  good(text: string): string;
  /** A bar of up to 8 columns for a share from 0 to 1. Empty where block characters cannot be shown. */
  bar(share: number): string;
}

export interface ColourStream {
  readonly isTTY?: boolean | undefined;
}

const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
const BAR_COLUMNS = 8;

/** Creates the style for a stream. With `FORCE_COLOR`, pipes get colours as well. */
export function createStyle(stream: ColourStream, env: NodeJS.ProcessEnv): Style {
  const isForced = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== "0" && env.FORCE_COLOR !== "";
  const isRefused =
    (env.NO_COLOR !== undefined && env.NO_COLOR !== "") || env.TERM === "dumb" || env.FORCE_COLOR === "0";
  const hasColour = isForced || (stream.isTTY === true && !isRefused);
  const styled = (format: Parameters<typeof styleText>[0]) => (text: string) =>
    hasColour ? styleText(format, text, { validateStream: false }) : text;
  const hasBlocks = (isForced || stream.isTTY === true) && env.TERM !== "dumb" && !refusesUtf8(env);
  return {
    strong: styled("bold"),
    dim: styled("dim"),
    alarm: styled("yellow"),
    good: styled("green"),
    bar: (share) => (hasBlocks ? blocks(share) : ""),
  };
}

/** Whether a locale is set that is not UTF-8. Many terminals that show UTF-8 set none. */
function refusesUtf8({ LC_ALL, LC_CTYPE, LANG }: NodeJS.ProcessEnv): boolean {
  const locale = LC_ALL || LC_CTYPE || LANG || "";
  return locale !== "" && !/utf-?8/i.test(locale);
}

/** A share above 0 is never shown as nothing. */
function blocks(share: number): string {
  if (!(share > 0)) return "";
  const eighths = Math.max(1, Math.round(Math.min(1, share) * BAR_COLUMNS * EIGHTHS.length));
  return "█".repeat(Math.floor(eighths / EIGHTHS.length)) + EIGHTHS[eighths % EIGHTHS.length]!;
}
