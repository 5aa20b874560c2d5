import type { Me, Merchant } from '#renderer/base/client';
import { useSession } from './session.ts';

/** Returns the signed-in user. For use below the shell only, where there always is one. */
export function useMe(): Me {
  return useSession(({ state }) => {
    if (state.phase !== 'signed-in' && state.phase !== 'locked') throw new Error('No user is signed in');
    return state.me;
  });
}

/** Returns the merchant that is selected on screen. */
export function useMerchant(): Merchant {
  const me = useMe();
  const chosen = useSession(({ state }) => ('merchantId' in state ? state.merchantId : ''));
  const merchant = me.merchants.find(({ merchantId }) => merchantId === chosen) ?? me.merchants[0];
  if (!merchant) throw new Error('A signed-in user must have access to at least one merchant');
  return merchant;
}

/** Returns true while the screen is locked. Card data must not be in the page then. */
export function useIsLocked(): boolean {
  return useSession(({ state }) => state.phase === 'locked');
}

/** Returns true in a sandbox account. */
export function useIsSandbox(): boolean {
  return useMe().tenant.environment === 'sandbox';
}

/** Returns true if the person signs in with an authenticator app. For use outside of components. */
export function hasAuthenticatorApp(): boolean {
  const { state } = useSession.getState();
  return 'me' in state && state.me.user.twoFactor === 'totp';
}

/** Returns a function that is true if the user has a permission: may('transactions:write'). */
export function useMay(): (permission: string) => boolean {
  const { permissions } = useMe().user;
  return (permission) => permissions.includes(permission) || permissions.includes(permission.split(':')[0] ?? permission);
}

/** Returns true for people who sell without seeing reports. */
export function useIsFrontDesk(): boolean {
  const may = useMay();
  return may('transactions:write') && !may('reporting:read');
}
