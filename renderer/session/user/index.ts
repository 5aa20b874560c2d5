export {
  beginCompanySignIn,
  companySignInsQuery,
  finishCompanySignIn,
  type ProviderAnswer,
  takeProviderAnswer,
} from './company-sign-in.ts';
export { hasAuthenticatorApp, useIsFrontDesk, useIsLocked, useIsSandbox, useMay, useMe, useMerchant } from './current-user.ts';
export { useIdleLock } from './idle-lock.ts';
export { clearRemainingSetup, type RemainingSetup, storeRemainingSetup, useRemainingSetup } from './remaining-setup.ts';
export { rememberEmail, rememberedEmail, rememberedEmails } from './remembered-email.ts';
export {
  canTakeOverLocked,
  chooseMerchant,
  forgotPassword,
  type LockReason,
  lock,
  onDiscard,
  openSession,
  peopleQuery,
  refreshMe,
  resendCode,
  type SentCode,
  setPassword,
  signedInAtCompany,
  signIn,
  signInByCode,
  signOut,
  startSession,
  takeOver,
  unlock,
  unlockByCode,
  useSession,
} from './session.ts';
