import { isoTime } from '#core/kernel';
import type { Dependencies } from './dependencies.ts';
import { type EventBody, renderBody } from './event.ts';
import type { AttemptRow, DeliveryRow, Target, Trigger } from './schema.ts';
import { signedHeaders } from './signature.ts';

/** Opened secrets are kept in memory, at most so many. */
const SECRETS_MAX = 1_000;

export const secretPurpose = (endpointId: string) => `webhook-secret|${endpointId}`;

/** Opens the secrets of endpoints, each once. */
export class SecretBox {
  readonly #on: Dependencies;
  readonly #opened = new Map<string, string>();

  constructor(deps: Dependencies) {
    this.#on = deps;
  }

  /** The secrets that sign at a time: the present one, and for a day after a rotation the one before. */
  async of(endpoint: Target, nowMs: number): Promise<readonly [string] | readonly [string, string]> {
    const present = await this.#open(endpoint, endpoint.secret);
    const { previous_secret, previous_until_ms } = endpoint;
    if (previous_secret === null || previous_until_ms === null || nowMs >= previous_until_ms) return [present];
    return [present, await this.#open(endpoint, previous_secret)];
  }

  async #open(endpoint: Target, sealed: string): Promise<string> {
    const known = this.#opened.get(sealed);
    if (known !== undefined) return known;
    const secret = await this.#on.secrets.open(endpoint.tenant_id, secretPurpose(endpoint.id), sealed);
    if (this.#opened.size >= SECRETS_MAX) this.#opened.clear();
    this.#opened.set(sealed, secret);
    return secret;
  }
}

/** Sends an event once and returns the record of the attempt. Never throws for a fault of the receiver. */
export async function attempt(
  deps: Dependencies,
  secrets: SecretBox,
  of: { endpoint: Target; event: EventBody; delivery: DeliveryRow; cause: Trigger },
): Promise<AttemptRow> {
  const { endpoint, event, delivery, cause } = of;
  const attemptedMs = deps.clockOf(endpoint.tenant_id).now();
  const body = renderBody(event, delivery.event_type);
  const headers = signedHeaders({
    eventId: event.id,
    eventType: delivery.event_type,
    deliveryId: delivery.id,
    body,
    secrets: await secrets.of(endpoint, attemptedMs),
    tenantTime: isoTime(attemptedMs),
    nowMs: Date.now(),
  });
  const answer = await deps.transport.post({ tenantId: endpoint.tenant_id, url: endpoint.url, headers, body });
  return {
    tenant_id: endpoint.tenant_id,
    delivery_id: delivery.id,
    n: delivery.attempt_count + 1,
    endpoint_id: endpoint.id,
    cause,
    attempted_ms: attemptedMs,
    duration_ms: Math.round(answer.durationMs),
    response_status: answer.status,
    error_kind: answer.error?.kind ?? null,
    error_message: answer.error?.message ?? null,
    request_headers: JSON.stringify(headers),
    response_headers: answer.headers === null ? null : JSON.stringify(answer.headers),
    response_body: answer.body,
  };
}

/** Returns the columns that every attempt changes on its delivery. */
export function tried(made: AttemptRow) {
  const { n, attempted_ms, response_status, duration_ms, error_kind, error_message } = made;
  return {
    attempt_count: n,
    last_attempt_at: isoTime(attempted_ms),
    response_status,
    duration_ms,
    error_kind,
    error_message,
  };
}
