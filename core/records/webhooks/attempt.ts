import { isoTime } from '#core/kernel';
import type { Dependencies } from './dependencies.ts';
import { type EventBody, renderBody } from './event.ts';
import type { AttemptRow, DeliveryRow, Target, Trigger } from './schema.ts';
import { signedHeaders } from './signature.ts';
import type { SilentReceivers } from './silent-receivers.ts';

/** Maximum number of opened secrets in memory. */
const SECRETS_MAX = 1_000;

export const secretPurpose = (endpointId: string) => `webhook-secret|${endpointId}`;

/** Opens the sealed secrets of endpoints and caches them. */
export class SecretBox {
  readonly #deps: Dependencies;
  readonly #opened = new Map<string, string>();

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Returns the secrets that sign at a time: the current one and, for 24 hours after a rotation, the previous one. */
  async signingSecrets(endpoint: Target, nowMs: number): Promise<readonly [string] | readonly [string, string]> {
    const current = await this.#open(endpoint, endpoint.secret);
    const { previous_secret, previous_until_ms } = endpoint;
    if (previous_secret === null || previous_until_ms === null || nowMs >= previous_until_ms) return [current];
    return [current, await this.#open(endpoint, previous_secret)];
  }

  async #open(endpoint: Target, sealed: string): Promise<string> {
    const cached = this.#opened.get(sealed);
    if (cached !== undefined) return cached;
    const secret = await this.#deps.secrets.open(endpoint.tenant_id, secretPurpose(endpoint.id), sealed);
    if (this.#opened.size >= SECRETS_MAX) this.#opened.clear();
    this.#opened.set(sealed, secret);
    return secret;
  }
}

/** Dependencies of the operations that send events. */
export interface SendingDependencies extends Dependencies {
  readonly secretBox: SecretBox;
}

/** Sends an event once and returns the row of the attempt. Errors of the receiver are recorded and not thrown. `silent` has receivers that are not asked. */
export async function sendAttempt(
  deps: SendingDependencies,
  request: { endpoint: Target; event: EventBody; delivery: DeliveryRow; cause: Trigger },
  silent?: SilentReceivers,
): Promise<AttemptRow> {
  const { endpoint, event, delivery, cause } = request;
  const attemptedMs = deps.clockOf(endpoint.tenant_id).now();
  const body = renderBody(event, delivery.event_type);
  const headers = signedHeaders({
    eventId: event.id,
    eventType: delivery.event_type,
    deliveryId: delivery.id,
    body,
    secrets: await deps.secretBox.signingSecrets(endpoint, attemptedMs),
    tenantTime: isoTime(attemptedMs),
    nowMs: Date.now(),
  });
  const known = silent?.failureOf(endpoint.tenant_id, endpoint.id);
  const response = known
    ? { status: null, error: known, headers: null, body: null, durationMs: 0 }
    : await deps.transport.post({ tenantId: endpoint.tenant_id, url: endpoint.url, headers, body });
  silent?.note(endpoint.tenant_id, endpoint.id, response);
  return {
    tenant_id: endpoint.tenant_id,
    delivery_id: delivery.id,
    n: delivery.attempt_count + 1,
    endpoint_id: endpoint.id,
    cause,
    attempted_ms: attemptedMs,
    duration_ms: Math.round(response.durationMs),
    response_status: response.status,
    error_kind: response.error?.kind ?? null,
    error_message: response.error?.message ?? null,
    request_headers: JSON.stringify(headers),
    response_headers: response.headers === null ? null : JSON.stringify(response.headers),
    response_body: response.body,
  };
}

/** Returns the columns of a delivery that every attempt changes. */
export function attemptColumns(
  attemptRow: AttemptRow,
): Pick<DeliveryRow, 'attempt_count' | 'last_attempt_at' | 'response_status' | 'duration_ms' | 'error_kind' | 'error_message'> {
  const { n, attempted_ms, response_status, duration_ms, error_kind, error_message } = attemptRow;
  return {
    attempt_count: n,
    last_attempt_at: isoTime(attempted_ms),
    response_status,
    duration_ms,
    error_kind,
    error_message,
  };
}
