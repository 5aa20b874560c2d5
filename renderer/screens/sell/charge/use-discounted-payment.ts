import type { UseMutationResult } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiFailure } from '#renderer/base/client';
import { discountField, isDiscountMissing, requestMissingDiscount } from './granted-discount.ts';

/** A payment whose discount may need an approval. */
interface DiscountedPayment<Body> {
  /** Returns true if the payment was made; `error` says why it was not. */
  readonly pay: (body: Body) => Promise<boolean>;
  readonly error: ApiFailure | null;
  readonly isPending: boolean;
  readonly reset: () => void;
}

/** Sends a payment with the granted discount of the sale. If it lacks one, the discount is requested, and the payment is sent once more. */
export function useDiscountedPayment<Body extends object, Result>(
  payment: UseMutationResult<Result, ApiFailure, Body>,
  merchantId: string,
): DiscountedPayment<Body> {
  const [isAsking, setAsking] = useState(false);
  const [refusal, setRefusal] = useState<ApiFailure | null>(null);
  const isMissing = payment.error !== null && isDiscountMissing(payment.error);
  const send = (body: Body) => payment.mutateAsync({ ...body, ...discountField() });
  return {
    async pay(body) {
      setRefusal(null);
      const failure = await failureOf(send(body));
      if (failure === null || !isDiscountMissing(failure)) return failure === null;
      setAsking(true);
      const refused = await failureOf(requestMissingDiscount(failure, merchantId));
      setAsking(false);
      if (refused === null) return (await failureOf(send(body))) === null;
      setRefusal(refused);
      return false;
    },
    error: refusal ?? (isMissing && isAsking ? null : payment.error),
    isPending: payment.isPending || isAsking,
    reset() {
      setRefusal(null);
      payment.reset();
    },
  };
}

/** Returns the failure of a request; null if it succeeded. The mutation reports its own failures. */
async function failureOf(request: Promise<unknown>): Promise<ApiFailure | null> {
  try {
    await request;
    return null;
  } catch (failure) {
    if (failure instanceof ApiFailure) return failure;
    throw failure;
  }
}
