import { styleText } from "node:util";

/** Colours for a terminal. Plain text for pipes, terminals without colours, and `NO_COLOR`. */
export interface Style {
  strong(text: string): string;
  dim(text: string): string;
  alarm(text: string): string;
  good(text: string): string;
}

export interface ColourStream {
  readonly isTTY?: boolean | undefined;
}

/** Creates the style for a stream. With `FORCE_COLOR`, pipes get colours as well. */
export function createStyle(stream: ColourStream, env: NodeJS.ProcessEnv): Style {
  const isForced = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== "0" && env.FORCE_COLOR !== "";
  const isRefused =
    (env.NO_COLOR !== undefined && env.NO_COLOR !== "") || env.TERM === "dumb" || env.FORCE_COLOR === "0";
  const hasColour = isForced || (stream.isTTY === true && !isRefused);
  const styled = (format: Parameters<typeof styleText>[0]) => (text: string) =>
    hasColour ? styleText(format, text, { validateStream: false }) : text;
  return {
    strong: styled("bold"),
    dim: styled("dim"),
    alarm: styled("yellow"),
    good: styled("green"),
  };
}
