export {
  type CardBrand,
  cardNumberProblem,
  digitsOf,
  groupCardNumber,
  readCardNumber,
  securityCodeLength,
} from './card-number.ts';
export { expiryProblem, formatExpiry, monthOf, readExpiry } from './expiry.ts';
export { FreeTextGuard } from './free-text-guard.tsx';
export type { SwipedCard } from './track.ts';
export { reformat } from './typed-text.ts';
export { useWedge } from './use-wedge.ts';
