import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { ApiFailure, newIdempotencyKey } from '#renderer/base/client';
import { useTenantClockOffset } from '#renderer/session/tenant-clock';
import { useMerchant } from '#renderer/session/user';
import { attemptKeys } from './attempt-key.ts';
import { type ChargeResult, isCertain, readFailure } from './charge-result.ts';
import { type EarlierCharge, findEarlierCharge } from './earlier-charge.ts';
import { discountField, isDiscountMissing, requestMissingDiscount } from './granted-discount.ts';
import { STALE_AFTER_SALE, sendSale } from './queries.ts';
import type { SaleRequest } from './request.ts';
import { sendUntilAnswered } from './send-until-answered.ts';
import { findSameCharge, isSameCharge, type PendingCharge, useUnconfirmedCharges } from './unconfirmed-charges.ts';

/** Description of the payment method of a charge. Holds no card number. */
interface ChargeMethod {
  /** Display text, such as "Visa ••6975". */
  readonly methodLabel: string;
  /** Last four digits, by which an earlier charge of the same card is found; undefined if they are not known. */
  readonly last4: string | undefined;
  /** The charge that the clerk repeats on purpose. */
  readonly repeatOf?: PendingCharge | undefined;
}

type ChargeOutcome =
  | { readonly kind: 'answered'; readonly charge: PendingCharge; readonly result: ChargeResult }
  /** Not sent, because it would repeat a charge of the same card and amount. */
  | { readonly kind: 'duplicate'; readonly charge: PendingCharge; readonly earlier: EarlierCharge };

interface Charge {
  /** Sends a charge with the granted discount of the sale. If it lacks one, the discount is requested, and the charge is sent once more. */
  readonly send: (request: SaleRequest, method: ChargeMethod) => Promise<ChargeOutcome>;
  /** Gives the next charge a new idempotency key. */
  readonly renewKey: () => void;
}

/** Sends the charges of a form, under one idempotency key until their outcome is certain. */
export function useCharge(): Charge {
  const cache = useQueryClient();
  const { timezone } = useMerchant();
  const clockOffset = useTenantClockOffset();
  const clock = useRef({ timezone, clockOffset });
  clock.current = { timezone, clockOffset };
  return useMemo(() => {
    const keys = attemptKeys(sessionStorage, newIdempotencyKey);
    const findOnService = async (request: SaleRequest, last4: string | undefined) => {
      if (last4 === undefined) return undefined;
      const { timezone: timeZone, clockOffset: offset } = clock.current;
      return findEarlierCharge({ request, last4, timeZone, now: Date.now() + offset, includesApproved: !keys.isUsed() });
    };
    const sendOnce: Charge['send'] = async (request, { methodLabel, last4, repeatOf }) => {
      const charge: PendingCharge = { amount: request.amount, currency: request.currency, methodLabel };
      if (!repeatOf || !isSameCharge(repeatOf, charge)) {
        const earlier = findSameCharge(useUnconfirmedCharges.getState().open, charge) ?? (await findOnService(request, last4));
        if (earlier) return { kind: 'duplicate', charge, earlier };
      }
      const key = keys.current();
      const result = await sendUntilAnswered({ sendRequest: () => sendSale(request, key), wait, now: Date.now });
      if (isCertain(result)) keys.discard();
      for (const queryKey of STALE_AFTER_SALE) void cache.invalidateQueries({ queryKey });
      return { kind: 'answered', charge, result };
    };
    const send: Charge['send'] = async (request, method) => {
      const sendDiscounted = () => sendOnce({ ...request, ...discountField() }, method);
      const outcome = await sendDiscounted();
      if (outcome.kind !== 'answered' || outcome.result.kind !== 'refused' || !isDiscountMissing(outcome.result.refusal)) return outcome;
      try {
        await requestMissingDiscount(outcome.result.refusal, request.merchantId);
      } catch (failure) {
        if (!(failure instanceof ApiFailure)) throw failure;
        return { ...outcome, result: readFailure(failure) };
      }
      return sendDiscounted();
    };
    return { send, renewKey: keys.discard };
  }, [cache]);
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
