import { createGuard } from "doomloop";

// #region rules
createGuard({
  rules: {
    check_job: { poll: { patienceMs: 1_800_000 } }, // polling: allow half an hour
    deploy: { repeat: "never" }, //                    after a success, the same call is refused
    ls: { ignore: true }, //                           or a function of the arguments
    open_page: { identity: ["url"] }, //               which arguments make two calls the same
    run_query: { changes: false, threshold: 5 },
    close_case: { wayOut: true }, //                   finishes, gives up or asks a person: never refused
    search_index: { fleet: "shared" }, //              for a fleet: all workers see the same index
  },
});
// #endregion rules
