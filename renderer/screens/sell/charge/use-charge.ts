import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { newIdempotencyKey } from '#renderer/client';
import type { SaleMode } from '../form/form.ts';
import { openCharge, STALE_AFTER_SALE, sendSale } from '../queries.ts';
import { EMPTY, isCertain, type PendingCharge, type Stage, stageAfter } from '../stage.ts';
import { isSame, sameCharge, useDoubts } from '../unconfirmed/doubts.ts';
import { attemptKeys } from './attempt-key.ts';
import type { SaleRequest } from './request.ts';
import { sendUntilAnswered } from './sending.ts';

interface Charge {
  readonly stage: Stage;
  readonly show: (stage: Stage) => void;
  /** True from the press of Charge to its answer; read by handlers, never by rendering. */
  readonly isBusy: () => boolean;
  /** Sends the request and answers where it led; null when a charge is under way already. */
  readonly send: (request: SaleRequest, paying: Paying, mode: SaleMode) => Promise<Stage | null>;
  /** Ends this life of the form: the next charge is another one. */
  readonly renew: () => void;
}

/** What is charged, as far as it may be told. */
interface Paying {
  /** For people: Visa ending in 6975. */
  readonly means: string;
  /** By which an open charge is looked for; undefined where it is not known. */
  readonly last4: string | undefined;
  /** The charge that somebody wants although one like it is in doubt. */
  readonly despite?: PendingCharge;
}

/** The charge of the form: one at a time, under one Idempotency-Key until its outcome is certain. */
export function useCharge(): Charge {
  const [stage, setStage] = useState<Stage>(EMPTY);
  const busy = useRef(false);
  const cache = useQueryClient();
  const keys = useMemo(() => attemptKeys(sessionStorage, newIdempotencyKey), []);
  // What is shown is there when this returns, so that the focus can be led to it.
  const show = useCallback((next: Stage) => flushSync(() => setStage(next)), []);
  const isBusy = useCallback(() => busy.current, []);

  const send = useCallback<Charge['send']>(
    async (request, { means, last4, despite }, mode) => {
      if (busy.current) return null;
      const charge: PendingCharge = { amount: request.amount, currency: request.currency, means };
      busy.current = true;
      show({ kind: 'sending' });
      try {
        if (!despite || !isSame(despite, charge)) {
          const same = sameCharge(useDoubts.getState().open, charge) ?? (last4 && (await openCharge(request, last4)));
          if (same) return showAndAnswer({ kind: 'entry', notice: { kind: 'same-charge', doubt: same, charge } });
        }
        const key = keys.open();
        const answer = await sendUntilAnswered({ ask: () => sendSale(request, key), wait, now: Date.now });
        if (isCertain(answer)) keys.finish();
        for (const queryKey of STALE_AFTER_SALE) void cache.invalidateQueries({ queryKey });
        const next = stageAfter(answer, charge, mode);
        if (next.kind === 'checking') useDoubts.getState().add(next.doubt);
        return showAndAnswer(next);
      } finally {
        busy.current = false;
      }

      function showAndAnswer(next: Stage): Stage {
        show(next);
        return next;
      }
    },
    [cache, keys, show],
  );
  const renew = useCallback(() => {
    keys.finish();
    show(EMPTY);
  }, [keys, show]);
  return useMemo(() => ({ stage, show, isBusy, send, renew }), [stage, show, isBusy, send, renew]);
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
