export type { SecondOpinion } from "../host/second-opinion.ts";
export { askEndpoint, type OpinionEndpoint } from "./ask-endpoint.ts";
export { askModel } from "./ask-model.ts";
export type { OpinionRequest } from "./opinion-requests.ts";
export { guardWith, type SecondOpinionOptions, secondOpinion } from "./second-opinion.ts";
