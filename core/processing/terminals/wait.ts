import { ServiceError } from '#core/kernel';
import type { ChangeFeed } from '#core/platform/change-feed';
import { TERMINAL_WAIT_MAX_SECONDS } from '#shared/terminals';

/** Time after which a waiting request reads its record again, because a message from another server may be lost. */
const LOOK_AGAIN_MS = 1_000;

interface Waiting {
  /** Notifies of changes. */
  readonly subscribe: ChangeFeed['subscribe'];
  /** Returns true if the server stops, so that no request waits any longer. */
  readonly isStopping: () => boolean;
}

/** Waits until a request on a card reader has ended, at most until a time. */
export async function waitForEnd(
  { subscribe, isStopping }: Waiting,
  tenantId: string,
  untilMs: number,
  hasEnded: () => Promise<boolean>,
): Promise<void> {
  let wake = () => {};
  const unsubscribe = subscribe(tenantId, () => wake());
  try {
    for (let leftMs = untilMs - Date.now(); leftMs > 0; leftMs = untilMs - Date.now()) {
      const changed = new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.min(leftMs, LOOK_AGAIN_MS));
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      if ((await hasEnded()) || isStopping()) return wake();
      await changed;
    }
  } finally {
    unsubscribe();
  }
}

/** Returns the seconds for which a request waits for its end on a card reader. @throws ServiceError VALIDATION_ERROR. */
export function checkedWait(waitSeconds = 0): number {
  if (waitSeconds >= 0 && waitSeconds <= TERMINAL_WAIT_MAX_SECONDS) return waitSeconds;
  throw new ServiceError('VALIDATION_ERROR', `\`wait\` must be a number of seconds from 0 to ${TERMINAL_WAIT_MAX_SECONDS}.`, {
    field: 'wait',
  });
}
