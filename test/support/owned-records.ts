import { sendStatement } from './bank.ts';
import { ofx } from './bank-files.ts';
import { STRIPE_HEADER, stripeRow } from './customer-file.ts';
import { sendCustomers } from './customer-transfer.ts';
import { createCustomer, createCustomerWithCard, storeCard, subscribe } from './customers.ts';
import { pairReader, present } from './readers.ts';
import { CARDS, cardBody, createSale, type TransactionRecord } from './sales.ts';
import { type ApiFixture, expectData } from './server.ts';
import { concludeUnconfirmed, createUnconfirmedPayment } from './unconfirmed-payments.ts';
import { createUser } from './users.ts';
import { registerEndpoint } from './webhooks.ts';

/** A picture of one pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let made = 0;
/** Returns a name that no other call of this process got. */
export function unique(name: string): string {
  made += 1;
  return `${name} ${made}`;
}

/** Creates a record of each kind in the demo account. Returns their IDs, by the names that routes use. */
export async function createOwnedRecords(fixture: ApiFixture) {
  const { admin } = fixture.api;
  const { id: endpointId } = await registerEndpoint(fixture, 'https://nowhere.invalid/', ['*'], fixture.credentials.merchantId);
  const { transactionId, token } = await createSale(fixture, 40);
  const refund = await expectData(admin.post<{ refundId: string }>(`/transactions/${transactionId}/refund`, { amount: 5 }));
  const owing = await expectData(admin.post<TransactionRecord>('/transactions', cardBody(41, CARDS.refundDeclined)));
  await admin.post(`/transactions/${owing.transactionId}/refund`);
  const [entry] = await expectData(admin.get<{ id: string }[]>('/refund-decline-queue'));
  const { merchantId } = fixture.credentials;
  const gateway = await expectData(
    admin.post<{ id: string }>(`/merchants/${merchantId}/gateways`, { type: 'sandbox', name: unique('gw') }),
    201,
  );
  const user = await createUser(fixture, 'cashier', { permissions: ['transactions', 'credits'] });
  const role = await expectData(admin.post<{ id: string }>('/roles', { name: unique('role'), permissions: ['transactions'] }), 201);
  const key = await expectData(
    admin.post<{ id: string }>('/api-keys', {
      name: 'k',
      scope: 'merchant',
      merchantId,
      currentPassword: fixture.credentials.adminPassword,
    }),
    201,
  );
  const [session] = await expectData(admin.get<{ id: string }[]>(`/user-sessions?userId=${user.userId}`));
  const [delivery] = await expectData(admin.get<{ id: string }[]>(`/webhooks/${endpointId}/deliveries`));
  const { customerId, defaultPaymentMethodId } = await createCustomerWithCard(fixture);
  const { subscriptionId } = await subscribe(fixture, customerId);
  const { invoiceId } = await expectData(admin.post<{ invoiceId: string }>('/invoices', { customerId, amount: 42 }), 201);
  const receipt = { transactionId, email: 'payer@example.com' };
  const { messageId } = await expectData(admin.post<{ messageId: string }>('/notifications/receipt/email', receipt));
  const code = { type: 'email', destination: 'payer@example.com' };
  const { otpId } = await expectData(fixture.api.public.post<{ otpId: string }>('/otp/generate', code));
  // An amount that the report of the sandbox omits.
  await createSale(fixture, '44.13');
  const [settlement] = await expectData(
    admin.post<{ settlementId: string; settlementDate: string }[]>('/settlement/settle', { merchantId }),
  );
  const { settlementId = '', settlementDate: date = '' } = settlement ?? {};
  const run = await expectData(admin.post<{ runId: string; discrepancies: { id: string }[] }>('/settlement/reconciliation/auto', { date }));
  const { payoutId } = await expectData(admin.post<{ payoutId: string }>('/settlement/payout', { merchantId, amount: 1 }));
  await createSale(fixture, '21.00');
  await expectData(admin.post('/settlement/settle', { merchantId }));
  const { id: unconfirmedPaymentId } = await createUnconfirmedPayment(fixture);
  await concludeUnconfirmed(fixture);
  const period = { merchantId, startDate: date, endDate: date };
  const { batchId } = await expectData(admin.post<{ batchId: string }>('/settlement/batch-payouts/generate', period));
  const disputed = await createSale(fixture, 46);
  const { disputeId } = await expectData(admin.post<{ disputeId: string }>('/disputes', { transactionId: disputed.transactionId }), 201);
  const { packId } = await expectData(admin.post<{ packId: string }>(`/disputes/${disputeId}/evidence`, {}), 201);
  const document = new FormData();
  document.set('item', 'delivery');
  document.set('file', new Blob([new Uint8Array(PNG)]), 'slip.png');
  const { attachmentId } = await expectData(admin.post<{ attachmentId: string }>(`/disputes/${disputeId}/attachments`, document), 201);
  const { linkId } = await expectData(admin.post<{ linkId: string }>(`/customers/${customerId}/page-links`, {}), 201);
  const [event] = await expectData(admin.get<{ id: string }[]>(`/webhooks/events?types=transaction.approved&limit=1`));
  const account = { merchantId, name: 'Checking', accountNumber: unique('DE98765432').replaceAll(' ', '') };
  const { bankAccountId } = await expectData(admin.post<{ bankAccountId: string }>('/settlement/bank-accounts', account), 201);
  const lines = [{ day: date, minor: 1_200, text: 'ACME', reference: 'acme-1' }];
  const statement = ofx({ account: account.accountNumber, opening: 0, lines });
  await expectData(sendStatement(fixture, { merchantId, bankAccountId }, statement));
  const [line] = await expectData(admin.get<{ lineId: string }[]>(`/settlement/bank-lines?merchantId=${merchantId}&limit=1`));
  const rule = { merchantId, contains: unique('ACME FEE'), kind: 'fee' };
  const { ruleId } = await expectData(admin.post<{ ruleId: string }>('/settlement/bank-rules', rule), 201);
  const { id: recordingId } = await expectData(admin.post<{ id: string }>('/sandbox/recordings', { name: unique('recording') }), 201);
  await expectData(admin.post(`/sandbox/recordings/${recordingId}/stop`));
  const { tenderId } = await expectData(admin.post<{ tenderId: string }>('/tenders', { kind: 'cash', amount: 5 }), 201);
  const { orderId } = await expectData(admin.post<{ orderId: string }>('/orders', { amount: 5 }), 201);
  const { giftCardId } = await expectData(admin.post<{ giftCardId: string }>('/gift-cards', { amount: 5, reason: 'Opening' }), 201);
  const payer = await createCustomer(fixture);
  await storeCard(fixture, payer.customerId, CARDS.visa, { consentText: 'Charge it later.' });
  await expectData(admin.put(`/merchants/${payer.merchantId}/vt-settings`, { chargeLaterMaxAmount: 50 }));
  const queued = admin.post<{ queuedPaymentId: string }>('/queued-payments', { customerId: payer.customerId, amount: 5 });
  const { queuedPaymentId } = await expectData(queued, 201);
  const planInput = { invoice: { customerId: payer.customerId, amount: 20 }, count: 2, interval: 'monthly' };
  const { installmentPlanId } = await expectData(admin.post<{ installmentPlanId: string }>('/installment-plans', planInput), 201);
  const { itemId } = await expectData(admin.post<{ itemId: string }>('/items', { name: unique('item'), price: 5 }), 201);
  const { terminalId } = await pairReader(fixture);
  const toSave = { terminalId, consentText: 'Store it.' };
  const saving = admin.post<{ cardSaveId: string }>(`/customers/${payer.customerId}/card-saves`, toSave);
  const { cardSaveId } = await expectData(saving, 202);
  await present(fixture, terminalId, 'cancel');
  const drawer = unique('drawer');
  const { shiftId } = await expectData(admin.post<{ shiftId: string }>('/shifts/open', { drawer, amount: 0 }), 201);
  const rules = (change: object) =>
    expectData(admin.put(`/approvals/rules?merchantId=${merchantId}`, { ...change, currentPassword: fixture.credentials.adminPassword }));
  await rules({ unlinkedCredit: true });
  const credit = admin.post<{ approvalId: string }>(`/transactions/${transactionId}/credit`, { amount: 5 }, user.headers);
  const { approvalId } = await expectData(credit, 202);
  await rules({ inherited: true });
  const { importId } = await expectData(sendCustomers(fixture, `${STRIPE_HEADER}\n${stripeRow(1)}`, merchantId), 201);
  const transferKey = await expectData(
    admin.post<{ transferKeyId: string; publicKey: string }>('/customers/transfer-keys', { name: 'Old' }),
    201,
  );
  const { transferKeyId, publicKey } = transferKey;
  const exported = { publicKey, layout: 'paydesk', merchantId, currentPassword: fixture.credentials.adminPassword };
  const { exportId } = await expectData(admin.post<{ exportId: string }>('/customers/exports', exported), 201);
  const { journalExportId } = await expectData(admin.post<{ journalExportId: string }>('/reporting/journal/exports', period), 201);
  return {
    importId,
    exportId,
    journalExportId,
    transferKeyId,
    tenderId,
    orderId,
    giftCardId,
    queuedPaymentId,
    installmentPlanId,
    itemId,
    shiftId,
    terminalId,
    cardSaveId,
    approvalId,
    recordingId,
    eventId: event?.id ?? '',
    bankAccountId,
    lineId: line?.lineId ?? '',
    ruleId,
    disputeId,
    packId,
    attachmentId,
    settlementId,
    batchId,
    payoutId,
    unconfirmedPaymentId,
    runId: run.runId,
    discrepancyId: run.discrepancies[0]?.id ?? '',
    customerId,
    paymentMethodId: defaultPaymentMethodId ?? '',
    subscriptionId,
    invoiceId,
    // A fee of its own needs a later clock. Routes check its invoice first.
    lateFeeId: `lfe_${invoiceId.slice(4)}`,
    hostedPageId: `hpg_${invoiceId.slice(4)}`,
    messageId,
    otpId,
    transactionId,
    token,
    refundId: refund.refundId,
    merchantId,
    gatewayId: gateway.id,
    userId: user.userId,
    roleId: role.id,
    keyId: key.id,
    sessionId: session?.id ?? '',
    endpointId,
    deliveryId: delivery?.id ?? '',
    entryId: entry?.id ?? '',
    linkId,
  };
}

