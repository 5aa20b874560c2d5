import { afterAll, expect, test } from 'vitest';
import { getGiftCard, giveGiftCard, liabilityOf } from '../../support/gift-cards.ts';
import { expireLeasesOfKilledServers } from '../../support/postgres.ts';
import { startServerProcess } from '../../support/process.ts';
import { createSampleInstallation } from '../../support/sample-data.ts';
import { ANY_DATABASE, type Api, apiOf, expectData, FULL, sized } from '../../support/server.ts';
import { startServer } from '../../support/start-server.ts';
import { until } from '../../support/until.ts';

const CARDS = sized(40, 120);
const DAY_MS = 86_400_000;

const cleanUp: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const undo of cleanUp.reverse()) await undo();
});

const cardsOf = (api: Api, ids: readonly string[]) => Promise.all(ids.map((id) => getGiftCard({ api }, id)));

test.each(ANY_DATABASE)(
  'expires each card exactly once after a kill -9 while cards expire (%s)',
  { timeout: 240_000, ...FULL },
  async (database) => {
    const made = await createSampleInstallation(database);
    cleanUp.push(made.remove);
    const killed = await startServerProcess(made.dataDir, made.url, ['--log-level', 'silent']);
    const before = apiOf(killed.baseUrl, killed.credentials);
    const { merchantId } = await expectData(
      before.admin.post<{ merchantId: string }>('/merchants', { name: 'Killed', timezone: 'UTC' }),
      201,
    );
    await expectData(before.admin.put(`/merchants/${merchantId}/vt-settings`, { giftCardExpiryMonths: 1 }));
    const cards = await Promise.all(Array.from({ length: CARDS }, () => giveGiftCard({ api: before }, 10, { merchantId })));
    const ids = cards.map(({ giftCardId }) => giftCardId);
    const clock = { now: new Date(Date.parse(cards.at(-1)?.expiresOn ?? '') + DAY_MS + 30_000).toISOString() };
    const moving = before.admin.post('/sandbox/clock', clock).catch(() => undefined);
    await until('some cards are expired', async () => {
      // A card past its last day is shown as expired before the job has moved its balance.
      const expired = (await cardsOf(before, ids)).filter(({ balance }) => balance === 0).length;
      return expired > CARDS / 8;
    });
    await killed.kill();
    await moving;
    await expireLeasesOfKilledServers(made.url);
    const server = await startServer({ dataDir: made.dataDir, databaseUrl: made.url, port: 0, demo: true, logLevel: 'silent' });
    cleanUp.push(() => server.close());
    if (!server.credentials) throw new Error('A server with --demo has credentials.');
    const api = apiOf(server.baseUrl, server.credentials);
    await api.admin.post('/sandbox/clock', clock);
    await until('each card is expired', async () => (await cardsOf(api, ids)).every(({ balance }) => balance === 0));
    for (const { balance, expiredAmount, entries } of await cardsOf(api, ids)) {
      expect({ balance, expiredAmount }).toEqual({ balance: 0, expiredAmount: 10 });
      expect(entries?.map(({ kind }) => kind)).toEqual(['given', 'expired']);
    }
    const { merchants } = await expectData(
      api.admin.get<{ merchants: { merchantId: string; accounts: Record<string, number> }[] }>('/settlement/ledger'),
    );
    const accounts = merchants.find((merchant) => merchant.merchantId === merchantId)?.accounts;
    expect(accounts).toMatchObject({ giftCards: 0, giftCardsExpired: -10 * CARDS });
    const { ledger, cards: sum } = await liabilityOf({ api });
    expect(ledger).toBe(sum);
    expect(await expectData(api.admin.get('/audit-logs/verify'))).toMatchObject({ valid: true });
  },
);
