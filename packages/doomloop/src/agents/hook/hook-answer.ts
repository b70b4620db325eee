/** What a hook answers, before it is put into the agent's own words. */
export type HookAnswer =
  | { readonly type: "nothing" }
  /** Words to the model, behind the result. `notice`: and to the person, where the agent shows such. */
  | { readonly type: "words"; readonly words: string; readonly notice?: string }
  /** The call is not to run; `isEnd`: and the run is over. */
  | {
      readonly type: "refusal";
      readonly words: string;
      readonly isEnd: boolean;
      readonly explanation: string;
      readonly notice?: string;
    }
  /** The person is asked whether the call is to run. */
  | { readonly type: "question"; readonly question: string }
  /** The run is over. */
  | { readonly type: "end"; readonly explanation: string };

export const NOTHING: HookAnswer = { type: "nothing" };
