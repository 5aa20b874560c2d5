import type { DeliveryError } from './event.ts';

/** Duration of an attempt from which a receiver counts as one that does not answer. */
const SILENT_MS = 1_000;

interface Outcome {
  readonly status: number | null;
  readonly error: DeliveryError | null;
  readonly durationMs: number;
}

/**
 * Receivers that did not answer during a move of a test clock. Each attempt at such a receiver takes seconds, and a move of days contains hundreds, so
 * it is asked once: its other attempts of the move fail as that one did.
 */
export class SilentReceivers {
  readonly #byTenant = new Map<string, Map<string, NonNullable<Outcome['error']>>>();

  /** Begins a move of a tenant's clock. Returns the function that ends it. */
  beginMove(tenantId: string): () => void {
    this.#byTenant.set(tenantId, new Map());
    return () => this.#byTenant.delete(tenantId);
  }

  /** Returns the failure of an endpoint in the present move; undefined if it may be asked. */
  failureOf(tenantId: string, endpointId: string) {
    return this.#byTenant.get(tenantId)?.get(endpointId);
  }

  /** Remembers an endpoint that has not answered. */
  note(tenantId: string, endpointId: string, { error, status, durationMs }: Outcome): void {
    if (error === null || status !== null || durationMs < SILENT_MS) return;
    const message = `${error.message} It was not asked again during this move of the test clock.`;
    this.#byTenant.get(tenantId)?.set(endpointId, { ...error, message });
  }
}
