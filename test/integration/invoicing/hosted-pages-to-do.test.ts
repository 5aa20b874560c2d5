// Payment pages of processors that wait for a person.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { HostedPage } from '#core/billing/invoicing';
import { HOSTED_PAGES } from '../../../core/billing/invoicing/hosted-page-state/schema.ts';
import { hostedPageActions } from '../../support/hosted-page-actions.ts';
import { type LiveCore, openLiveCore } from '../../support/live-core.ts';
import { ANY_DATABASE } from '../../support/server.ts';

const DAY = 24 * 3_600_000;

describe.each(ANY_DATABASE)('to do of pages of processors (%s)', (kind) => {
  let live: LiveCore;
  let nmi: Awaited<ReturnType<LiveCore['addSimulator']>>;
  beforeAll(async () => {
    live = await openLiveCore(kind);
    nmi = await live.addSimulator('nmi');
    await route('nmi');
  });
  afterAll(() => live.close());

  const { route, pages, check, pay, newPage, payCash } = hostedPageActions(() => live);
  const addTo = ({ processorRef }: HostedPage, amountMinor: number, last4: string) =>
    nmi.ledger.add({ ourReference: processorRef, operation: 'sale', state: 'captured', amountMinor, method: 'card', last4 });
  const reader = () => ({ ...live.actor, permissions: new Set(['invoices:read', 'settlement:write'] as const) });
  const toDo = async (id: string, actor = reader()) =>
    (await live.core.toDo.list(actor, { kind: 'hosted_page' })).items.filter(({ link }) => link === `/invoices/${id}`);
  const actions = async (id: string) => {
    const { items } = await live.core.audit.page(live.actor, { resource: `invoices/${id}` }, { page: 1, limit: 50 });
    return items.map(({ action }) => action);
  };
  const overpaidPage = async (amount: number) => {
    const { id, page } = await newPage(amount);
    nmi.faults([{ do: 'http-500', on: ['query', 'close_invoice'] }]);
    await pay(nmi, page);
    await payCash(id, amount);
    nmi.faults();
    return { id, page: await check(id) };
  };

  test('has an overpaid page until its payment is refunded in full', async () => {
    const { id, page } = await overpaidPage(44);
    expect(await toDo(id)).toMatchObject([
      {
        id: `hosted_page:${page.hostedPageId}`,
        amount: { minor: 4_400 },
        since: page.attentionSince,
        isUrgent: true,
        actions: ['resolve'],
      },
    ]);
    const transactionId = page.transactionId ?? '';
    await live.core.payments.refund(live.actor, { transactionId, amount: 43 });
    expect(await toDo(id)).toHaveLength(1);
    await live.core.payments.refund(live.actor, { transactionId, amount: 1 });
    expect(await toDo(id)).toEqual([]);
  });

  test('has an overpaid page until a person notes it, and none for other merchants', async () => {
    const { id, page } = await overpaidPage(45);
    expect(await toDo(id, { ...reader(), merchantId: 'mer_other' } as never)).toEqual([]);
    await expect(pages().note({ ...live.actor, merchantId: 'mer_other' }, id, page.hostedPageId, 'x')).rejects.toThrow();
    await expect(pages().note(live.actor, id, 'hpg_other', 'x')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await pages().note(live.actor, id, page.hostedPageId, 'Kept as a deposit')).toMatchObject({
      attentionSince: null,
      note: 'Kept as a deposit',
    });
    expect(await toDo(id)).toEqual([]);
    await check(id);
    expect(await toDo(id)).toEqual([]);
    expect(await actions(id)).toEqual(expect.arrayContaining(['invoice.hosted_page_overpaid', 'invoice.hosted_page_noted']));
  });

  test('has a page with payments that are not booked, with one audit entry, and again after another payment', async () => {
    const { id, page } = await newPage(46);
    const add = (last4: string) =>
      nmi.ledger.add({
        ourReference: page.processorRef,
        operation: 'sale',
        state: 'captured',
        amountMinor: 4_601,
        method: 'card',
        last4,
      });
    add('4242');
    await check(id);
    await check(id);
    expect(await toDo(id)).toMatchObject([{ amount: { minor: 4_600 } }]);
    expect((await actions(id)).filter((action) => action === 'invoice.hosted_page_review')).toHaveLength(1);
    await pages().note(live.actor, id, page.hostedPageId, 'The customer was called');
    await check(id);
    expect(await toDo(id)).toEqual([]);
    add('1111');
    await check(id);
    expect(await toDo(id)).toHaveLength(1);
    const { overpayments } = await pages().close(live.actor, id);
    for (const transactionId of overpayments) {
      expect(await toDo(id)).toHaveLength(1);
      await live.core.payments.refund(live.actor, { transactionId });
    }
    expect(await toDo(id)).toEqual([]);
  });

  test('has a page that the processor did not close until a person has closed it there, after which it is not watched for long', async () => {
    const { id, page } = await newPage(47);
    nmi.faults([{ do: 'http-500', on: ['query', 'close_invoice'] }]);
    await pages().close(live.actor, id);
    await pages().close(live.actor, id);
    nmi.faults([{ do: 'http-500', on: ['close_invoice'] }]);
    expect(await toDo(id)).toMatchObject([{ detail: expect.stringContaining('did not close') }]);
    const watchedDays = async () => {
      const row = await live.database.read(live.actor.tenantId).one(HOSTED_PAGES, { id: page.hostedPageId });
      return Math.round(((row?.watch_until_ms ?? 0) - Date.parse(row?.ended_at ?? '')) / DAY);
    };
    expect(await watchedDays()).toBe(366);
    await check(id);
    expect(await toDo(id)).toHaveLength(1);
    expect(await pages().note(live.actor, id, page.hostedPageId, 'Closed at NMI')).toMatchObject({ status: 'closed', problem: null });
    nmi.faults();
    expect([await watchedDays(), await toDo(id)]).toEqual([7, []]);
    // A payment that was made before is found, and a page whose time is over does not prevent a change of the account.
    addTo(page, 4_700, '1111');
    expect(await check(id)).toMatchObject({ status: 'paid' });
  });
});
