import { type ErrorCode, ServiceError } from './errors.ts';

/** Entry of a transition table for a refused operation: the error code and its message. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  readonly reason?: string;
}

/** Returns the refusal of an operation; `reason` becomes `details.reason`. */
export function refused(code: ErrorCode, message: string, reason?: string): Refusal {
  return reason === undefined ? { code, message } : { code, message, reason };
}

/** Transition table: for every state and operation, the next state or the refusal. */
export type Steps<State extends string, Operation extends string> = Readonly<Record<State, Readonly<Record<Operation, State | Refusal>>>>;

/** Returns the state to which an operation leads. @throws ServiceError with the refusal of the table. */
export function step<State extends string, Operation extends string>(
  table: Steps<State, Operation>,
  state: State,
  operation: Operation,
  details: Record<string, unknown> = {},
): State {
  const next: State | Refusal = table[state][operation];
  if (typeof next === 'string') return next;
  throw new ServiceError(next.code, next.message, { details: next.reason === undefined ? details : { ...details, reason: next.reason } });
}

/** Returns true if the table allows the operation. */
export function allows<State extends string, Operation extends string>(
  table: Steps<State, Operation>,
  state: State,
  operation: Operation,
): boolean {
  return typeof table[state][operation] === 'string';
}
