import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';
import { type Service, sessionOf } from './session.ts';

/** Parts of an order that tests of sales in several payments compare. */
export interface Order {
  readonly orderId: string;
  readonly status: string;
  readonly paidAmount: number;
  readonly payments: readonly { readonly kind: string; readonly shareAmount: number; readonly lines: readonly unknown[] }[];
}

/** Returns what the service answers to a read, or to a write if there is a body. */
export async function read<Data>(page: Page, service: Service, path: string, data?: Record<string, unknown>): Promise<Data> {
  const { token, user } = await sessionOf(service);
  const headers = { authorization: `Bearer ${token}`, 'x-tenant-id': user.tenantId };
  const response = await page.request.fetch(`/api/v1${path}`, { headers, ...(data && { method: 'POST', data }) });
  expect(response.ok(), await response.text()).toBe(true);
  return ((await response.json()) as { data: Data }).data;
}
