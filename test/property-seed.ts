import fc from "fast-check";

/**
 * Seeds every property from `DOOMLOOP_PROPERTY_SEED`, where that is set. CI sets it, so that a build always tries the same
 * cases. Without it, seeds are random, and fast-check prints the one that failed.
 */
const asked = Number(process.env.DOOMLOOP_PROPERTY_SEED);
if (Number.isInteger(asked) && process.env.DOOMLOOP_PROPERTY_SEED !== "") fc.configureGlobal({ seed: asked });
