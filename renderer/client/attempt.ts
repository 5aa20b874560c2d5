import { type UseMutationOptions, type UseMutationResult, useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { ApiFailure } from './failure.ts';

/** A fresh Idempotency-Key. */
export function newIdempotencyKey(): string {
  // Not randomUUID(): a page that a desk gets from another machine without TLS does not have it.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * A mutation that moves money. Its Idempotency-Key lives as long as the form: while the outcome is open (no answer, 5xx, 429)
 * the next try carries the same key, so that nothing happens twice; a definite answer ends it. A second press while the first is
 * under way does nothing.
 */
export function useMoneyMutation<Input, Result>(
  act: (input: Input, key: string) => Promise<Result>,
  options: Pick<UseMutationOptions<Result, ApiFailure, Input>, 'onSuccess' | 'onError'> = {},
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
      const result = await act(input, key.current);
      key.current = undefined;
      return result;
    } catch (failure) {
      if (failure instanceof ApiFailure && !failure.isOpen) key.current = undefined;
      throw failure;
    }
  }
}
