import { createGuard } from "doomloop";

// #region tools
createGuard({
  tools: {
    check_job: { poll: { patienceMs: 1_800_000 } }, // patience in waiting, not in calls
    deploy: { repeat: "never" }, //                    an equal call after a success is refused
    ls: { ignore: true }, //                           or a function of the arguments
    open_page: { identity: ["url"] }, //               which arguments make two calls the same
    run_query: { changes: false, threshold: 5 },
    search_index: { fleet: "shared" }, //              whose world it is about, for a fleet
  },
});
// #endregion tools
