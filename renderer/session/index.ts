export { useIdleLock } from './idle.ts';
export { rememberEmail, rememberedEmail } from './remembered-email.ts';
export {
  chooseMerchant,
  enter,
  type LockReason,
  lock,
  signIn,
  signOut,
  startSession,
  unlock,
  useSession,
} from './session.ts';
export { useIsLocked, useIsSandbox, useMay, useMe, useMerchant } from './who.ts';
