import { Agent } from 'undici';
import { BlockedTarget, checkedConnector, type ForbiddenTarget, lookupForTenant, type Reach, type Trust } from '#core/platform/outbound';
import { unreachableText } from './reach.ts';

const TIMEOUT_MS = 10_000;
const BODY_READ_MAX = 65_536;

interface HttpRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Response of a provider, or a text if it may not be reached or did not answer. */
type HttpAnswer = { readonly status: number; readonly text: string } | { readonly refused: string } | { readonly failed: string };

/** Sends a POST request to a provider. Never throws: failures are part of the result. */
export type HttpPost = (request: HttpRequest) => Promise<HttpAnswer>;

interface ProviderHttp {
  post(reach: Reach): HttpPost;
  close(): Promise<void>;
}

const CERTIFICATE = /^(CERT_|ERR_TLS_|DEPTH_ZERO_|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE)/;

/** Requests to providers of text messages: ten seconds, no redirects, and only to the address that was checked. */
export function createProviderHttp(trust: Trust, forbidden: () => readonly ForbiddenTarget[]): ProviderHttp {
  // A connection kept open for a tenant that may reach private addresses must never serve one that may not.
  const agents = { public: agentOf(trust, 'public', forbidden), private: agentOf(trust, 'private', forbidden) };
  return {
    post: (reach) => async (request) => {
      const { origin, pathname, host } = new URL(request.url);
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      try {
        const { statusCode, body } = await agents[reach].request({
          origin,
          path: pathname,
          method: 'POST',
          headers: request.headers,
          body: request.body,
          signal,
        });
        return { status: statusCode, text: await startOf(body) };
      } catch (error) {
        if (error instanceof BlockedTarget) return { refused: unreachableText(host, reach) };
        const code = codeOf(error);
        if (CERTIFICATE.test(code)) return { refused: `The certificate of ${host} is not trusted (${code}).` };
        return { failed: signal.aborted ? `${host} did not respond in time.` : `${host} could not be reached.` };
      }
    },
    async close() {
      await Promise.all([agents.public.destroy(), agents.private.destroy()]);
    },
  };
}

function agentOf(trust: Trust, reach: Reach, forbidden: () => readonly ForbiddenTarget[]): Agent {
  const rules = () => ({ reach, forbidden: forbidden(), lookup: lookupForTenant });
  return new Agent({ pipelining: 1, connect: checkedConnector({ trust, timeoutMs: TIMEOUT_MS, rules }) });
}

async function startOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= BODY_READ_MAX) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}

function codeOf(error: unknown): string {
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  if (typeof code === 'string' && code !== 'UND_ERR_SOCKET') return code;
  return cause === undefined ? '' : codeOf(cause);
}
