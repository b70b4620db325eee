import { createGuard } from "doomloop";
import { assertDetector, round, step } from "doomloop/testing";
import { cartRefilled } from "./cart-refilled.ts";

const guard = createGuard({ detectors: { "cart-refilled": cartRefilled } });

/** The agent changes its mind: every call is new and succeeds, so no other detector sees a loop here. */
const shop = (mind: string) => [
  round,
  ...step("empty_cart", {}, "The cart is empty."),
  ...step("add_to_cart", { sku: mind }, `In the cart: ${mind}.`),
];
const minds = ["tea, green", "tea, black", "coffee", "tea, green, loose", "coffee, ground"];

for (const mind of minds) {
  for (const event of shop(mind)) {
    const { action, message } = guard.observe(event);
    if (action !== "continue") console.log(`${mind}: ${action}\n${message}\n`);
  }
}
console.log("Seen:", guard.stats().findings);

// The contract that doomloop's own detectors keep: put this into your tests.
assertDetector(cartRefilled, {
  firing: minds.flatMap(shop),
  innocent: minds.slice(0, 2).flatMap((mind) => [...shop(mind), ...step("place_order", {}, "Ordered.")]),
});
console.log("The detector keeps the contract.");
