import { expect } from 'vitest';
import { expectData, expectError, onAnyDatabase } from '../../support/server.ts';
import type { EndpointRecord } from '../../support/webhooks.ts';

const ENDPOINTS_MAX = 100;
const AT_ONCE = 20;

onAnyDatabase(
  'endpoints that are registered at once are all made, never more than a hundred; a deleted one makes room',
  async ({ api }) => {
    const make = (n: number) => api.admin.post<EndpointRecord>('/webhooks', { url: `https://shop.example/${n}`, events: ['*'] });
    const first = await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => make(n)));
    for (const answer of first) await expectData(answer, 201);
    for (let n = AT_ONCE; n < ENDPOINTS_MAX - AT_ONCE / 2; n += 1) await expectData(make(n), 201);
    const last = await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => make(ENDPOINTS_MAX + n)));
    const refused = last.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(AT_ONCE / 2);
    for (const answer of refused) await expectError(answer, 400, 'VALIDATION_ERROR');
    const total = async () => (await api.admin.get('/webhooks?limit=1')).body.pagination.total;
    expect(await total()).toBe(ENDPOINTS_MAX);
    await expectData(api.admin.delete(`/webhooks/${first[0]?.body.data.id}`));
    await expectData(make(0), 201);
    expect(await total()).toBe(ENDPOINTS_MAX);
  },
);
