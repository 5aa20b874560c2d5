import { ApiFailure } from '#renderer/base/client';
import { isDiscountMissing, requestMissingDiscount } from '../discount/granted-discount.ts';
import { readFailure } from './charge-result.ts';
import type { ChargeOutcome } from './use-charge.ts';

/** Sends a charge. If it lacks a granted discount, the discount is requested, and the charge is sent once more. */
export async function withDiscount(send: () => Promise<ChargeOutcome>, merchantId: string): Promise<ChargeOutcome> {
  const outcome = await send();
  if (outcome.kind !== 'answered' || outcome.result.kind !== 'refused' || !isDiscountMissing(outcome.result.refusal)) return outcome;
  try {
    await requestMissingDiscount(outcome.result.refusal, merchantId);
  } catch (failure) {
    if (!(failure instanceof ApiFailure)) throw failure;
    return { ...outcome, result: readFailure(failure) };
  }
  return send();
}
