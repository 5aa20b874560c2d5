import { createHmac } from 'node:crypto';
import { type ApiFixture, expectData } from './server.ts';

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

export interface Ran {
  now: string;
  ran: Record<'webhooks' | 'refundRetries' | 'subscriptions' | 'invoices' | 'settlements' | 'expirations', number>;
}

/** What a receiver writes to check a delivery: one line over the raw bytes. */
export const hmac = (secret: string, body: string): string => createHmac('sha256', secret).update(body).digest('hex');

export function register({ api }: ApiFixture, url: string, events: string[] = ['*']): Promise<EndpointRecord> {
  return expectData(api.admin.post<EndpointRecord>('/webhooks', { url, events }), 201);
}

/** Moves the tenant's clock; everything due has been run when it answers. */
export function advance({ api }: ApiFixture, seconds: number): Promise<Ran> {
  return expectData(api.admin.post<Ran>('/sandbox/clock', { advanceSeconds: seconds }));
}

/** The deliveries of an endpoint, oldest first. */
export async function deliveriesOf({ api }: ApiFixture, endpoint: EndpointRecord, query = ''): Promise<DeliveryRecord[]> {
  return (await expectData(api.admin.get<DeliveryRecord[]>(`/webhooks/${endpoint.id}/deliveries?limit=200${query}`))).reverse();
}

export function delivery({ api }: ApiFixture, endpoint: EndpointRecord, id: string): Promise<DeliveryRecord> {
  return expectData(api.admin.get<DeliveryRecord>(`/webhooks/${endpoint.id}/deliveries/${id}`));
}
