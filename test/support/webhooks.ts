import { createHmac } from 'node:crypto';
import type { EventType } from '#shared/webhook-events';
import { type ApiFixture, expectData } from './server.ts';
import { until } from './until.ts';

export interface EndpointRecord {
  id: string;
  url: string;
  events: string[];
  status: string;
  description: string | null;
  secret: string;
  secretRotatedAt: string | null;
  last24Hours: { attempts: number; succeeded: number; successRate: number | null; p95Ms: number | null; pending: number };
}

export interface DeliveryRecord {
  id: string;
  eventId: string;
  eventType: string;
  resourceId: string;
  test: boolean;
  status: string;
  attemptCount: number;
  responseStatus: number | null;
  error: { kind: string; message: string } | null;
  nextAttemptAt: string | null;
  lastAttemptAt: string | null;
  body: string;
  attempts: {
    attemptNumber: number;
    attemptedAt: string;
    responseStatus: number | null;
    error: { kind: string } | null;
    trigger: string;
    requestHeaders: Record<string, string>;
    responseBody: string | null;
  }[];
}

export interface ClockResult {
  now: string;
  ran: Record<'webhooks' | 'refundRetries' | 'subscriptions' | 'invoices' | 'settlements' | 'expirations', number>;
}

/** The check that a receiver implements: one line over the raw bytes. */
export const hmac = (secret: string, body: string): string => createHmac('sha256', secret).update(body).digest('hex');

export function registerEndpoint({ api }: ApiFixture, url: string, events: string[] = ['*'], merchantId?: string): Promise<EndpointRecord> {
  return expectData(api.admin.post<EndpointRecord>('/webhooks', { url, events, merchantId }), 201);
}

/** Advances the tenant's clock; everything due has run when it returns. */
export function advanceClock({ api }: ApiFixture, seconds: number): Promise<ClockResult> {
  return expectData(api.admin.post<ClockResult>('/sandbox/clock', { advanceSeconds: seconds }));
}

/** Returns the deliveries of an endpoint, oldest first. */
export async function listDeliveries({ api }: ApiFixture, endpoint: EndpointRecord, query = ''): Promise<DeliveryRecord[]> {
  return (await expectData(api.admin.get<DeliveryRecord[]>(`/webhooks/${endpoint.id}/deliveries?limit=200${query}`))).reverse();
}

export function getDelivery({ api }: ApiFixture, endpoint: EndpointRecord, id: string): Promise<DeliveryRecord> {
  return expectData(api.admin.get<DeliveryRecord>(`/webhooks/${endpoint.id}/deliveries/${id}`));
}

/** An event of the event history. */
export interface EventRecord {
  readonly id: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Waits for an event of a type in the event history, and returns the first one that matches. */
export const findEvent = ({ api }: ApiFixture, type: EventType, matches: (event: EventRecord) => boolean) =>
  until(`an event ${type}`, async () => {
    const events = await expectData(api.admin.get<EventRecord[]>(`/webhooks/events?types=${type}&limit=100`));
    return events.find(matches);
  });
