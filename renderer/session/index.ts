export { useIdleLock } from './idle.ts';
export { rememberEmail, rememberedEmail, rememberedEmails } from './remembered-email.ts';
export {
  type CodeSent,
  chooseMerchant,
  enter,
  forgotPassword,
  type LockReason,
  lock,
  renewMe,
  resendCode,
  setPassword,
  signIn,
  signInByCode,
  signOut,
  startSession,
  unlock,
  unlockByCode,
  useSession,
} from './session.ts';
export { forgetSetUpLeft, noteSetUpLeft, type SetUpLeft, useSetUpLeft } from './set-up-left.ts';
export { hasAuthenticatorApp, isLiveAccount, useIsLocked, useIsSandbox, useMay, useMe, useMerchant } from './who.ts';
