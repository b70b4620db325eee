/** The few Redis client commands that are used here. */
interface RedisLike {
  get(key: string): Promise<string | null>;
  set(key: string, text: string, mode: "EX", seconds: number): Promise<unknown>;
}
interface Message {
  role: string;
  tool_calls?: { id: string }[];
}
declare const redis: RedisLike;
declare const database: {
  load(thread: string): Promise<Message[]>;
  save(thread: string, messages: Message[]): Promise<void>;
};
declare function askModel(messages: Message[]): Promise<Message>;
declare function runTool(call: { id: string }): Promise<Message>;

// #region store
import { guardStore } from "doomloop";
import { guard } from "doomloop/openai";

const store = guardStore({
  load: (run) => redis.get(`guard:${run}`),
  save: (run, text) => redis.set(`guard:${run}`, text, "EX", 86_400),
});

export async function handle(thread: string): Promise<void> {
  const messages = await database.load(thread);
  await store.use(thread, async (own) => {
    const observe = guard(messages, { guard: own });
    if (observe().isOver) return;
    messages.push(await askModel(messages));
    for (const call of observe().calls) messages.push(await runTool(call));
  });
  await database.save(thread, messages);
}
// #endregion store
