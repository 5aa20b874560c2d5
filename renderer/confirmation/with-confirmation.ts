import { create } from 'zustand';
import { ApiFailure } from '#renderer/client';
import { hasAuthenticatorApp } from '#renderer/session';

/** Fields of a request that confirm a sensitive change. */
export interface Confirmation {
  readonly currentPassword: string;
  /** A code of the person's authenticator app; absent where the person has none. */
  readonly currentCode?: string;
}

/** A request for the person's password or code that waits for its answer. */
interface Question {
  readonly needsPassword: boolean;
  readonly needsCode: boolean;
  /** The last refusal; null at the first try. */
  readonly fault: { readonly field: 'currentPassword' | 'currentCode'; readonly message: string } | null;
  /** Returns the input of the person; null if the person cancels. */
  readonly answer: (given: Confirmation | null) => void;
}

/** The open question of the prompt. */
export const useQuestion = create<{ readonly question: Question | null }>()(() => ({ question: null }));

function ask(of: Omit<Question, 'answer'>): Promise<Confirmation | null> {
  return new Promise((resolve) => {
    const answer = (given: Confirmation | null) => {
      useQuestion.setState({ question: null });
      resolve(given);
    };
    // Only one prompt is on screen: a second question cancels the first.
    useQuestion.getState().question?.answer(null);
    useQuestion.setState({ question: { ...of, answer } });
  });
}

async function confirmed<Result>(
  needs: Pick<Question, 'needsPassword' | 'needsCode'>,
  send: (given: Confirmation) => Promise<Result>,
): Promise<Result> {
  let fault: Question['fault'] = null;
  for (;;) {
    const given = await ask({ ...needs, fault });
    if (given === null) throw new ApiFailure('PASSWORD_NEEDED', 'Nothing was changed: this change needs your confirmation.');
    try {
      return await send(given);
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure;
      const { field, message } = failure;
      const isAsked = (field === 'currentPassword' && needs.needsPassword) || (field === 'currentCode' && needs.needsCode);
      if (!isAsked) throw failure;
      fault = { field: field as 'currentPassword' | 'currentCode', message };
    }
  }
}

/**
 * Asks for the password, and for a code if the user has an authenticator app, and sends the request with both. Asks again while the service
 * refuses them. @throws ApiFailure with code PASSWORD_NEEDED if the person cancels, and every other failure of the request.
 */
export function withConfirmation<Result>(send: (given: Confirmation) => Promise<Result>): Promise<Result> {
  return confirmed({ needsPassword: true, needsCode: hasAuthenticatorApp() }, send);
}

/**
 * Sends a request that holds the password already, with a code where the person has an authenticator app.
 * @throws as withConfirmation()
 */
export function withCode<Result>(send: (given: Pick<Confirmation, 'currentCode'>) => Promise<Result>): Promise<Result> {
  return hasAuthenticatorApp() ? confirmed({ needsPassword: false, needsCode: true }, send) : send({});
}
