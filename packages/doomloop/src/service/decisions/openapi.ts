import { schemas } from "./openapi-schemas.ts";
import { anyObject, ref, whole } from "./openapi-values.ts";

const json = (schema: string, description: string): object => ({
  description,
  content: { "application/json": { schema: ref(schema) } },
});
const body = (schema: string): object => ({
  required: true,
  content: { "application/json": { schema: ref(schema) } },
});
const problem = (description: string): object => ({
  description,
  content: { "application/problem+json": { schema: ref("Problem") } },
});
/** Each has a body: otherwise generated clients would have to expect that the body of an answer is missing, too. */
const OPEN_PROBLEMS = {
  "400": problem("The request is invalid. None of it was judged."),
  "403": problem("The request comes from a web page."),
  "500": problem("A fault of the service."),
};
const TOKEN_PROBLEMS = { ...OPEN_PROBLEMS, "401": problem("The token is missing or wrong.") };
const PROBLEMS = {
  ...TOKEN_PROBLEMS,
  "405": problem("The address needs another method; see `Allow`."),
  "413": problem("The body is too long."),
  "415": problem("The body is compressed."),
  "503": {
    ...problem("Too many requests are in progress, or the service is shutting down."),
    headers: { "Retry-After": { description: "Seconds, if it is worth trying again.", schema: whole("Seconds.") } },
  },
};
const MISSING = problem("There is no such run.");
const RUN = {
  name: "run",
  in: "path",
  required: true,
  description: "The client's name for the run.",
  schema: { type: "string", pattern: "^[A-Za-z0-9._:@~-]{1,200}$" },
};

/** The service as OpenAPI 3.1 describes it. */
export function openApi(version: string): object {
  return {
    openapi: "3.1.0",
    info: {
      title: "doomloop",
      version,
      description: "Notices when an LLM agent goes in circles, and says what to do about it.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "http://127.0.0.1:4177" }],
    security: [{ token: [] }],
    paths: {
      "/v1/runs/{run}/events": {
        parameters: [RUN],
        post: {
          operationId: "observe",
          summary: "Report what happened, and get decisions",
          requestBody: body("EventsRequest"),
          responses: { "200": json("Decisions", "A decision for each event, in order."), ...PROBLEMS },
        },
      },
      "/v1/runs/{run}": {
        parameters: [RUN],
        get: {
          operationId: "standing",
          summary: "How a run is doing",
          responses: { "200": json("Standing", "Its state."), ...PROBLEMS, "404": MISSING },
        },
        delete: {
          operationId: "forget",
          summary: "Forget a run",
          responses: { "204": { description: "It is forgotten, if it was there." }, ...PROBLEMS },
        },
      },
      "/v1/runs/{run}/allow": {
        parameters: [RUN],
        post: {
          operationId: "allow",
          summary: "Mark a loop as a false alarm: the one that is named, or the latest",
          requestBody: body("Allow"),
          responses: {
            "200": json("Allowed", "It is not reported again in this run."),
            ...PROBLEMS,
            "404": problem("There is no such run, or the run has found no such loop."),
          },
        },
      },
      "/v1/guardrails/portkey": guardrail("portkey", "Portkey's webhook", "Portkey"),
      "/v1/guardrails/litellm": guardrail("litellm", "LiteLLM's generic guardrail API", "Litellm"),
      "/v1/guardrails/litellm/beta/litellm_basic_guardrail_api": guardrail(
        "litellmBase",
        "The same, at the address that LiteLLM builds from its api_base",
        "Litellm",
      ),
      "/healthz": { get: open("healthz", "Whether the process runs", json("Health", "It runs.")) },
      "/readyz": {
        get: open("readyz", "Whether requests are accepted", json("Health", "They are."), {
          "503": problem("The service is shutting down."),
        }),
      },
      "/metrics": {
        get: {
          operationId: "metrics",
          summary: "Counts for Prometheus",
          responses: {
            "200": {
              description: "Prometheus' text format.",
              content: { "text/plain": { schema: { type: "string" } } },
            },
            ...TOKEN_PROBLEMS,
          },
        },
      },
      "/openapi.json": {
        get: open("openapi", "This description", {
          description: "OpenAPI 3.1.",
          content: { "application/json": { schema: anyObject("The document.") } },
        }),
      },
    },
    components: {
      securitySchemes: {
        token: { type: "http", scheme: "bearer" },
        key: {
          type: "apiKey",
          in: "header",
          name: "x-api-key",
          description: "The token, if a gateway sends it this way.",
        },
      },
      schemas: schemas(),
    },
  };
}

/** What a gateway asks before it sends a request to the model. */
function guardrail(operationId: string, summary: string, gateway: string): object {
  return {
    post: {
      ...{ operationId, summary, security: [{ token: [] }, { key: [] }] },
      requestBody: body(`${gateway}Request`),
      responses: {
        "200": json(`${gateway}Answer`, "What to do with the request. If it cannot be judged, send it unchanged."),
        ...TOKEN_PROBLEMS,
      },
    },
  };
}

/** A request that needs no token. */
function open(operationId: string, summary: string, answer: object, others: object = {}): object {
  return { operationId, summary, security: [], responses: { "200": answer, ...OPEN_PROBLEMS, ...others } };
}
