import { expect, test } from 'vitest';
import { createPerson, setRules } from '../../support/approvals.ts';
import { type GiftCardRecord, getGiftCard, giveGiftCard, redeem } from '../../support/gift-cards.ts';
import { expectData, expectError, type Surface } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';
import { describeWithLedger } from '../reporting/ledger-server.ts';

interface ImportRecord {
  readonly stored: boolean;
  readonly amount: number;
  readonly created: number;
  readonly unchanged: number;
  readonly skipped: number;
  readonly failed: number;
  readonly lines: readonly {
    readonly line: number;
    readonly result: string;
    readonly lastCharacters: string | null;
    readonly reason: string | null;
  }[];
}

const LONG = '1234567890123456789012345';

function importFile(
  as: Surface,
  merchantId: string,
  text: string | Uint8Array<ArrayBuffer>,
  dryRun = false,
  mapping?: Record<string, string>,
) {
  const form = new FormData();
  if (mapping !== undefined) form.set('mapping', JSON.stringify(mapping));
  form.set('merchantId', merchantId);
  form.set('dryRun', String(dryRun));
  form.set('file', new Blob([text], { type: 'text/csv' }), 'cards.csv');
  return as.post<ImportRecord>('/gift-cards/import', form);
}

describeWithLedger('the import of balances', (server) => {
  const fixture = () => server().service;
  const admin = () => fixture().api.admin;
  const FILE = `Card number,Current balance,PIN\n${LONG},25.50,\n98765432,10,4821\n11112222,0.00,1234\n`;

  test('checks a file, stores it once, and posts the liability', async () => {
    const merchantId = await createMerchant(fixture());
    const figures = { amount: 35.5, created: 2, unchanged: 0, skipped: 1, failed: 0 };
    expect(await expectData(importFile(admin(), merchantId, FILE, true))).toMatchObject({ ...figures, stored: false });
    const answers = await Promise.all(Array.from({ length: 10 }, () => importFile(admin(), merchantId, FILE)));
    // The service reads a few files at the same time, and refuses the others with 503.
    const stored = answers.filter(({ status }) => status === 200).map(({ body }) => body.data.created);
    expect(stored.filter((created) => created === 2)).toHaveLength(1);
    expect(stored.filter((created) => created === 0)).toHaveLength(stored.length - 1);
    expect(await expectData(importFile(admin(), merchantId, FILE))).toMatchObject({ created: 0, unchanged: 2, amount: 0 });
    expect(answers.map(({ text }) => text).join()).not.toContain(LONG);
    await expectData(redeem(fixture(), LONG, 25.5, { merchantId }), 201);
    await expectData(redeem(fixture(), '98765432', 4, { merchantId, giftCardPin: '4821' }), 201);
    await expectError(redeem(fixture(), '98765432', 4, { merchantId }), 404, 'NOT_FOUND');
    const [card] = await expectData(admin().get<GiftCardRecord[]>(`/gift-cards?merchantId=${merchantId}&q=5432`));
    expect((await getGiftCard(fixture(), card?.giftCardId ?? '')).entries?.[0]).toMatchObject({ amount: 10, reason: 'Imported balance' });
    expect(await server().differences()).toEqual([]);
    expect(JSON.stringify(await server().runSql('SELECT * FROM gift_cards'))).not.toContain(LONG);
  });

  test('reads usual names in German and Spanish, and the columns that a mapping names, and repeats no line of the file', async () => {
    const merchantId = await createMerchant(fixture());
    const dryRun = async (file: string, mapping?: Record<string, string>) =>
      expectData(importFile(admin(), merchantId, file, true, mapping));
    expect(await dryRun(`Gutscheincode;Restguthaben\n${LONG};12,50\n`)).toMatchObject({ created: 1, amount: 12.5 });
    expect(await dryRun(`Kasse 2\nCódigo;Saldo\n${LONG};12,50\n`)).toMatchObject({ created: 1, amount: 12.5 });
    const own = `Bon;Rest;Wert;Balance\n${LONG};12,50;40,00;1\n`;
    expect((await expectError(importFile(admin(), merchantId, own), 400, 'VALIDATION_ERROR', 'file')).details).toEqual({
      mapping: { balance: 'Balance' },
    });
    const mapping = { code: 'bon', balance: 'Rest' };
    expect(await dryRun(own, mapping)).toMatchObject({ created: 1, amount: 12.5, mapping: { code: 'Bon', balance: 'Rest' } });
    const bare = `${LONG};12,50\n`;
    for (const answer of [importFile(admin(), merchantId, bare, true, mapping), importFile(admin(), merchantId, bare, true)]) {
      const { text, status } = await answer;
      expect(status).toBe(400);
      expect(text).not.toContain(LONG.slice(0, 8));
    }
  });

  test('stores nothing if a line has an error', async () => {
    const merchantId = await createMerchant(fixture());
    const bad = `code;balance\n${LONG};12,50\n${LONG};3,00\n1234567890123456;5,00\nX;1,00\n${LONG}9;abc\n`;
    const result = await expectData(importFile(admin(), merchantId, bad));
    expect(result).toMatchObject({ stored: false, created: 1, failed: 4, amount: 12.5 });
    expect(result.lines.map(({ result: each }) => each)).toEqual(['created', 'error', 'error', 'error', 'error']);
    expect(await expectData(admin().get<unknown[]>(`/gift-cards?merchantId=${merchantId}`))).toEqual([]);
    for (const file of ['', 'name,price\na,1\n', 'code,code,balance\n1,2,3\n', `code,balance\n${`${LONG},1\n`.repeat(2_001)}`])
      await expectError(importFile(admin(), merchantId, file), 400, 'VALIDATION_ERROR');
    await expectError(importFile(admin(), merchantId, new Uint8Array(1_100_000).fill(65)), 413, 'VALIDATION_ERROR');
  });

  test('demands the PIN of a code that is a word with a number, or that counts up', async () => {
    const merchantId = await createMerchant(fixture());
    const [next, counted, after] = ['1234567890123456789012346', 'X7A1B2C3D4E5000017', 'X7A1B2C3D4E5000025'];
    const rows = ['SPRING2026000001,5', '2026000001SPRING,5', 'HAPPYNEWYEARCARD,5', `${LONG},5`, `${next},5`, `${counted},5`, `${after},5`];
    const { lines } = await expectData(importFile(admin(), merchantId, `code,balance\n${rows.join('\n')}\n`, true));
    expect(lines.map(({ result }) => result)).toEqual(['error', 'error', 'error', 'created', 'error', 'created', 'error']);
    expect(lines[6]?.reason).toContain('belongs to another card');
    const withPins = rows.map((row, index) => `${row},48${index}7`);
    expect(await expectData(importFile(admin(), merchantId, `code,balance,pin\n${withPins.join('\n')}\n`, true))).toMatchObject({
      created: rows.length,
      failed: 0,
    });
    await giveGiftCard(fixture(), 5, { merchantId, code: counted });
    expect(await expectData(importFile(admin(), merchantId, `code,balance\n${counted},5\n${after},5\n`))).toMatchObject({
      stored: false,
      unchanged: 1,
      failed: 1,
    });
    const gift = { amount: 5, reason: 'Late delivery', merchantId, code: after };
    const refused = await expectError(admin().post('/gift-cards', gift), 400, 'VALIDATION_ERROR', 'code');
    expect(refused.details).toMatchObject({ reason: 'counted_code' });
    await expectData(admin().post('/gift-cards', { ...gift, pin: '4821' }), 201);
  });

  test('reveals neither PINs nor balances of cards, and needs gift-cards:manage and the rules of gifts', async () => {
    const [merchantId, other] = [await createMerchant(fixture()), await createMerchant(fixture())];
    await giveGiftCard(fixture(), 5, { merchantId, code: '4443332221', pin: '4821' });
    for (const pin of ['4821', '4822'])
      expect(await expectData(importFile(admin(), merchantId, `code,balance,pin\n4443332221,99,${pin}\n`))).toMatchObject({ unchanged: 1 });
    const file = `code,balance\n${LONG},60\n`;
    const cashier = await createPerson(fixture(), 'cashier', merchantId);
    await expectError(importFile(cashier.as, merchantId, file), 403, 'PERMISSION_DENIED');
    const stranger = await createPerson(fixture(), 'manager', other);
    await expectError(importFile(stranger.as, merchantId, file), 403, 'MERCHANT_NOT_AUTHORIZED');
    await setRules(fixture(), { refundAbove: 50, currency: 'USD', approversExempt: false }, merchantId);
    const manager = await createPerson(fixture(), 'manager', merchantId);
    await expectData(importFile(manager.as, merchantId, file, true));
    await expectError(importFile(manager.as, merchantId, file), 403, 'PERMISSION_DENIED');
    await expectData(importFile(manager.as, merchantId, `code,balance\n${LONG}1,40\n`));
    await expectError(importFile(manager.as, merchantId, `code,balance\n9${LONG},11\n`), 403, 'PERMISSION_DENIED');
    expect(await server().differences()).toEqual([]);
  });
});
