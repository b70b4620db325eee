import { callAndResult, endsInLaps, holdsAt, type Identity } from "./holds-at.ts";

const failingCall: Identity = ({ key, isError }) => (isError === true ? key : undefined);

/**
 * OpenHands, since the user last spoke: a call four times with the same result, three times with an error, or two in
 * turn three times with their results. Its rule on messages without calls has no call to be scored at.
 */
export const openHands = holdsAt(
  (steps, at) =>
    endsInLaps(steps, at, { period: 1, laps: 4, identity: callAndResult, isOneTurn: true }) ||
    endsInLaps(steps, at, { period: 1, laps: 3, identity: failingCall, isOneTurn: true }) ||
    endsInLaps(steps, at, { period: 2, laps: 3, identity: callAndResult, isOneTurn: true }),
);
