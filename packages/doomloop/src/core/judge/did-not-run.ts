const SHORT = 300;
const DID_NOT_RUN =
  /\bsibling tool call\b|\btool (?:call|use|execution)s? (?:was |were |has been )?(?:cancell?ed|aborted|skipped|interrupted|not executed)|^\W{0,3}(?:error: )?(?:<[a-z_]{1,20}>)?(?:cancell?ed|aborted|interrupted|not executed|skipped)(?:\W{0,3}$|[\])]| (?:by|because|due|before)\b)|\bcall never started\b|\b(?:request|operation) (?:was )?(?:aborted|interrupted|cancell?ed)\b|^\W{0,3}cancell?ed: (?:sibling|parallel)\b/i;

/** Whether a failing result says that the call was never made: a sibling failed first, or somebody pressed stop. */
export function didNotRun(text: string, isFailing: boolean): boolean {
  return isFailing && text.length <= SHORT && DID_NOT_RUN.test(text);
}
