import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { type PaymentOnReader, pairReader, present, readPayment, saleOn, startSale, untilState } from '../../support/readers.ts';
import { CARDS } from '../../support/sales.ts';
import { describeOnBothDatabases, expectData, expectError } from '../../support/server.ts';
import { inquireNow, listUnconfirmed } from '../../support/unconfirmed-payments.ts';
import { until } from '../../support/until.ts';

describeOnBothDatabases('payments on card readers', (fixture, inFull) => {
  test('a chip sale is pending while the reader waits, and approved with the facts of the card', inFull, async () => {
    const service = fixture();
    const { terminalId, name } = await pairReader(service);
    const pending = await startSale(service, terminalId, 31.5);
    expect(pending).toMatchObject({ status: 'pending', card: null, token: null, channel: 'counter' });
    expect(pending.terminal).toMatchObject({ terminalId, name, state: 'waiting_for_card', entryMode: null });
    await present(service, terminalId, 'chip');
    expect(await readPayment(service, pending.transactionId)).toMatchObject({
      status: 'approved',
      captured: true,
      paymentMethod: 'card',
      channel: 'chip',
      card: { brand: 'visa', last4: '1111' },
      terminal: {
        state: 'approved',
        entryMode: 'chip',
        applicationLabel: 'Visa Credit',
        applicationId: 'A0000000031010',
        verification: 'pin',
      },
    });
  });

  test.each([
    ['chip_signature', 'chip', 'chip', 'signature'],
    ['contactless', 'contactless', 'contactless', 'none'],
    ['phone', 'contactless', 'contactless', 'device'],
    ['swipe', 'swipe', 'swipe', 'signature'],
    ['keyed', 'counter', 'keyed', 'none'],
  ])(
    'a card by %s has the channel %s, the entry mode %s and the verification %s',
    inFull,
    async (action, channel, entryMode, verification) => {
      const service = fixture();
      const { terminalId } = await pairReader(service);
      const { transactionId } = await startSale(service, terminalId);
      await present(service, terminalId, action, CARDS.amex);
      expect(await readPayment(service, transactionId)).toMatchObject({
        status: 'approved',
        channel,
        card: { brand: 'amex' },
        terminal: { entryMode, verification },
      });
    },
  );

  test('an approval that the chip refuses is a decline, because the reader reverses it', inFull, async () => {
    const service = fixture();
    const { terminalId } = await pairReader(service);
    const { transactionId } = await startSale(service, terminalId);
    await present(service, terminalId, 'chip_refuses');
    expect(await readPayment(service, transactionId)).toMatchObject({ status: 'declined', declineCode: 'card_declined', captured: false });
  });

  test('a cancel that the authorization overtakes leaves the payment approved', inFull, async () => {
    const service = fixture();
    const { terminalId } = await pairReader(service);
    const { transactionId } = await startSale(service, terminalId);
    const setMode = (mode: string) => expectData(service.api.admin.post('/sandbox/gateway', { mode }));
    await setMode('slow');
    const presented = present(service, terminalId, 'chip');
    await untilState(service, transactionId, 'processing');
    const canceled = await expectData(service.api.admin.post<PaymentOnReader>(`/transactions/${transactionId}/cancel-terminal`));
    expect(canceled).toMatchObject({ status: 'pending', terminal: { state: 'processing' } });
    await setMode('normal');
    await presented;
    expect(await readPayment(service, transactionId)).toMatchObject({ status: 'approved', terminal: { canceledBy: null } });
  });

  test('ten parallel cancels and ten cards at once leave one outcome, one event and a free reader', async () => {
    const service = fixture();
    const { terminalId } = await pairReader(service);
    const { transactionId } = await startSale(service, terminalId, 26);
    const cancel = () => service.api.admin.post(`/transactions/${transactionId}/cancel-terminal`);
    const card = () => service.api.admin.post(`/sandbox/terminals/${terminalId}/present`, { action: 'chip' });
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? cancel() : card())));
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    const { status, terminal } = await until('the payment has an outcome', async () => {
      const payment = await readPayment(service, transactionId);
      return payment.status !== 'pending' && payment;
    });
    expect([status, terminal.state]).toEqual(terminal.canceledBy === null ? ['approved', 'approved'] : ['failed', 'canceled']);
    const events = await expectData(
      service.api.public.get<{ type: string; data: { transactionId?: string; state?: string } }[]>('/webhooks/events?limit=50'),
    );
    const ends = events.filter(({ data }) => data.transactionId === transactionId && data.state === terminal.state);
    expect(ends.map(({ type }) => type)).toEqual(['terminal.payment_updated']);
    expect(await expectData(service.api.admin.get(`/terminals/${terminalId}`))).toMatchObject({ payment: null });
  });

  test('a declined card is a decline with the code of the issuer', inFull, async () => {
    const service = fixture();
    const { terminalId } = await pairReader(service);
    const { transactionId } = await startSale(service, terminalId);
    await present(service, terminalId, 'chip', CARDS.noFunds);
    const declined = await readPayment(service, transactionId);
    expect(declined).toMatchObject({ status: 'declined', declineCode: 'insufficient_funds', card: { last4: '9995' } });
    expect(declined.terminal).toMatchObject({ state: 'declined', entryMode: 'chip' });
    const error = await expectError(service.api.admin.post(`/transactions/${transactionId}/rerun`), 409, 'RESOURCE_CONFLICT');
    expect(error.details?.reason).toBe('terminal_payment');
  });

  test('a wrong PIN is asked for again, and the third one is declined', inFull, async () => {
    const service = fixture();
    const { terminalId } = await pairReader(service);
    const { transactionId } = await startSale(service, terminalId);
    await present(service, terminalId, 'wrong_pin');
    await present(service, terminalId, 'wrong_pin');
    expect((await readPayment(service, transactionId)).status).toBe('pending');
    await present(service, terminalId, 'wrong_pin');
    expect(await readPayment(service, transactionId)).toMatchObject({ status: 'declined', declineCode: 'restricted_card' });
  });

  test('a card that is removed too early, cannot be read or has a wrong PIN can be presented again', inFull, async () => {
    const service = fixture();
    const { terminalId } = await pairReader(service);
    const { transactionId } = await startSale(service, terminalId);
    expect(await present(service, terminalId, 'remove_card')).toMatchObject({ dialog: { state: 'waiting', note: 'card_removed' } });
    expect(await present(service, terminalId, 'unreadable')).toMatchObject({ dialog: { state: 'waiting', note: 'card_unreadable' } });
    await present(service, terminalId, 'wrong_pin');
    await present(service, terminalId, 'chip');
    expect((await readPayment(service, transactionId)).status).toBe('approved');
  });

  test.each([
    ['cancel', 'customer'],
    ['time_out', 'timeout'],
  ])('the action %s ends the payment without a charge, canceled by %s', inFull, async (action, canceledBy) => {
    const service = fixture();
    const { terminalId } = await pairReader(service);
    const { transactionId } = await startSale(service, terminalId);
    await present(service, terminalId, action);
    const canceled = await readPayment(service, transactionId);
    expect(canceled).toMatchObject({ status: 'failed', captured: false, terminal: { state: 'canceled', canceledBy } });
    await startSale(service, terminalId);
  });

  test('the clerk cancels the dialog on the reader, and the reader is free', inFull, async () => {
    const service = fixture();
    const { terminalId } = await pairReader(service);
    const { transactionId } = await startSale(service, terminalId);
    const canceled = await expectData(service.api.admin.post<PaymentOnReader>(`/transactions/${transactionId}/cancel-terminal`));
    expect(canceled).toMatchObject({ status: 'failed', terminal: { state: 'canceled', canceledBy: 'clerk' } });
    const again = await expectError(service.api.admin.post(`/transactions/${transactionId}/cancel-terminal`), 409, 'RESOURCE_CONFLICT');
    expect(again.details?.reason).toBe('not_on_reader');
    expect(await expectData(service.api.admin.get(`/terminals/${terminalId}`))).toMatchObject({ state: 'online', payment: null });
  });

  test('ten parallel sales on one reader start one, and nine get 409 that names who uses it', async () => {
    const service = fixture();
    const { terminalId } = await pairReader(service);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => service.api.admin.post<PaymentOnReader>('/transactions', saleOn(terminalId))),
    );
    const started = answers.filter(({ status }) => status === 202);
    expect(started).toHaveLength(1);
    const transactionId = started[0]?.body.data.transactionId;
    for (const answer of answers.filter(({ status }) => status !== 202)) {
      const error = await expectError(answer, 409, 'RESOURCE_CONFLICT');
      expect(error.details).toMatchObject({ reason: 'terminal_busy', terminalId, transactionId, usedBy: service.credentials.adminEmail });
    }
    expect(await expectData(service.api.admin.get(`/terminals/${terminalId}`))).toMatchObject({
      state: 'busy',
      payment: { transactionId },
    });
    await expectError(service.api.admin.delete(`/terminals/${terminalId}`), 409, 'RESOURCE_CONFLICT');
    await present(service, terminalId, 'chip');
    expect(await readPayment(service, transactionId ?? '')).toMatchObject({ status: 'approved' });
  });

  test('a request with `wait` answers with the outcome, and its repeat with the same bytes', inFull, async () => {
    const service = fixture();
    const { terminalId } = await pairReader(service);
    const headers = { 'Idempotency-Key': randomUUID() };
    const body = saleOn(terminalId, 12, { wait: 30 });
    const waiting = service.api.admin.post<PaymentOnReader>('/transactions', body, headers);
    await until('the reader waits for the card', async () => {
      const { payment } = await expectData(
        service.api.admin.get<{ payment: { transactionId: string } | null }>(`/terminals/${terminalId}`),
      );
      return payment && (await readPayment(service, payment.transactionId)).terminal?.state === 'waiting_for_card';
    });
    await present(service, terminalId, 'contactless');
    const answer = await waiting;
    expect(await expectData(answer)).toMatchObject({ status: 'approved', channel: 'contactless' });
    expect((await service.api.admin.post('/transactions', body, headers)).text).toBe(answer.text);
  });

  test('a request whose `wait` ends answers 202, and its repeat with the same bytes starts nothing', inFull, async () => {
    const service = fixture();
    const { terminalId } = await pairReader(service);
    const headers = { 'Idempotency-Key': randomUUID() };
    const body = saleOn(terminalId, 12, { wait: 1 });
    const answer = await service.api.admin.post<PaymentOnReader>('/transactions', body, headers);
    expect(await expectData(answer, 202)).toMatchObject({ status: 'pending', terminal: { state: 'waiting_for_card' } });
    await present(service, terminalId, 'chip');
    const repeated = await service.api.admin.post<PaymentOnReader>('/transactions', body, headers);
    expect([repeated.status, repeated.text]).toEqual([202, answer.text]);
  });

  test('the Public and the SDK surface charge on a reader too', inFull, async () => {
    const service = fixture();
    const { terminalId } = await pairReader(service);
    const first = await expectData(
      service.api.public.post<PaymentOnReader>('/transaction', { Amount: '9.00', SuggestedMode: 'Terminal', TerminalId: terminalId }),
      202,
    );
    await present(service, terminalId, 'chip');
    expect((await readPayment(service, first.transactionId)).status).toBe('approved');
    const sdk = await service.api.sdk.post('/transaction', { Amount: '9.00', TransactionType: '0', TerminalId: terminalId });
    expect(sdk.status).toBe(202);
    await present(service, terminalId, 'chip');
    const { TransactionId } = (sdk.body as unknown as { data: { TransactionId: string } }).data;
    expect(await readPayment(service, TransactionId)).toMatchObject({ type: 'auth', status: 'approved', captured: false });
  });

  test('an approval whose answer is lost is unconfirmed, and an inquiry finds it while the reader has no power', inFull, async () => {
    const service = fixture();
    const { terminalId } = await pairReader(service);
    const { transactionId } = await startSale(service, terminalId, 77);
    await present(service, terminalId, 'unplug_after_approval');
    const unconfirmed = await readPayment(service, transactionId);
    expect(unconfirmed).toMatchObject({ status: 'pending', terminal: { state: 'unconfirmed' } });
    const [listed] = (await listUnconfirmed(service, '?amount=77')).data;
    expect(listed?.transactionId).toBe(transactionId);
    await inquireNow(service, listed?.id);
    expect(await readPayment(service, transactionId)).toMatchObject({ status: 'approved', channel: 'chip', card: { last4: '1111' } });
    expect(await expectData(service.api.admin.get(`/terminals/${terminalId}`))).toMatchObject({ state: 'offline' });
    const offline = await expectError(service.api.admin.post('/transactions', saleOn(terminalId)), 409, 'RESOURCE_CONFLICT');
    expect(offline.details?.reason).toBe('terminal_offline');
  });

  test(
    'a reader that loses its power in the dialog leaves the payment unconfirmed until it is back, and nothing is charged',
    inFull,
    async () => {
      const service = fixture();
      const { terminalId } = await pairReader(service);
      const { transactionId } = await startSale(service, terminalId, 78);
      await present(service, terminalId, 'unplug');
      const [listed] = (await listUnconfirmed(service, '?amount=78')).data;
      expect(listed?.transactionId).toBe(transactionId);
      await inquireNow(service, listed?.id);
      expect((await readPayment(service, transactionId)).status).toBe('pending');
      await present(service, terminalId, 'connect');
      await inquireNow(service, listed?.id);
      expect(await readPayment(service, transactionId)).toMatchObject({ status: 'failed', terminal: { state: 'reader_error' } });
    },
  );

  test('a reader that loses its network in the dialog completes the payment after it is back', inFull, async () => {
    const service = fixture();
    const { terminalId } = await pairReader(service);
    const { transactionId } = await startSale(service, terminalId, 79);
    await present(service, terminalId, 'disconnect');
    expect((await readPayment(service, transactionId)).terminal.state).toBe('unconfirmed');
    await present(service, terminalId, 'connect');
    const [listed] = (await listUnconfirmed(service, '?amount=79')).data;
    await inquireNow(service, listed?.id);
    await untilState(service, transactionId, 'waiting_for_card');
    await present(service, terminalId, 'chip');
    expect((await readPayment(service, transactionId)).status).toBe('approved');
  });

  test('a payment on a reader is refunded, and captured after an authorization, without the card', inFull, async () => {
    const service = fixture();
    const { terminalId } = await pairReader(service);
    const sale = await startSale(service, terminalId, 20);
    await present(service, terminalId, 'chip');
    expect(await expectData(service.api.admin.post(`/transactions/${sale.transactionId}/refund`, {}))).toMatchObject({
      status: 'approved',
    });
    const held = await startSale(service, terminalId, 20, { type: 'auth' });
    await present(service, terminalId, 'chip');
    expect(await expectData(service.api.admin.post(`/transactions/${held.transactionId}/capture`))).toMatchObject({ captured: true });
  });

  test('a payment above the limit of the merchant is declined before the reader starts', inFull, async () => {
    const service = fixture();
    const { terminalId } = await pairReader(service);
    const path = `/merchants/${service.credentials.merchantId}/fraud-settings`;
    const { maxAmount } = await expectData(service.api.admin.get<{ maxAmount: number | null }>(path));
    await expectData(service.api.admin.put(path, { maxAmount: 50 }));
    const { body } = await service.api.admin.post<PaymentOnReader>('/transactions', saleOn(terminalId, 51));
    expect(body.data).toMatchObject({ status: 'declined', declineCode: 'exceeds_limit', terminal: { state: 'declined', entryMode: null } });
    await expectData(service.api.admin.put(path, { maxAmount }));
    expect(await expectData(service.api.admin.get(`/terminals/${terminalId}`))).toMatchObject({ state: 'online' });
  });

  test('refuses a card beside the reader, a channel, a surcharge, and a reader without the payment method', inFull, async () => {
    const service = fixture();
    const { terminalId } = await pairReader(service);
    const sell = (more: Record<string, unknown>) => service.api.admin.post('/transactions', { ...saleOn(terminalId), ...more });
    const card = { number: CARDS.visa, expiryMonth: '12', expiryYear: '2031' };
    await expectError(sell({ card }), 400, 'VALIDATION_ERROR', 'card');
    await expectError(sell({ channel: 'phone' }), 400, 'VALIDATION_ERROR', 'channel');
    await expectError(sell({ surchargeAmount: 1 }), 400, 'VALIDATION_ERROR', 'surchargeAmount');
    await expectError(sell({ wait: 61 }), 400, 'VALIDATION_ERROR', 'wait');
    await expectError(sell({ terminalId: undefined }), 400, 'REQUIRED_FIELD_MISSING', 'terminalId');
    await expectError(sell({ paymentMethod: 'card', card }), 400, 'VALIDATION_ERROR', 'terminalId');
    await expectError(sell({ terminalId: 'trm_nothing' }), 404, 'NOT_FOUND', 'terminalId');
  });
});
