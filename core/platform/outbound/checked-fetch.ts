import { Agent, fetch as undiciFetch } from 'undici';
import { checkedConnector } from './connector.ts';
import { type ForbiddenTarget, lookupAll, type Reach } from './target.ts';
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

export function createCheckedFetch({ trust, forbidden, reachOf }: CheckedFetchOptions): CheckedFetch {
  const agentWith = (reach: Reach) =>
    new Agent({
      connect: checkedConnector({
        trust,
        timeoutMs: CONNECT_TIMEOUT_MS,
        rules: () => ({ reach, forbidden: forbidden(), lookup: lookupAll }),
      }),
      maxResponseSize: RESPONSE_BYTES_MAX,
    });
  const agents = { public: agentWith('public'), private: agentWith('private') };
  return {
    fetchFor: (tenantId) =>
      (async (address: string | URL, init: object) => {
        const { hostname, port, protocol } = new URL(address);
        const reach = reachOf(tenantId, hostname, Number(port || (protocol === 'https:' ? 443 : 80)));
        return undiciFetch(address, { ...init, dispatcher: agents[reach] });
      }) as unknown as typeof fetch,
    async close() {
      await Promise.all([agents.public.destroy(), agents.private.destroy()]);
    },
  };
}
