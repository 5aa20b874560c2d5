import { create } from 'zustand';
import { ApiFailure } from '#renderer/client';

/** A request for the caller's password that waits for its answer. */
interface Question {
  /** Why the last password was refused; null at the first try. */
  readonly fault: string | null;
  /** Takes the password, or null where the person cancels. */
  readonly answer: (password: string | null) => void;
}

/** The open question of the password prompt. */
export const useQuestion = create<{ readonly question: Question | null }>()(() => ({ question: null }));

const ask = (fault: string | null): Promise<string | null> =>
  new Promise((resolve) => {
    const answer = (password: string | null) => {
      useQuestion.setState({ question: null });
      resolve(password);
    };
    // Only one prompt is on screen: a second question cancels the first.
    useQuestion.getState().question?.answer(null);
    useQuestion.setState({ question: { fault, answer } });
  });

/**
 * Asks the person for their password and sends the request with it; asks again while the service refuses the password.
 * @throws ApiFailure with code PASSWORD_NEEDED where the person cancels, and every other failure of the request.
 */
export async function withPassword<Result>(send: (currentPassword: string) => Promise<Result>): Promise<Result> {
  let fault: string | null = null;
  for (;;) {
    const password = await ask(fault);
    if (password === null) throw new ApiFailure('PASSWORD_NEEDED', 'Nothing was changed: this change needs your password.');
    try {
      return await send(password);
    } catch (failure) {
      if (!(failure instanceof ApiFailure) || failure.field !== 'currentPassword') throw failure;
      fault = failure.message;
    }
  }
}
