import type { MessageFacts, MessageTemplates } from "doomloop";

/** What doomloop says to an agent, in Japanese. */
export const japanese: MessageTemplates = {
  nudge: (facts) => {
    const opening = facts.tone === "notice" ? "" : "同じことを繰り返しています。";
    const end = facts.next === undefined || facts.next === "nudge" ? "" : `\n${NEXT[facts.next]}`;
    return `${opening}${said(facts)}意図的な場合は、今回何が変わるはずかを述べて続けてください。そうでなければ:\n${ADVICE}${end}`;
  },
  block: (facts) => `この呼び出しは実行されませんでした。${said(facts)}\n${ADVICE}`,
  restart: (facts) => `最初からやり直します。${said(facts)}\n根本的に別の方法を試してください。`,
  stop: (facts) => `実行を終了しました。${said(facts)}`,
  explanation: (facts) => `エージェントの状況: ${said(facts)}(${DONE[facts.action]})`,
};

const ADVICE = [
  "1. すでに得た結果を使ってください。",
  "2. 別の方法または別のツールを試してください。",
  "3. 進めない場合は、何が妨げになっているかを説明してください。",
].join("\n");

const NEXT = {
  block: "これが最後の警告です。続けると、同様の呼び出しは拒否されます。",
  restart: "これが最後の警告です。続けると、最初からやり直しになります。",
  stop: "これが最後の警告です。続けると、実行は終了します。",
};
const DONE = { nudge: "通知済み", block: "呼び出しを拒否", restart: "やり直し", stop: "終了" };

function said({ finding }: MessageFacts): string {
  const tool = toolOf(finding.tools[0]);
  switch (finding.kind) {
    case "repeated-call":
      return `${tool} を同じ引数で ${finding.count} 回呼び出し、結果は変わりませんでした。`;
    case "call-cycle":
      return `同じ ${finding.period} 個の呼び出しを ${finding.count} 回繰り返しました。`;
    case "failure-streak":
      return `${tool} の呼び出しが ${finding.count} 回続けて失敗しました。`;
    default:
      return `新しい結果のない操作が ${finding.count} 回続きました。`;
  }
}

/** Tool names are written by someone else: only what looks like an identifier is shown. */
function toolOf(name: string | undefined): string {
  return name !== undefined && /^[A-Za-z][\w.-]{0,63}$/.test(name) ? `\`${name}\`` : "あるツール";
}
