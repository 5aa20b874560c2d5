import { type Actor, ServiceError } from '#core/kernel';
import type { Authenticators, Enrollment } from './authenticators.ts';
import type { Needs } from './needs.ts';
import { type TwoFactor, USERS, type UserRow } from './schema.ts';
import type { User, Users } from './users.ts';

/** The second factor of a user, as its own settings show it. */
export interface TwoFactorState {
  readonly method: TwoFactor;
  readonly recoveryCodesLeft: number;
}

/** The caller's own second factor: an authenticator app, or codes by e-mail or text message (decisions 12). Callers confirm their password before. */
export function createTwoFactor(on: Needs, users: Users, authenticators: Authenticators) {
  const { database } = on;

  async function own(tenantId: string, userId: string): Promise<UserRow> {
    const row = await database.read(tenantId).one(USERS, { id: userId });
    if (!row) throw new ServiceError('NOT_FOUND', 'There is no such user.');
    return row;
  }

  return {
    async get(tenantId: string, userId: string): Promise<TwoFactorState> {
      const { two_factor } = await own(tenantId, userId);
      return { method: two_factor, recoveryCodesLeft: await authenticators.recoveryCodesLeft(tenantId, userId) };
    },
    /**
     * Switches to codes by e-mail or text message, or switches the second factor off, which removes the recovery codes.
     * @throws RESOURCE_CONFLICT where messages of the channel do not leave the account; VALIDATION_ERROR on `channel` without a phone number.
     */
    async set(by: Actor, userId: string, method: 'off' | 'email' | 'sms'): Promise<User> {
      const before = await own(by.tenantId, userId);
      if (method !== 'off' && !(await on.delivers(by.tenantId, method))) {
        const channel = method === 'sms' ? 'Text messages are' : 'E-mail is';
        throw new ServiceError('RESOURCE_CONFLICT', `${channel} not set up on this account yet, so a code could not reach you.`, {
          details: { reason: 'no_delivery' },
        });
      }
      users.checkChannel(method, before.phone);
      return users.change(by, before, { two_factor: method }, 'user.two_factor_changed', (work) =>
        authenticators.remove(work, userId, method === 'off' ? 'all' : 'app'),
      );
    },
    /** Begins the enrollment of an authenticator app. The present method stays until confirmApp(). */
    enrollApp: async (by: Actor, userId: string): Promise<Enrollment> => authenticators.begin(await own(by.tenantId, userId)),
    /**
     * Switches to the enrolled app with its first code, and makes recovery codes, which are shown once.
     * @throws RESOURCE_CONFLICT without an enrollment; VALIDATION_ERROR on `code`.
     */
    async confirmApp(by: Actor, userId: string, code: string): Promise<readonly string[]> {
      const before = await own(by.tenantId, userId);
      let codes: readonly string[] = [];
      await users.change(by, before, { two_factor: 'totp' }, 'user.two_factor_changed', async (work) => {
        await authenticators.confirm(work, before, code);
        codes = await authenticators.renewRecoveryCodes(work, before);
      });
      return codes;
    },
    /**
     * Makes new recovery codes in the place of the old ones; they are shown once.
     * @throws RESOURCE_CONFLICT while the second factor is off.
     */
    async renewRecoveryCodes(by: Actor, userId: string): Promise<readonly string[]> {
      const before = await own(by.tenantId, userId);
      if (before.two_factor === 'off')
        throw new ServiceError('RESOURCE_CONFLICT', 'Recovery codes belong to a second factor. Turn one on first.', {
          details: { reason: 'two_factor_off' },
        });
      let codes: readonly string[] = [];
      await users.change(by, before, {}, 'user.recovery_codes_made', async (work) => {
        codes = await authenticators.renewRecoveryCodes(work, before);
      });
      return codes;
    },
    /** Switches the second factor of another user off: for somebody who lost the phone and the recovery codes. Rights as for a change of the user. */
    async reset(by: Actor, merchantId: string, userId: string): Promise<User> {
      const before = await users.managed(by, userId, merchantId);
      return users.change(by, before, { two_factor: 'off' }, 'user.two_factor_changed', (work) =>
        authenticators.remove(work, userId, 'all'),
      );
    },
  };
}
