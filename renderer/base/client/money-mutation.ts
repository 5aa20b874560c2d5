import { type UseMutationOptions, type UseMutationResult, useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { ApiFailure } from './failure.ts';

/** A fresh Idempotency-Key. */
export function newIdempotencyKey(): string {
  // Not randomUUID(): it is missing on a page that comes from another computer without TLS.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * A mutation that moves money. While its outcome is unknown (no response, 5xx, 429), the next attempt sends the same Idempotency-Key, so that
 * nothing happens twice. A definite response ends the key. A second call while the first is pending does nothing.
 */
export function useMoneyMutation<Input, Result>(
  send: (input: Input, key: string) => Promise<Result>,
  options: Pick<UseMutationOptions<Result, ApiFailure, Input>, 'onSuccess' | 'onError' | 'onSettled'> = {},
): UseMutationResult<Result, ApiFailure, Input> {
  const key = useRef<string>(undefined);
  const running = useRef<Promise<Result>>(undefined);
  return useMutation<Result, ApiFailure, Input>({
    ...options,
    mutationFn: (input) => {
      running.current ??= attempt(input).finally(() => {
        running.current = undefined;
      });
      return running.current;
    },
  });

  async function attempt(input: Input): Promise<Result> {
    key.current ??= newIdempotencyKey();
    try {
      const result = await send(input, key.current);
      key.current = undefined;
      return result;
    } catch (failure) {
      if (failure instanceof ApiFailure && !failure.isUnconfirmed) key.current = undefined;
      throw failure;
    }
  }
}
