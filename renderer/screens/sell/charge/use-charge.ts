import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { newIdempotencyKey } from '#renderer/client';
import { findUnconfirmedCharge, STALE_AFTER_SALE, sendSale } from '../queries.ts';
import { isCertain, type PendingCharge } from '../stage.ts';
import { findSameCharge, isSameCharge, type UnconfirmedCharge, useUnconfirmedCharges } from '../unconfirmed/unconfirmed-charges.ts';
import { attemptKeys } from './attempt-key.ts';
import type { ChargeResult } from './charge-result.ts';
import type { SaleRequest } from './request.ts';
import { sendUntilAnswered } from './send-until-answered.ts';

/** Description of the payment method of a charge. Holds no card number. */
interface ChargeMethod {
  /** Display text, such as "Visa ending in 6975". */
  readonly methodLabel: string;
  /** Last four digits, by which an unconfirmed charge of the same card is found; undefined if they are not known. */
  readonly last4: string | undefined;
  /** The unconfirmed charge that the clerk repeats on purpose. */
  readonly repeatOf?: PendingCharge | undefined;
}

export type ChargeOutcome =
  | { readonly kind: 'answered'; readonly charge: PendingCharge; readonly result: ChargeResult }
  /** Not sent, because a charge of the same card and amount is unconfirmed. */
  | { readonly kind: 'duplicate'; readonly charge: PendingCharge; readonly unconfirmed: UnconfirmedCharge };

interface Charge {
  readonly send: (request: SaleRequest, method: ChargeMethod) => Promise<ChargeOutcome>;
  /** Gives the next charge a new idempotency key. */
  readonly renewKey: () => void;
}

/** Sends the charges of a form, under one idempotency key until their outcome is certain. */
export function useCharge(): Charge {
  const cache = useQueryClient();
  return useMemo(() => {
    const keys = attemptKeys(sessionStorage, newIdempotencyKey);
    const send: Charge['send'] = async (request, { methodLabel, last4, repeatOf }) => {
      const charge: PendingCharge = { amount: request.amount, currency: request.currency, methodLabel };
      if (!repeatOf || !isSameCharge(repeatOf, charge)) {
        const duplicate =
          findSameCharge(useUnconfirmedCharges.getState().open, charge) ?? (last4 && (await findUnconfirmedCharge(request, last4)));
        if (duplicate) return { kind: 'duplicate', charge, unconfirmed: duplicate };
      }
      const key = keys.current();
      const result = await sendUntilAnswered({ sendRequest: () => sendSale(request, key), wait, now: Date.now });
      if (isCertain(result)) keys.discard();
      for (const queryKey of STALE_AFTER_SALE) void cache.invalidateQueries({ queryKey });
      return { kind: 'answered', charge, result };
    };
    return { send, renewKey: keys.discard };
  }, [cache]);
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
