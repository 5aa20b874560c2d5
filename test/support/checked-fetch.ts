import { differenceFromDocument } from './contract.ts';

const INSTALLED = Symbol.for('paydesk checked fetch');
type Fetch = typeof globalThis.fetch & { [INSTALLED]?: true };

/** Sends a request, and compares the response of a Paydesk server with the OpenAPI document. @throws Error at a difference. */
function checked(send: typeof globalThis.fetch): Fetch {
  return Object.assign(
    async (input: string | URL | Request, init?: RequestInit) => {
      const response = await send(input, init);
      const { headers, status } = response;
      // Servers of tests that answer like Paydesk lack this header.
      if (!headers.has('paydesk-version')) return response;
      const isJson = headers.get('content-type')?.startsWith('application/json') ?? false;
      const text = isJson ? await response.clone().text() : '';
      const { pathname: path } = new URL(input instanceof Request ? input.url : input);
      const method = (init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase();
      const difference = differenceFromDocument({ method, path, status, headers, text });
      if (difference !== null) throw new Error(`${method} ${path} differs from the OpenAPI document: ${difference}`);
      return response;
    },
    { [INSTALLED]: true as const },
  );
}

// Test files of a worker share its global objects.
if (!(INSTALLED in globalThis.fetch)) globalThis.fetch = checked(globalThis.fetch);
