/** A response as it was received. */
export interface ReceivedResponse {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  /** The body; only that of JSON is compared. */
  readonly text: string;
}

type Check = (response: ReceivedResponse) => void;

const CHECK = Symbol.for('paydesk response check');
const shared = globalThis as { [CHECK]?: Check };

/** Sets the check of every response. Test files of a worker share it, also those that load this module again. */
export function setResponseCheck(check: Check): void {
  shared[CHECK] = check;
}

/** Checks a response if the project of the test has a check. @throws Error at a difference. */
export function checkResponse(response: ReceivedResponse): void {
  shared[CHECK]?.(response);
}
