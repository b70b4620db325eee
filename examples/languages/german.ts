import type { MessageFacts, MessageTemplates } from "doomloop";

/** What doomloop says to an agent, in German. */
export const german: MessageTemplates = {
  nudge: (facts) => {
    const opening = facts.tone === "notice" ? "" : "Du drehst dich im Kreis. ";
    const end = facts.next === undefined || facts.next === "nudge" ? "" : `\n${NEXT[facts.next]}`;
    return `${opening}${said(facts)} Wenn das Absicht ist, sag, was diesmal anders sein soll. Sonst:\n${ADVICE}${end}`;
  },
  block: (facts) => `Dieser Aufruf wurde nicht ausgeführt. ${said(facts)}\n${ADVICE}`,
  restart: (facts) => `Der Lauf beginnt von vorn. ${said(facts)}\nGeh das Problem grundsätzlich anders an.`,
  stop: (facts) => `Der Lauf ist beendet. ${said(facts)}`,
  explanation: (facts) => `${said(facts).replace(/^Du hast/, "Der Agent hat")} (${DONE[facts.action]})`,
};

const ADVICE = [
  "1. Nutze das Ergebnis, das du schon hast.",
  "2. Versuche einen anderen Weg oder ein anderes Werkzeug.",
  "3. Wenn du nicht weiterkommst, sag, woran es liegt.",
].join("\n");

const NEXT = {
  block: "Das ist die letzte Warnung: weitere Aufrufe dieser Art werden abgelehnt.",
  restart: "Das ist die letzte Warnung: danach beginnt der Lauf von vorn.",
  stop: "Das ist die letzte Warnung: danach wird der Lauf beendet.",
};
const DONE = { nudge: "darauf hingewiesen", block: "abgelehnt", restart: "neu begonnen", stop: "beendet" };

function said({ finding }: MessageFacts): string {
  const tool = toolOf(finding.tools[0]);
  switch (finding.kind) {
    case "repeated-call":
      return `Du hast ${tool} ${finding.count}-mal gleich aufgerufen, und es kam dasselbe heraus.`;
    case "call-cycle":
      return `Du hast dieselben ${finding.period} Aufrufe ${finding.count}-mal wiederholt.`;
    case "failure-streak":
      return `Du hast ${tool} ${finding.count}-mal hintereinander vergeblich aufgerufen.`;
    default:
      return `Du hast ${finding.count}-mal etwas getan, das nichts Neues gebracht hat.`;
  }
}

/** Tool names are written by someone else: only what looks like an identifier is shown. */
function toolOf(name: string | undefined): string {
  return name !== undefined && /^[A-Za-z][\w.-]{0,63}$/.test(name) ? `\`${name}\`` : "ein Werkzeug";
}
