import type { Page, PageRequest } from '#core/database';
import { pageOf } from '#core/database';
import { maskCardNumbers } from '#shared/card-numbers';

/** A request as integrators look it up: what was asked and how it was answered, never what it carried. */
interface LoggedRequest {
  /** The request's id, as in X-Request-Id. */
  readonly id: string;
  readonly at: string;
  readonly surface: string;
  readonly method: string;
  /** Without query; long numbers are masked. */
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  /** The error code, where it was refused. */
  readonly code: string | null;
  /** E-mail address or name of the key; null where the credential was refused. */
  readonly credential: string | null;
  readonly merchantId: string | null;
}

const KEPT_MAX = 500;
const TENANTS_MAX = 1_000;
const LONG_NUMBER = /\d{11,}/g;

/** A path without card numbers and long numbers, also where their spaces are written as %20 or +. */
function maskPath(path: string): string {
  const written = path.replace(/%20|\+/g, ' ');
  const masked = maskCardNumbers(written);
  return (masked === written ? path : masked).replace(LONG_NUMBER, '…');
}

/** The last 500 requests of each tenant, in this process's memory. */
export class RequestLog {
  readonly #byTenant = new Map<string, LoggedRequest[]>();

  add(tenantId: string, request: LoggedRequest): void {
    const kept = this.#byTenant.get(tenantId) ?? [];
    if (kept.length === 0 && this.#byTenant.size >= TENANTS_MAX) return;
    kept.push({ ...request, path: maskPath(request.path) });
    if (kept.length > 2 * KEPT_MAX) kept.splice(0, kept.length - KEPT_MAX);
    this.#byTenant.set(tenantId, kept);
  }

  /** Newest first; of one merchant's credentials where one is named. */
  page(tenantId: string, filter: { readonly merchantId: string | null; readonly failed: boolean }, at: PageRequest): Page<LoggedRequest> {
    const all = (this.#byTenant.get(tenantId) ?? []).slice(-KEPT_MAX).reverse();
    const named = all.filter(
      ({ merchantId, status }) => (filter.merchantId === null || merchantId === filter.merchantId) && (!filter.failed || status >= 400),
    );
    return pageOf(named, at, ({ id }) => id);
  }
}
