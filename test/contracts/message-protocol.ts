import type { WireMessage, WirePart } from "./adapter-driver.ts";

/** What is wrong with a conversation on any wire format; an empty list for one that every provider takes. */
export function protocolFaults(messages: readonly WireMessage[]): string[] {
  const faults: string[] = [];
  let open = new Set<string>();
  let previous: WireMessage["role"] | undefined;
  for (const [at, { role, parts }] of messages.entries()) {
    if (parts.length === 0) faults.push(`message ${at} (${role}) is empty`);
    if (role === "assistant" && previous === "assistant") faults.push(`message ${at}: two answers in a row`);
    for (const part of parts) {
      if (part.type === "text" && part.text.trim() === "") faults.push(`message ${at} (${role}) has an empty text`);
      if (part.type === "result" && part.text.trim() === "") faults.push(`message ${at}: an empty result`);
      if (part.type === "result" && role !== "assistant" && !open.delete(part.id))
        faults.push(`message ${at}: a result without a call, ${part.id}`);
      if (role !== "assistant" && part.type === "text" && open.size > 0) {
        faults.push(`message ${at}: words between a call and its result`);
      }
    }
    if (role === "assistant") {
      if (open.size > 0) faults.push(`message ${at}: an answer although ${[...open].join(", ")} are open`);
      open = new Set(parts.filter(isCall).map(({ id }) => id));
      for (const part of parts) if (part.type === "result") open.delete(part.id);
    }
    previous = role;
  }
  if (open.size > 0) faults.push(`the conversation ends although ${[...open].join(", ")} are open`);
  if (previous === "assistant") faults.push("the conversation ends with an answer");
  return faults;
}

function isCall(part: WirePart): part is Extract<WirePart, { type: "call" }> {
  return part.type === "call";
}
