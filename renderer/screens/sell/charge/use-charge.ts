import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { newIdempotencyKey } from '#renderer/client';
import { openCharge, STALE_AFTER_SALE, sendSale } from '../queries.ts';
import { isCertain, type PendingCharge } from '../stage.ts';
import { type Doubt, isSame, sameCharge, useDoubts } from '../unconfirmed/doubts.ts';
import type { Answer } from './answer.ts';
import { attemptKeys } from './attempt-key.ts';
import type { SaleRequest } from './request.ts';
import { sendUntilAnswered } from './sending.ts';

/** Description of the payment method of a charge. Holds no card number. */
interface PaymentMethodText {
  /** Display text: Visa ending in 6975. */
  readonly means: string;
  /** Finds an unconfirmed charge of the same card; undefined if it is not known. */
  readonly last4: string | undefined;
  /** The unconfirmed charge that the clerk repeats on purpose. */
  readonly despite?: PendingCharge | undefined;
}

export type ChargeOutcome =
  | { readonly kind: 'answered'; readonly charge: PendingCharge; readonly answer: Answer }
  /** Not sent, because a charge of the same card and amount is unconfirmed. */
  | { readonly kind: 'repeats'; readonly charge: PendingCharge; readonly doubt: Doubt };

interface Charge {
  readonly send: (request: SaleRequest, method: PaymentMethodText) => Promise<ChargeOutcome>;
  /** Gives the next charge a new idempotency key. */
  readonly renewKey: () => void;
}

/** Sends the charges of a form, under one idempotency key until their outcome is certain. */
export function useCharge(): Charge {
  const cache = useQueryClient();
  return useMemo(() => {
    const keys = attemptKeys(sessionStorage, newIdempotencyKey);
    const send: Charge['send'] = async (request, { means, last4, despite }) => {
      const charge: PendingCharge = { amount: request.amount, currency: request.currency, means };
      if (!despite || !isSame(despite, charge)) {
        const same = sameCharge(useDoubts.getState().open, charge) ?? (last4 && (await openCharge(request, last4)));
        if (same) return { kind: 'repeats', charge, doubt: same };
      }
      const key = keys.open();
      const answer = await sendUntilAnswered({ ask: () => sendSale(request, key), wait, now: Date.now });
      if (isCertain(answer)) keys.finish();
      for (const queryKey of STALE_AFTER_SALE) void cache.invalidateQueries({ queryKey });
      return { kind: 'answered', charge, answer };
    };
    return { send, renewKey: keys.finish };
  }, [cache]);
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
