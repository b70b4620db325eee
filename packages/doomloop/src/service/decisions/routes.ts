import type { ForeignRecord } from "../../transcripts/foreign-value.ts";
import { recordOf, textOf } from "../../transcripts/foreign-value.ts";
import { readEventsRequest, runNameIn } from "./events-request.ts";
import { Problem } from "./problem.ts";
import type { Runs } from "./runs.ts";

/** What a route answers. */
interface Answer {
  readonly status: 200 | 204;
  /** Undefined if there is nothing to say. */
  readonly body?: object;
}

/** One thing that can be asked for. */
export interface Route {
  readonly method: "GET" | "POST" | "DELETE";
  /** As the OpenAPI document writes it. */
  readonly path: string;
  /** `body` is undefined unless the method is POST. */
  answer(runs: Runs, run: string, body: unknown): Promise<Answer>;
}

/** What concerns a run, behind the token. */
export const ROUTES: readonly Route[] = [
  {
    method: "POST",
    path: "/v1/runs/{run}/events",
    async answer(runs, run, body) {
      const decisions = await runs.observe(run, readEventsRequest(body));
      return { status: 200, body: { decisions } };
    },
  },
  {
    method: "GET",
    path: "/v1/runs/{run}",
    async answer(runs, run) {
      const standing = await runs.standing(run);
      if (standing === undefined) throw noSuchRun();
      return { status: 200, body: standing };
    },
  },
  {
    method: "DELETE",
    path: "/v1/runs/{run}",
    async answer(runs, run) {
      await runs.forget(run);
      return { status: 204 };
    },
  },
  {
    method: "POST",
    path: "/v1/runs/{run}/allow",
    async answer(runs, run, body) {
      const { loop: named }: ForeignRecord = recordOf(body) ?? {};
      const loop = textOf(named);
      if (named !== undefined && (loop === undefined || !/^[0-9a-f]{32}$/.test(loop)))
        throw new Problem(400, "loop: the loop of a finding is required");
      const allowed = await runs.allow(run, loop);
      if (allowed === undefined) throw new Problem(404, "nothing was found in this run that could be allowed");
      return { status: 200, body: { loop: allowed } };
    },
  },
];

/** The route of a request, and the run that it names. Throws a `Problem` if there is none. */
export function findRoute(method: string | undefined, path: string): { readonly route: Route; readonly run: string } {
  const [, version, runs, name = "", action, ...rest] = path.split("/", 7);
  if (version !== "v1" || runs !== "runs" || name === "" || rest.length > 0)
    throw new Problem(404, "there is no such address");
  const pattern = `/v1/runs/{run}${action === undefined ? "" : `/${action}`}`;
  const here = ROUTES.filter((route) => route.path === pattern);
  if (here.length === 0) throw new Problem(404, "there is no such address");
  const route = here.find((one) => one.method === method);
  const allow = here.map((one) => one.method).join(", ");
  if (route === undefined) throw new Problem(405, `${allow} is required`, { allow });
  return { route, run: runNameIn(decoded(name)) };
}

function noSuchRun(): Problem {
  return new Problem(404, "there is no such run");
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return "";
  }
}
