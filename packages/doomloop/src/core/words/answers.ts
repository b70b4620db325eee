/** Answers in words since the agent last acted or the user last spoke. Plain data, without the words themselves. */
export interface Answers {
  /** How many answers without a call. */
  count: number;
  /** How many of them say the same as an earlier one. */
  repeats: number;
  /** What the latest ones said: of each the hash of its words. */
  readonly said: number[];
}

const MEMORY = 8;

export function createAnswers(): Answers {
  return { count: 0, repeats: 0, said: [] };
}

export function addAnswer(answers: Answers, hash: number): void {
  const { said } = answers;
  answers.count++;
  if (said.includes(hash)) answers.repeats++;
  else said.push(hash);
  if (said.length > MEMORY) said.shift();
}
