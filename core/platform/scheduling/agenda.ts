/** Maximum number of tenants that are checked one by one. For more tenants, one statement over all of them is cheaper. */
export const TENANTS_ALONE_MAX = 8;

/**
 * The next checks of a job: of single tenants, and of all tenants. Most checks concern the tenant of a commit or of a known due time, so that they
 * read the rows of this tenant only. Times are of the monotonic clock, in milliseconds.
 */
export class Agenda {
  readonly #byTenant = new Map<string, number>();
  #allAtMs = 0;
  #nextAtMs = 0;

  /** Time of the next check. */
  get nextAtMs(): number {
    return this.#nextAtMs;
  }

  /** Adds a check of a tenant, or of all tenants for null. An earlier check of the same stays. */
  add(tenantId: string | null, atMs: number): void {
    if (tenantId === null) this.#allAtMs = Math.min(this.#allAtMs, atMs);
    else this.#byTenant.set(tenantId, Math.min(this.#byTenant.get(tenantId) ?? Number.POSITIVE_INFINITY, atMs));
    this.#nextAtMs = Math.min(this.#nextAtMs, atMs);
  }

  /**
   * Removes the checks that are due and returns their tenants, or `all` for a check of all tenants, which includes those of single tenants. The next
   * check of all tenants is then at `allAgainAtMs`.
   */
  take(nowMs: number, allAgainAtMs: number): readonly string[] | 'all' {
    const due = [...this.#byTenant].filter(([, atMs]) => atMs <= nowMs).map(([tenantId]) => tenantId);
    const isAll = this.#allAtMs <= nowMs || due.length > TENANTS_ALONE_MAX;
    if (isAll) {
      this.#byTenant.clear();
      this.#allAtMs = allAgainAtMs;
    } else for (const tenantId of due) this.#byTenant.delete(tenantId);
    this.#nextAtMs = Math.min(this.#allAtMs, ...this.#byTenant.values());
    return isAll ? 'all' : due;
  }
}
