import { Agent, Response, fetch as undiciFetch } from 'undici';
import { checkedConnector } from './connector.ts';
import type { ForbiddenTarget, Reach } from './target.ts';
import { lookupForTenant } from './tenant-lookup.ts';
import type { Trust } from './trust.ts';

interface CheckedFetchOptions {
  readonly trust: Trust;
  readonly forbidden: () => readonly ForbiddenTarget[];
  /** Returns the addresses that a tenant may reach under a host name. */
  readonly reachOf: (tenantId: string, host: string, port: number) => Reach;
}

const CONNECT_TIMEOUT_MS = 5_000;
const RESPONSE_BYTES_MAX = 1_048_576;

/** `fetch` for requests of a tenant to an address that the tenant chose: only checked addresses are reached, and responses are bounded. */
export interface CheckedFetch {
  fetchFor(tenantId: string): typeof fetch;
  close(): Promise<void>;
}

/** Returns the response with its body in memory. The limit of the agent counts compressed bytes, and a megabyte of them can contain gigabytes. */
async function withinLimit(response: Response): Promise<Response> {
  if (response.body === null) return response;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > RESPONSE_BYTES_MAX) throw new TypeError('The response exceeds the supported size.');
    chunks.push(chunk);
  }
  const { status, statusText, headers } = response;
  return new Response(Buffer.concat(chunks), { status, statusText, headers });
}

export function createCheckedFetch({ trust, forbidden, reachOf }: CheckedFetchOptions): CheckedFetch {
  const agentWith = (reach: Reach) =>
    new Agent({
      connect: checkedConnector({
        trust,
        timeoutMs: CONNECT_TIMEOUT_MS,
        rules: () => ({ reach, forbidden: forbidden(), lookup: lookupForTenant }),
      }),
      maxResponseSize: RESPONSE_BYTES_MAX,
    });
  const agents = { public: agentWith('public'), private: agentWith('private') };
  return {
    fetchFor: (tenantId) =>
      (async (address: string | URL, init: object) => {
        const { hostname, port, protocol } = new URL(address);
        const reach = reachOf(tenantId, hostname, Number(port || (protocol === 'https:' ? 443 : 80)));
        return withinLimit(await undiciFetch(address, { ...init, dispatcher: agents[reach] }));
      }) as unknown as typeof fetch,
    async close() {
      await Promise.all([agents.public.destroy(), agents.private.destroy()]);
    },
  };
}
