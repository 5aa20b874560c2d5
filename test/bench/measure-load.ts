import autocannon from 'autocannon';
import { latencyOf, sendAtRate } from './api-client.ts';

/** The destination and the content of sales. */
export interface Target {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

export interface Figures {
  readonly total: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

const WARM_UP_SECONDS = 2;

/** Sales as fast as some connections allow, or a number of sales per second, evenly distributed and independent of earlier responses. */
export type Load =
  | { readonly connections: number; readonly rate?: undefined }
  | { readonly connections?: undefined; readonly rate: number };

/** Sends sales after a warm-up. @throws Error if any status is not 2xx, because the figure would not be valid. */
export async function measure(target: Target, connections: number, seconds: number): Promise<Figures> {
  await warmUp(target, { connections });
  return shoot(target, { connections }, seconds);
}

export async function warmUp(target: Target, load: Load): Promise<void> {
  await shoot(target, load, WARM_UP_SECONDS);
}

/** Sends sales for some seconds. @throws Error as `measure()`. */
export async function shoot(target: Target, load: Load, duration: number): Promise<Figures> {
  if (load.rate !== undefined) return shootEvenly(target, load.rate, duration);
  const { connections } = load;
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
  const { total } = result.requests;
  return { total, perSecond: total / result.duration, p50: result.latency.p50, p99: result.latency.p99 };
}

async function shootEvenly({ url, headers, body }: Target, rate: number, duration: number): Promise<Figures> {
  const request = {
    url,
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
    hasIdempotencyKey: true,
  } as const;
  const total = rate * duration;
  const startedMs = performance.now();
  const latencies = await sendAtRate(request, rate, (sent) => sent >= total);
  return { total, perSecond: (total * 1_000) / (performance.now() - startedMs), ...latencyOf(latencies) };
}
