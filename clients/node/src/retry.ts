/** Limits of retries. */
export interface RetryLimits {
  /** Attempts after the first one. */
  readonly retries: number;
  /** Longest wait before one retry, in milliseconds. If a response asks for a longer one, its error is thrown at once. */
  readonly waitMsMax: number;
}

const FIRST_WAIT_MS = 250;

/**
 * Returns the milliseconds to wait before a request is sent again, or null if it must not be. Repeatable responses are 429 and 503, and a 409 with
 * Retry-After, which means that a request with the same key is still running.
 */
export function retryWaitMs(response: Response, attempt: number, { retries, waitMsMax }: RetryLimits): number | null {
  if (attempt >= retries) return null;
  const asked = askedWaitMs(response.headers.get('retry-after'));
  const { status } = response;
  if (status !== 429 && status !== 503 && !(status === 409 && asked !== null)) return null;
  const waitMs = asked ?? backoffMs(attempt);
  return waitMs > waitMsMax ? null : waitMs;
}

/** Returns the wait after a failed connection, or null after the last attempt. */
export function reconnectWaitMs(attempt: number, { retries, waitMsMax }: RetryLimits): number | null {
  return attempt >= retries ? null : Math.min(backoffMs(attempt), waitMsMax);
}

/** Returns the wait of a Retry-After header in milliseconds, or null for an absent or unreadable one. */
function askedWaitMs(header: string | null): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header)) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isFinite(at) ? Math.max(0, at - Date.now()) : null;
}

/** Returns a wait that doubles with each attempt, with a random part, so that many programs do not retry in step. */
function backoffMs(attempt: number): number {
  return FIRST_WAIT_MS * 2 ** attempt * (0.75 + Math.random() / 2);
}

/** Waits. @throws the reason of the signal if it aborts. */
export function pause(waitMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, waitMs);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
