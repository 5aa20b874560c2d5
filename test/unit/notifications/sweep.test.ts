import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestCore, type TestCore } from '../../support/core.ts';

const DAY = 86_400;

let opened: TestCore;
beforeAll(async () => {
  opened = await openTestCore();
});
afterAll(() => opened.close());

const write = (kind: 'notice' | 'code', to: string) => {
  const { core, by } = opened;
  const atMs = core.identity.tenants.clockOf(by.tenantId).now();
  const message = { tenantId: by.tenantId, merchantId: null, channel: 'email', kind, to, atMs } as const;
  return core.database.unitOfWork.run(by.tenantId, async (work) =>
    core.notifications.notify(work, { ...message, body: 'words', ...(kind === 'code' ? { expiresMs: atMs + 600_000 } : {}) }),
  );
};
const kept = async () => {
  const { core, by } = opened;
  const page = await core.notifications.page(by, {}, { page: 1, limit: 200 });
  return page.items.map(({ to, status }) => [to, status]);
};

test('codes that are over go after a day, and everything after 400', async () => {
  const { core, by } = opened;
  await write('notice', 'a@b.example');
  await write('code', 'c@d.example');
  await core.notifications.sweep(by.tenantId);
  expect(await kept()).toEqual([
    ['c@d.example', 'waiting'],
    ['a@b.example', 'waiting'],
  ]);
  await core.sandbox.moveClock(by, { advanceSeconds: 700 });
  await core.notifications.sweep(by.tenantId);
  expect(await kept()).toEqual([
    ['c@d.example', 'expired'],
    ['a@b.example', 'waiting'],
  ]);
  await core.sandbox.moveClock(by, { advanceSeconds: DAY });
  await core.notifications.sweep(by.tenantId);
  expect(await kept()).toEqual([['a@b.example', 'waiting']]);
  await core.sandbox.moveClock(by, { advanceSeconds: 398 * DAY });
  await core.notifications.sweep(by.tenantId);
  expect(await kept()).toHaveLength(1);
  await core.sandbox.moveClock(by, { advanceSeconds: 2 * DAY });
  await core.notifications.sweep(by.tenantId);
  expect(await kept()).toEqual([]);
});
