import { ApiFailure, CONFIRMATION_CANCELED, type Confirmation, failureOf, handleConfirmations } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { createStore } from '#renderer/base/module-state';
import { hasAuthenticatorApp, signedInAtCompany } from '#renderer/session/user';

/** Open request for the user's password or code. */
interface Question {
  readonly needsPassword: boolean;
  readonly needsCode: boolean;
  /** Summary of the operation; null if the screen that asks describes it. */
  readonly operation: string | null;
  /** Last refusal; null on the first attempt. */
  readonly refusal: { readonly field: 'currentPassword' | 'currentCode'; readonly message: string } | null;
  /** Submits the input of the user; null if the user cancels. */
  readonly answer: (input: Confirmation | null) => void;
}

/** The open question of the prompt. */
export const useQuestion = createStore<{ readonly question: Question | null }>()(() => ({ question: null }));

function promptUser(question: Omit<Question, 'answer'>): Promise<Confirmation | null> {
  return new Promise((resolve) => {
    const answer = (input: Confirmation | null) => {
      useQuestion.setState({ question: null });
      resolve(input);
    };
    // Only one prompt is on screen: a second question cancels the first.
    useQuestion.getState().question?.answer(null);
    useQuestion.setState({ question: { ...question, answer } });
  });
}

async function sendConfirmed<Result>(
  needs: Pick<Question, 'needsPassword' | 'needsCode' | 'operation'>,
  send: (input: Confirmation) => Promise<Result>,
): Promise<Result> {
  // The service says how long the sign-in at the provider confirms.
  if (signedInAtCompany()) return send({});
  let refusal: Question['refusal'] = null;
  for (;;) {
    const input = await promptUser({ ...needs, refusal });
    if (input === null) throw new ApiFailure(CONFIRMATION_CANCELED, t('Nothing was changed. This change needs your confirmation.'));
    try {
      return await send(input);
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure;
      const { field, message } = failure;
      const isAsked = (field === 'currentPassword' && needs.needsPassword) || (field === 'currentCode' && needs.needsCode);
      if (!isAsked) throw failure;
      refusal = { field: field as 'currentPassword' | 'currentCode', message };
    }
  }
}

/**
 * Asks for the password, and for a code if the user has an authenticator app, and sends the request with both. Asks again while the service
 * refuses them. For operations that need the password however recent the sign-in. @throws ApiFailure with code CONFIRMATION_CANCELED if the user cancels, and every other failure of the request.
 */
export function withConfirmation<Result>(send: (input: Confirmation) => Promise<Result>): Promise<Result> {
  return sendConfirmed({ needsPassword: true, needsCode: hasAuthenticatorApp(), operation: null }, send);
}

/**
 * Sends a request that already contains the password, with a code if the user has an authenticator app.
 * @throws as withConfirmation()
 */
export function withCode<Result>(send: (input: Pick<Confirmation, 'currentCode'>) => Promise<Result>): Promise<Result> {
  return hasAuthenticatorApp() ? sendConfirmed({ needsPassword: false, needsCode: true, operation: null }, send) : send({});
}

/** Asks for the confirmation of an operation that the service refused, and sends it again. */
handleConfirmations((operation, send) =>
  sendConfirmed({ needsPassword: true, needsCode: hasAuthenticatorApp(), operation: serviceText(operation) }, async (given) => {
    const response = await send(given);
    const failure = response.status === 400 ? await failureOf(response, await response.clone().json(), Date.now()) : null;
    if (failure?.field === 'currentPassword' || failure?.field === 'currentCode') throw failure;
    return response;
  }),
);
