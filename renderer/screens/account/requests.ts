import { queryOptions } from '@tanstack/react-query';
import { api, takeData } from '#renderer/base/client';
import { withConfirmation } from '#renderer/session/confirmation';
import type { Language } from '#shared/languages';

/** Two-factor settings of the signed-in user. */
export const twoFactorQuery = queryOptions({
  queryKey: ['two-factor'],
  queryFn: () => takeData(api.GET('/api/v1/auth/two-factor')),
});

/** Sets the name of the signed-in user; an empty one removes it. */
export const setOwnName = (name: string) => takeData(api.PUT('/api/v1/auth/name', { body: { name } }));

/** Sets the language of the signed-in user's screens; null leaves it to the computer. */
export const setOwnLanguage = (language: Language | null) => takeData(api.PUT('/api/v1/auth/language', { body: { language } }));

/** Switches to codes by email or text message, or switches the second factor off. */
export const setTwoFactor = (method: 'off' | 'email' | 'sms') =>
  withConfirmation((given) =>
    takeData(
      api.PUT('/api/v1/auth/two-factor', { body: { enabled: method !== 'off', ...(method !== 'off' && { channel: method }), ...given } }),
    ),
  );

/** Starts the enrollment of an authenticator app. Its secret is returned only once. */
export const enrollApp = () => withConfirmation((given) => takeData(api.POST('/api/v1/auth/two-factor/totp', { body: given })));
export type Enrollment = Awaited<ReturnType<typeof enrollApp>>;

/** Confirms the app with its first code and returns the recovery codes, which are shown once. */
export const confirmApp = async (code: string): Promise<readonly string[]> =>
  (await takeData(api.POST('/api/v1/auth/two-factor/totp/confirm', { body: { code } }))).recoveryCodes;

export const renewRecoveryCodes = async (): Promise<readonly string[]> =>
  (await withConfirmation((given) => takeData(api.POST('/api/v1/auth/two-factor/recovery-codes', { body: given })))).recoveryCodes;

export const changePassword = (newPassword: string) =>
  withConfirmation((given) => takeData(api.PUT('/api/v1/auth/password', { body: { newPassword, ...given } })));

export const setPin = (pin: string) => withConfirmation((given) => takeData(api.PUT('/api/v1/auth/pin', { body: { pin, ...given } })));
export const removePin = () => withConfirmation((given) => takeData(api.DELETE('/api/v1/auth/pin', { body: given })));
