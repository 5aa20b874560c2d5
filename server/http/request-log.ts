import type { Page, PageRequest } from '#core/database';
import { pageOf } from '#core/database';
import { maskCardNumbers } from '#shared/card-numbers';

/** A request in the request log of integrators: its route and result, without its contents. */
export interface LoggedRequest {
  /** The request ID, as in X-Request-Id. */
  readonly id: string;
  readonly at: string;
  readonly surface: string;
  readonly method: string;
  /** Path without the query; long numbers are masked. */
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  /** Error code; null if the request succeeded. */
  readonly code: string | null;
  /** Email address of the user or name of the API key; null if the credential was rejected. */
  readonly credential: string | null;
  readonly merchantId: string | null;
}

const REQUESTS_MAX = 500;
const TENANTS_MAX = 1_000;
const LONG_NUMBER = /\d{11,}/g;

/** Masks card numbers and long numbers of a path, also if their spaces are encoded as %20 or +. */
function maskPath(path: string): string {
  const decoded = path.replace(/%20|\+/g, ' ');
  const masked = maskCardNumbers(decoded);
  return (masked === decoded ? path : masked).replace(LONG_NUMBER, '…');
}

/** Returns the requests of a tenant that other processes of the server keep. */
export type OtherRequests = (tenantId: string) => Promise<readonly LoggedRequest[]>;

/** The last 500 requests of each tenant, in the memory of the processes of the server. */
export class RequestLog {
  readonly #others: OtherRequests | undefined;
  readonly #byTenant = new Map<string, LoggedRequest[]>();

  constructor(others?: OtherRequests) {
    this.#others = others;
  }

  /** Returns the requests of a tenant in this process, oldest first. */
  of(tenantId: string): readonly LoggedRequest[] {
    return (this.#byTenant.get(tenantId) ?? []).slice(-REQUESTS_MAX);
  }

  add(tenantId: string, request: LoggedRequest): void {
    const kept = this.#byTenant.get(tenantId) ?? [];
    if (kept.length === 0 && this.#byTenant.size >= TENANTS_MAX) return;
    kept.push({ ...request, path: maskPath(request.path) });
    if (kept.length > 2 * REQUESTS_MAX) kept.splice(0, kept.length - REQUESTS_MAX);
    this.#byTenant.set(tenantId, kept);
  }

  /** Returns a page of the requests of a tenant, newest first, or of those with credentials of one merchant. */
  async page(
    tenantId: string,
    filter: { readonly merchantId: string | null; readonly failed: boolean },
    at: PageRequest,
  ): Promise<Page<LoggedRequest>> {
    const others = (await this.#others?.(tenantId)) ?? [];
    const known = [...this.of(tenantId), ...others];
    if (others.length > 0) known.sort((left, right) => (left.at < right.at ? -1 : 1));
    const all = known.slice(-REQUESTS_MAX).reverse();
    const matching = all.filter(
      ({ merchantId, status }) => (filter.merchantId === null || merchantId === filter.merchantId) && (!filter.failed || status >= 400),
    );
    return pageOf(matching, at, ({ id }) => id);
  }
}
