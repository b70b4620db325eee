import { hasClaudePlugin } from "../../agents/claude-code/claude-plugin.ts";
import { examineAgent } from "../../agents/doctor/examine-agent.ts";
import { lostReceipts } from "../../agents/doctor/lost-receipts.ts";
import type { ProcessRunner } from "../../agents/doctor/run-process.ts";
import { chooseAgents } from "../../agents/settings/choose-agents.ts";
import { readReceipts } from "../../agents/settings/receipts.ts";
import { currentSetting, shownPath } from "../../agents/settings/setting.ts";
import { AGENT_WIRINGS } from "../../agents/wirings.ts";
import { doctorReport } from "../reporters/doctor-report.ts";
import { wrapText } from "../terminal/columns.ts";
import { type CommandStreams, WIDE } from "../terminal/output.ts";
import { createProgress } from "../terminal/progress.ts";
import { createStyle } from "../terminal/style.ts";

/** Proves for each wired agent that its hooks work. Returns the exit code. */
export async function doctor(names: readonly string[], streams: CommandStreams, run?: ProcessRunner): Promise<number> {
  const setting = currentSetting();
  const { place, state, folder } = setting;
  const chosen = names.length === 0 ? AGENT_WIRINGS : chooseAgents(names, place, folder);
  const kept = readReceipts(state);
  const receipts = [...kept, ...lostReceipts(chosen, kept, place)];
  const wired = chosen.filter(({ host }) => receipts.some((receipt) => receipt.host === host));
  const width = streams.width ?? WIDE;
  if (wired.length === 0) {
    const words = hasClaudePlugin(place)
      ? "doomloop: init has wired nothing. The plugin of Claude Code is on, and is not tried here: claude plugin details doomloop"
      : "doomloop: nothing is wired; doomloop init does that";
    streams.messages.write(`${wrapText(words, width)}\n`);
    return 1;
  }
  const look = {
    width,
    style: createStyle({ isTTY: streams.width !== undefined }, process.env),
    shown: (path: string) => shownPath(path, place),
  };
  const progress = createProgress(streams.messages, () => performance.now());
  let exitCode = 0;
  for (const agent of wired) {
    progress.show(`trying ${agent.label}`);
    const own = receipts.filter(({ host }) => host === agent.host);
    const examination = await examineAgent(agent, own, setting, run).finally(() => progress.clear());
    if (examination.faults.length > 0 || examination.trust?.isFault === true) exitCode = 1;
    await streams.output.write(`${doctorReport(examination, look)}\n`);
  }
  return exitCode;
}
