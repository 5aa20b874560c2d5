import { type Actor, ServiceError } from '#core/kernel';
import {
  beginEnrollment,
  confirmEnrollment,
  type Enrollment,
  recoveryCodesLeft,
  removeAuthenticator,
  renewRecoveryCodes,
} from './authenticators.ts';
import type { Dependencies } from './dependencies.ts';
import type { User } from './records.ts';
import type { TwoFactor } from './schema.ts';
import { changeUser } from './users/change.ts';
import { checkChannel, managedUser, userRow } from './users/user.ts';

/** Second factor of a user, as the user's settings show it. */
export interface TwoFactorState {
  readonly method: TwoFactor;
  readonly recoveryCodesLeft: number;
}

export async function getTwoFactor(deps: Dependencies, tenantId: string, userId: string): Promise<TwoFactorState> {
  const { two_factor } = await userRow(deps, tenantId, userId);
  return { method: two_factor, recoveryCodesLeft: await recoveryCodesLeft(deps, tenantId, userId) };
}

/**
 * Switches to codes by email or text message, or turns the second factor off, which removes the recovery codes.
 * @throws RESOURCE_CONFLICT if the message channel is not set up; VALIDATION_ERROR on `channel` without a phone number.
 */
export async function setTwoFactor(deps: Dependencies, actor: Actor, userId: string, method: 'off' | 'email' | 'sms'): Promise<User> {
  const before = await userRow(deps, actor.tenantId, userId);
  if (method !== 'off' && !(await deps.delivers(actor.tenantId, method))) {
    const channel = method === 'sms' ? 'Text messages are' : 'Email is';
    throw new ServiceError('RESOURCE_CONFLICT', `${channel} not set up on this account yet, so a code could not reach you.`, {
      details: { reason: 'no_delivery' },
    });
  }
  checkChannel(method, before.phone);
  return changeUser(deps, actor, before, { two_factor: method }, 'user.two_factor_changed', (work) =>
    removeAuthenticator(work, userId, method === 'off' ? 'all' : 'app'),
  );
}

/** Starts the enrollment of an authenticator app. The present method stays until `confirmApp()`. */
export const enrollApp = async (deps: Dependencies, actor: Actor, userId: string): Promise<Enrollment> =>
  beginEnrollment(deps, await userRow(deps, actor.tenantId, userId));

/**
 * Switches to the enrolled app with its first code, and creates recovery codes, which are returned once.
 * @throws RESOURCE_CONFLICT without an enrollment; VALIDATION_ERROR on `code`.
 */
export async function confirmApp(deps: Dependencies, actor: Actor, userId: string, code: string): Promise<readonly string[]> {
  const before = await userRow(deps, actor.tenantId, userId);
  let codes: readonly string[] = [];
  await changeUser(deps, actor, before, { two_factor: 'totp' }, 'user.two_factor_changed', async (work) => {
    await confirmEnrollment(deps, work, before, code);
    codes = await renewRecoveryCodes(deps, work, before);
  });
  return codes;
}

/**
 * Replaces the recovery codes and returns the new ones, which are shown once. @throws ServiceError RESOURCE_CONFLICT while the second
 * factor is off.
 */
export async function replaceRecoveryCodes(deps: Dependencies, actor: Actor, userId: string): Promise<readonly string[]> {
  const before = await userRow(deps, actor.tenantId, userId);
  if (before.two_factor === 'off')
    throw new ServiceError('RESOURCE_CONFLICT', 'Recovery codes require a second factor. Turn one on first.', {
      details: { reason: 'two_factor_off' },
    });
  let codes: readonly string[] = [];
  await changeUser(deps, actor, before, {}, 'user.recovery_codes_made', async (work) => {
    codes = await renewRecoveryCodes(deps, work, before);
  });
  return codes;
}

/**
 * Turns off the second factor of another user who lost the phone and the recovery codes. Requires the permissions for changing that
 * user.
 */
export async function resetTwoFactor(deps: Dependencies, actor: Actor, merchantId: string, userId: string): Promise<User> {
  const before = await managedUser(deps, actor, userId, merchantId);
  return changeUser(deps, actor, before, { two_factor: 'off' }, 'user.two_factor_changed', (work) =>
    removeAuthenticator(work, userId, 'all'),
  );
}
