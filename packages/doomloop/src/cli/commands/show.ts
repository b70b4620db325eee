import { createPublicModels } from "../../scan/costs/price-list.ts";
import { createReportBuilder } from "../../scan/report-builder.ts";
import { nowFor } from "../command-line/shared-options.ts";
import { showTimeline } from "../reporters/show-timeline.ts";
import { INTERRUPTED } from "../terminal/interruption.ts";
import { type CommandStreams, widthFor } from "../terminal/output.ts";
import { createStyle } from "../terminal/style.ts";
import { type FindSessionOptions, findSession, readSession, showsContent } from "./find-session.ts";

export interface ShowOptions extends FindSessionOptions {
  readonly all?: boolean;
  /** False hides arguments and results on a terminal. */
  readonly content?: boolean;
}

const WHOLE = {
  version: "",
  preset: "",
  since: undefined,
  until: undefined,
  pricesAsOf: null,
  hasSteps: false,
  accepts: () => true,
};

/** Shows one session as a timeline. Returns the exit code. */
export async function show(
  session: string,
  paths: readonly string[],
  options: ShowOptions,
  streams: CommandStreams,
): Promise<number> {
  const found = await findSession(session, paths, options, streams);
  if (found === undefined) return INTERRUPTED;
  const { builder, readers } = found.result;
  const { record, file } = found.run;
  const includesContent = showsContent(options, streams.width);
  const { record: read, reader, place } = await readSession(found.run, readers, { ...options, includesContent });
  const whole = createReportBuilder({
    ...{ ...WHOLE, includesContent },
    nameOf: (agent) => [reader, ...readers].find((known) => known.agent === agent)?.label ?? agent,
    modelOf: createPublicModels(),
  });
  whole.add(file, { ...read, runs: read.runs.slice(place, place + 1), steps: {} });
  const text = showTimeline(whole.build(nowFor(paths)), {
    width: widthFor(streams),
    style: createStyle({ isTTY: streams.width !== undefined }, process.env),
    isWhole: options.all === true,
    run: record.run,
    steps: read.steps[place]?.steps ?? [],
  });
  await streams.output.write(text);
  return builder.faults() > 0 ? 1 : 0;
}
