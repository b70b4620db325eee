import { examineAgent } from "../../agents/doctor/examine-agent.ts";
import type { ProcessRunner } from "../../agents/doctor/try-loop.ts";
import { filesWithHooks } from "../../agents/doctor/wired-commands.ts";
import { readAgentEvents } from "../../agents/hook/agent-events.ts";
import { folderRules } from "../../agents/hook/folder-rules.ts";
import { pausedUntil } from "../../agents/hook/pause.ts";
import { WIRABLE_AGENTS } from "../../agents/index.ts";
import { currentSetting, shownPath } from "../../agents/settings/agent-place.ts";
import { chooseAgents } from "../../agents/settings/plan-agent.ts";
import { count } from "../../scan/report/words.ts";
import { readOpinion } from "../../service/opinion-setting.ts";
import { type ResidentStatus, residentStatus, stopResident } from "../../service/resident-status.ts";
import { tryOpinion } from "../../service/try-opinion.ts";
import { packageVersion } from "../../system/package-folder.ts";
import { doctorReport } from "../reporters/doctor-report.ts";
import { opinionReport } from "../reporters/opinion-words.ts";
import { wrapText } from "../terminal/columns.ts";
import { type CommandStreams, widthFor } from "../terminal/output.ts";
import { createProgress } from "../terminal/progress.ts";
import { createStyle } from "../terminal/style.ts";
import { plainJson, type StatusOptions } from "./resident.ts";

/** Proves for each wired agent that its hooks work. Returns the exit code. */
export async function doctor(
  names: readonly string[],
  { json = false }: StatusOptions,
  streams: CommandStreams,
  run?: ProcessRunner,
): Promise<number> {
  const setting = currentSetting();
  const { place, state, folder } = setting;
  const chosen = names.length === 0 ? WIRABLE_AGENTS : chooseAgents(names, place, folder);
  const files = filesWithHooks(chosen, setting);
  const wired = chosen.filter(({ name }) => files.some(({ host }) => host === name));
  const width = widthFor(streams);
  if (wired.length === 0) {
    const plugged = WIRABLE_AGENTS.find(({ doctor }) => doctor?.ownPlugin?.isOn(place));
    const words =
      plugged === undefined
        ? `doomloop: ${names.length === 0 ? "nothing is wired" : `${chosen.map(({ label }) => label).join(", ")}: not wired`}; run doomloop init`
        : `doomloop: init has wired nothing. The plugin of ${plugged.label} is on, but doctor does not test it: ${plugged.doctor?.ownPlugin?.command}`;
    streams.messages.write(`${wrapText(words, width)}\n`);
    return 1;
  }
  const look = {
    width,
    style: createStyle({ isTTY: streams.width !== undefined }, process.env),
    shown: (path: string) => shownPath(path, place),
  };
  const say = async (text: string) => void (await (json ? streams.messages : streams.output).write(text));
  const progress = createProgress(streams.messages, () => performance.now());
  let exitCode = 0;
  const running = await residentStatus(state);
  const wasRunning = running !== undefined;
  const known = readAgentEvents(state, Date.now(), running?.unsaved);
  for (const agent of wired) {
    // The command of each agent has to start the resident by itself.
    if (!wasRunning) await stopResident(state);
    progress.show(`trying ${agent.label}`);
    const own = files.filter(({ host }) => host === agent.name);
    const examination = await examineAgent(agent, own, setting, run).finally(() => progress.clear());
    if (examination.faults.length > 0 || examination.trust?.isFault === true) exitCode = 1;
    const found = { ...examination, ...known[agent.name] };
    if (json) await streams.output.write(`${plainJson({ ...found, agent: agent.name })}\n`);
    else await say(`${doctorReport(found, look)}\n`);
  }
  const opinion = readOpinion(state);
  if (opinion !== undefined) {
    progress.show("asking for a second opinion");
    const trial = await tryOpinion(opinion).finally(() => progress.clear());
    if ("fault" in trial.answer) exitCode = 1;
    await say(`${opinionReport(opinion, trial, look)}\n`);
  }
  for (const words of whyOff(state, folder)) {
    await say(`${wrapText(words, width)}\n`);
    exitCode = 1;
  }
  // The trials may have started it.
  const resident = wasRunning ? await residentStatus(state) : await stopResident(state);
  if (resident !== undefined) await say(`${wrapText(residentLine(resident), width)}\n`);
  return exitCode;
}

/** Why hooks are silent although they work. The trials run in a folder of their own, and ignore a pause. */
function whyOff(state: string, folder: string): readonly string[] {
  const paused = pausedUntil(state, Date.now());
  const until = paused === "forever" ? "" : ` until ${new Date(paused ?? 0).toISOString()}`;
  return [
    ...(paused === undefined ? [] : [`Hooks are paused${until}: they say nothing. To turn them on: doomloop resume`]),
    ...(folderRules(state, folder).mode === "off"
      ? ["Hooks are off in this project. To turn them on: doomloop mode auto"]
      : []),
    ...(process.env.DOOMLOOP === "off"
      ? ["DOOMLOOP=off is set in this shell: hooks of agents started here are off."]
      : []),
  ];
}

function residentLine({ version, missed }: ResidentStatus): string {
  const own = packageVersion();
  const other = version === own ? "" : `, this is ${own}: run doomloop stop, and the next event starts it`;
  return `Resident guard ${version}${other}. ${missed === 0 ? "No event" : count(missed, "event")} arrived incomplete.`;
}
