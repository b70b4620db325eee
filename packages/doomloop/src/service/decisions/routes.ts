import { type ForeignRecord, recordOf, textOf } from "../../transcripts/foreign-value.ts";
import type { Conversations } from "../guardrails/conversations.ts";
import { answerLitellm, LITELLM_GOES_ON } from "../guardrails/litellm.ts";
import { answerPortkey, PORTKEY_GOES_ON } from "../guardrails/portkey.ts";
import { readEventsRequest, runNameIn } from "./events-request.ts";
import { isLoopName } from "./live-run.ts";
import { Problem } from "./problem.ts";
import type { Runs } from "./runs.ts";

/** What a route answers. */
export interface Answer {
  readonly status: 200 | 204;
  /** Undefined if there is nothing to say. */
  readonly body?: object;
}

/** What requests are about. */
interface Subjects {
  readonly runs: Runs;
  readonly conversations: Conversations;
}

/** One thing that can be asked for. */
export interface Route {
  readonly method: "GET" | "POST" | "DELETE";
  /** As the OpenAPI document writes it. */
  readonly path: string;
  /** `run` is empty if the path names none, and `body` is undefined unless the method is POST. */
  answer(subjects: Subjects, run: string, body: unknown): Promise<Answer>;
  /** What a gateway gets if its request cannot be judged, because it is too long for instance. Some refuse their client's request otherwise. */
  readonly otherwise?: object;
}

const EVENTS = "/v1/runs/{run}/events";
const LITELLM = "/v1/guardrails/litellm";

/** Whether a path is for gateways. They send the token in the headers that they have. */
export function isForGateways(path: string): boolean {
  return path.startsWith("/v1/guardrails/");
}

/** What there is behind the token. */
export const ROUTES: readonly Route[] = [
  {
    method: "POST",
    path: EVENTS,
    async answer({ runs }, run, body) {
      return { status: 200, body: await runs.observe(run, readEventsRequest(body)) };
    },
  },
  {
    method: "GET",
    path: "/v1/runs/{run}",
    async answer({ runs }, run) {
      const standing = await runs.standing(run);
      if (standing === undefined) throw new Problem(404, "there is no such run");
      return { status: 200, body: standing };
    },
  },
  {
    method: "DELETE",
    path: "/v1/runs/{run}",
    async answer({ runs }, run) {
      await runs.forget(run);
      return { status: 204 };
    },
  },
  {
    method: "POST",
    path: "/v1/runs/{run}/allow",
    async answer({ runs }, run, body) {
      const { loop: named, ...others }: ForeignRecord = recordOf(body) ?? {};
      if (Array.isArray(body) || Object.keys(others).length > 0)
        throw new Problem(400, 'an object is required, with the field "loop" or without any');
      const loop = textOf(named);
      if (named !== undefined && (loop === undefined || !isLoopName(loop)))
        throw new Problem(400, "loop: the loop of a finding is required");
      const allowed = await runs.allow(run, loop);
      if (allowed === undefined)
        throw new Problem(
          404,
          loop === undefined ? "no loop was found in this run" : "this loop was not found in this run",
        );
      return { status: 200, body: { loop: allowed } };
    },
  },
  {
    method: "POST",
    path: "/v1/guardrails/portkey",
    otherwise: PORTKEY_GOES_ON,
    answer: async ({ conversations }, _, body) => ({ status: 200, body: await answerPortkey(conversations, body) }),
  },
  // LiteLLM appends the rest to whatever address it is given.
  ...[LITELLM, `${LITELLM}/beta/litellm_basic_guardrail_api`].map(
    (path): Route => ({
      method: "POST",
      path,
      otherwise: LITELLM_GOES_ON,
      answer: async ({ conversations }, _, body) => ({ status: 200, body: await answerLitellm(conversations, body) }),
    }),
  ),
];

/** The route of a request, and the run that it names. Throws a `Problem` if there is none. */
export function findRoute(method: string | undefined, path: string): { readonly route: Route; readonly run: string } {
  const [, version, runs, name = "", action, ...rest] = path.split("/", 7);
  const hasRun = version === "v1" && runs === "runs" && name !== "" && rest.length === 0;
  const pattern = hasRun ? `/v1/runs/{run}${action === undefined ? "" : `/${action}`}` : path;
  const route = ROUTES.find((one) => one.path === pattern && one.method === method);
  if (route !== undefined) return { route, run: hasRun ? runNameIn(decoded(name)) : "" };
  const here = ROUTES.filter((one) => one.path === pattern);
  if (here.length === 0) throw new Problem(404, "there is no such address");
  const allow = here.map((one) => one.method).join(", ");
  throw new Problem(405, `use ${allow}`, { allow });
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return "";
  }
}
