import { requireTag } from "./package/require-tag.ts";

/** Fails if `TAG`, the tag that is to be released, is not that of the version. Asked before all else: what comes then takes half an hour. */
requireTag(process.env.TAG);
