import autocannon from 'autocannon';

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

/** Connections and speed of a load. */
export interface Load {
  readonly connections: number;
  /** Sales per second of all connections together; as fast as the connections allow by default. */
  readonly rate?: number;
}

/** Sends sales after a warm-up. @throws Error if any status is not 2xx, because the figure would not be valid. */
export async function measure(target: Target, connections: number, seconds: number): Promise<Figures> {
  await warmUp(target, { connections });
  return shoot(target, { connections }, seconds);
}

export async function warmUp(target: Target, load: Load): Promise<void> {
  await shoot(target, load, WARM_UP_SECONDS);
}

/** Sends sales for some seconds. @throws Error as `measure()`. */
export async function shoot(target: Target, { connections, rate }: Load, duration: number): Promise<Figures> {
  let serial = 0;
  const prefix = `b${process.pid}-${Math.random().toString(36).slice(2)}-`;
  const result = await autocannon({
    url: target.url,
    connections,
    duration,
    ...(rate === undefined ? {} : { overallRate: rate }),
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