/** IDs of one record of each kind. */
export type OwnedRecords = Awaited<ReturnType<typeof createOwnedRecords>>;

/** Returns the ID for a parameter of a route. @throws Error if `createOwnedRecords` makes no such record. */
export function idOf(ownedRecords: OwnedRecords, path: string, name: string): string {
  if (/^token$/i.test(name)) return ownedRecords.token;
  if (name === 'gwId') return ownedRecords.gatewayId;
  if (name === 'pmId') return ownedRecords.paymentMethodId;
  if (name === 'linkId' || name === 'lateFeeId' || name === 'hostedPageId') return ownedRecords[name];
  if (path.includes('/customers/imports/')) return ownedRecords.importId;
  if (path.includes('/customers/exports/')) return ownedRecords.exportId;
  if (path.includes('/customers/transfer-keys/')) return ownedRecords.transferKeyId;
  if (/^customerId$/i.test(name) || (name === 'id' && path.includes('/customer'))) return ownedRecords.customerId;
  if (name === 'id' && path.includes('/recurring/')) return ownedRecords.subscriptionId;
  if (name === 'userId' || name === 'merchantId' || name === 'otpId') return ownedRecords[name];
  if (name === 'batchId' || name === 'payoutId' || name === 'runId' || name === 'journalExportId') return ownedRecords[name];
  if (name === 'packId' || name === 'attachmentId' || name === 'disputeId' || name === 'lineId' || name === 'ruleId')
    return ownedRecords[name];
  if (name === 'bankAccountId') return ownedRecords.bankAccountId;
  if (name === 'itemId' || (name === 'id' && path.includes('/items/'))) return ownedRecords.itemId;
  if (name === 'tenderId' || name === 'shiftId') return ownedRecords[name];
  if (name === 'id' && path.includes('/installment-plans/')) return ownedRecords.installmentPlanId;
  if (name === 'id' && path.includes('/queued-payments/')) return ownedRecords.queuedPaymentId;
  if (name === 'id' && path.includes('/tenders/')) return ownedRecords.tenderId;
  if (name === 'id' && path.includes('/orders/')) return ownedRecords.orderId;
  if (name === 'id' && path.includes('/gift-cards/')) return ownedRecords.giftCardId;
  if (name === 'id' && path.includes('/shifts/')) return ownedRecords.shiftId;
  if (name === 'id' && path.includes('/card-saves/')) return ownedRecords.cardSaveId;
  if (name === 'id' && path.includes('/terminals/')) return ownedRecords.terminalId;
  if (name === 'id' && path.includes('/recordings/')) return ownedRecords.recordingId;
  if (name === 'id' && path.includes('/webhooks/events/')) return ownedRecords.eventId;
  if (name === 'id' && path.includes('/approvals/')) return ownedRecords.approvalId;
  if (name === 'id' && path.includes('/disputes/')) return ownedRecords.disputeId;
  if (name === 'id' && path.includes('/settlements/')) return ownedRecords.settlementId;
  if (name === 'id' && path.includes('/discrepancies/')) return ownedRecords.discrepancyId;
  const [, area = ''] = /\/api\/v1\/([a-z-]+)/.exec(path) ?? [];
  const ofArea: Record<string, string> = {
    merchants: ownedRecords.merchantId,
    users: ownedRecords.userId,
    roles: ownedRecords.roleId,
    'api-keys': ownedRecords.keyId,
    'user-sessions': ownedRecords.sessionId,
    invoices: ownedRecords.invoiceId,
    notifications: ownedRecords.messageId,
    'unconfirmed-payments': ownedRecords.unconfirmedPaymentId,
  };
  if (name === 'id' && ofArea[area] !== undefined) return ofArea[area];
  if (path.includes('/webhooks') && name === 'id') return ownedRecords.endpointId;
  if (name === 'deliveryId' || name === 'entryId' || name === 'eventId') return ownedRecords[name];
  if (/^refundId$/i.test(name)) return ownedRecords.refundId;
  if (/^transactionId$/i.test(name) || (name === 'id' && /\/transactions?\//.test(path))) return ownedRecords.transactionId;
  throw new Error(`No record is made for \`${name}\` of ${path}: add one to \`owned\`.`);
}
