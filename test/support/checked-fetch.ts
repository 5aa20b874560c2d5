import { differenceFromDocument } from './contract.ts';
import { type ReceivedResponse, setResponseCheck } from './response-check.ts';

const INSTALLED = Symbol.for('paydesk checked fetch');
type Fetch = typeof globalThis.fetch & { [INSTALLED]?: true };

/** Servers of tests that answer like Paydesk lack this header. */
const isFromPaydesk = (headers: Headers) => headers.has('paydesk-version');

/** Compares the response of a Paydesk server with the OpenAPI document. @throws Error at a difference. */
function compare({ method, url, status, headers, text }: ReceivedResponse): void {
  if (!isFromPaydesk(headers)) return;
  const { pathname: path } = new URL(url);
  const difference = differenceFromDocument({ method, path, status, headers, text });
  if (difference !== null) throw new Error(`${method} ${path} differs from the OpenAPI document: ${difference}`);
}

/** Sends a request with `fetch`, and compares its response. */
function checked(send: typeof globalThis.fetch): Fetch {
  return Object.assign(
    async (input: string | URL | Request, init?: RequestInit) => {
      const response = await send(input, init);
      const { headers, status } = response;
      if (!isFromPaydesk(headers)) return response;
      const isJson = headers.get('content-type')?.startsWith('application/json') ?? false;
      const text = isJson ? await response.clone().text() : '';
      const method = (init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase();
      compare({ method, url: input instanceof Request ? input.url : String(input), status, headers, text });
      return response;
    },
    { [INSTALLED]: true as const },
  );
}

setResponseCheck(compare);
// Test files of a worker share its global objects.
if (!(INSTALLED in globalThis.fetch)) globalThis.fetch = checked(globalThis.fetch);
