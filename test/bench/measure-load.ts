import autocannon from 'autocannon';

/** The destination and the content of sales. */
export interface Target {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

export interface Figures {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

const WARM_UP_SECONDS = 2;

/**
 * Sends sales as fast as the connections allow, after a warm-up. @throws Error if any status is not 2xx, because the figure would not be
 * valid.
 */
export async function measure(target: Target, connections: number, seconds: number): Promise<Figures> {
  await shoot(target, connections, WARM_UP_SECONDS);
  return shoot(target, connections, seconds);
}

async function shoot(target: Target, connections: number, duration: number): Promise<Figures> {
  let serial = 0;
  const prefix = `b${process.pid}-${Math.random().toString(36).slice(2)}-`;
  const result = await autocannon({
    url: target.url,
    connections,
    duration,
    method: 'POST',
    body: target.body,
    requests: [
      {
        setupRequest: (request) => {
          serial += 1;
          return {
            ...request,
            headers: { ...target.headers, 'content-type': 'application/json', 'idempotency-key': `${prefix}${serial}` },
          };
        },
      },
    ],
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${target.url}: ${result.non2xx} answers that are not 2xx, ${result.errors} errors`);
  return { perSecond: result.requests.total / result.duration, p50: result.latency.p50, p99: result.latency.p99 };
}
