/** Answers without a call, since the agent last acted or the user last spoke. Plain data, without the words themselves. */
export interface Answers {
  count: number;
  /** How many of them repeat an earlier one. */
  repeats: number;
  /** The hashes of the latest ones. */
  readonly said: number[];
}

const MAX_REMEMBERED = 8;

export function createAnswers(): Answers {
  return { count: 0, repeats: 0, said: [] };
}

export function addAnswer(answers: Answers, hash: number): void {
  const { said } = answers;
  answers.count++;
  if (said.includes(hash)) answers.repeats++;
  else said.push(hash);
  if (said.length > MAX_REMEMBERED) said.shift();
}
