import { type ErrorCode, ServiceError } from './errors.ts';
import type { Money } from './money.ts';

/** Answer to the question whether an operation on a record is allowed now. A refused one has the code and message with which the operation fails. */
export interface Action {
  readonly allowed: boolean;
  readonly code?: ErrorCode;
  readonly message?: string;
  /** Largest amount that the operation accepts, without limits of the merchant, of roles and of keys. */
  readonly maxAmount?: Money;
  /** Values that the operation accepts now, such as the outcomes of a dispute. */
  readonly choices?: readonly string[];
}

/** The operations on a record, by name. */
export type Actions<Name extends string> = Readonly<Record<Name, Action>>;

/** A record with what can be done with it. */
export interface WithActions<Name extends string> {
  readonly actions: Actions<Name>;
}

/** Limits of an operation; empty if it accepts every amount and value that a request may name. */
export type ActionLimits = Pick<Action, 'maxAmount' | 'choices'>;

/** The check that an operation runs before it acts. */
export type ActionCheck = () => ActionLimits | Promise<ActionLimits>;

/** Returns whether an operation is allowed, by its own check. @throws every error but a ServiceError. */
export async function actionOf(check: ActionCheck): Promise<Action> {
  try {
    return { allowed: true, ...(await check()) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { allowed: false, code: error.code, message: error.message };
  }
}

/** Returns the operations on a record, each by its check. */
export async function actionsOf<Name extends string>(checks: Readonly<Record<Name, ActionCheck>>): Promise<Actions<Name>> {
  const names = Object.keys(checks) as Name[];
  const actions = await Promise.all(names.map(async (name) => [name, await actionOf(checks[name])] as const));
  return Object.fromEntries(actions) as Actions<Name>;
}
