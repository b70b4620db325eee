import { eventStream, type Wire } from "../model-turn.ts";

/** Google's generateContent. */
export const generateContent: Wire = {
  base: "",
  read: ["systemInstruction", "contents", "tools"],
  isTurn: (path, { tools }) =>
    /generateContent/i.test(path) && JSON.stringify(tools ?? null).includes("functionDeclarations"),
  answer({ text, calls = [] }, _number, isStream) {
    const parts = [
      ...(text === undefined ? [] : [{ text }]),
      ...calls.map(({ tool, args }) => ({ functionCall: { name: tool, args } })),
    ];
    const answer = {
      candidates: [{ index: 0, content: { role: "model", parts }, finishReason: "STOP" }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
      modelVersion: "scripted",
    };
    return isStream ? eventStream([answer], false) : JSON.stringify(answer);
  },
};
