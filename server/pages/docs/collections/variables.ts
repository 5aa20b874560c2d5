/** Known values of a sandbox, for the variables of a collection; absent ones stay empty. */
export interface CollectionValues {
  readonly baseUrl: string;
  readonly apiKey?: string;
  readonly tenantId?: string;
  readonly merchantId?: string;
  readonly adminEmail?: string;
  readonly adminPassword?: string;
}

/** Values of a response that a request stores, by variable: paths within the JSON body, such as `data[0].transactionId`. */
export type Kept = Readonly<Record<string, string>>;

/** Returns a path of `Kept` as the part of a JavaScript expression that is undefined if a part is missing. */
export const optionalPath = (path: string): string => path.replaceAll(/[.[]/g, (sign) => (sign === '.' ? '?.' : '?.['));

/** Names of the values that the server fills in. */
export const VALUE_NAMES = ['baseUrl', 'apiKey', 'tenantId', 'merchantId', 'adminEmail', 'adminPassword'] as const;

/** A request of the first folder: an operation that finds a record, with its query or body, and the variables that it sets. */
export interface RecordSource {
  readonly operation: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Fields in place of those of the example. */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly kept: Kept;
  /** Variables in place of others, such as those of records that this request alone uses. */
  readonly records?: Readonly<Record<string, string>>;
}

/** Operation whose response contains the access token. */
export const SIGN_IN = 'admin.login';

const ONE = { limit: '1' };

const saleKeptAs = (name: string, body: RecordSource['body'] = {}): RecordSource => ({
  operation: 'public.createTransaction',
  body: { CardNumber: '4111111111111111', ...body },
  kept: { [name]: 'data.transactionId' },
});
const authorizationKeptAs = (name: string): RecordSource => ({
  operation: 'sdk.createTransaction',
  body: { TransactionType: '0' },
  kept: { [name]: 'data.TransactionId' },
});

/**
 * Requests that set the variables of all others to records of the sandbox, in order. A record that the sandbox may not have is created. The first sale is settled,
 * paid out and disputed; the second one can still be refunded.
 */
export const RECORD_SOURCES: readonly RecordSource[] = [
  { operation: SIGN_IN, kept: { accessToken: 'data.token', refreshToken: 'data.refreshToken', userId: 'data.user.userId' } },
  { operation: 'public.createTransaction', body: { Amount: '500.00' }, kept: { transactionId: 'data.transactionId' } },
  { operation: 'admin.settleNow', kept: {} },
  { operation: 'admin.createPayout', kept: { payoutId: 'data.payoutId' } },
  { operation: 'public.createTransaction', body: { Amount: '400.00' }, kept: {} },
  { operation: 'admin.settleNow', kept: {} },
  { operation: 'admin.generateBatchPayout', body: { startDate: '2026-01-01', endDate: '2031-12-31' }, kept: { batchId: 'data.batchId' } },
  { operation: 'public.createDispute', kept: { disputeId: 'data.disputeId' } },
  { operation: 'public.createEvidencePack', kept: { packId: 'data.packId' } },
  { operation: 'public.createTransaction', kept: { transactionId: 'data.transactionId' } },
  { operation: 'public.refundTransaction', kept: { refundId: 'data.refundId' } },
  { operation: 'public.tokenizeCard', kept: { token: 'data.token' } },
  { operation: 'public.createClientToken', kept: { clientToken: 'data.clientToken' } },
  { operation: 'public.createPaymentLink', kept: { payUrl: 'data.url' } },
  { operation: 'public.generateOtp', kept: { otpId: 'data.otpId' } },
  { operation: 'public.createCustomer', kept: { customerId: 'data.customerId' } },
  { operation: 'public.addPaymentMethod', kept: { paymentMethodId: 'data.paymentMethodId' } },
  { operation: 'public.createSubscription', kept: { subscriptionId: 'data.subscriptionId' } },
  { operation: 'public.createInstallmentPlan', kept: { installmentPlanId: 'data.installmentPlanId' } },
  { operation: 'admin.createInvoice', kept: { invoiceId: 'data.invoiceId' } },
  { operation: 'public.createTransaction', body: { CardNumber: '4000000000005126' }, kept: { newTransactionId: 'data.transactionId' } },
  { operation: 'public.refundTransaction', body: { transactionId: '{{newTransactionId}}' }, kept: {} },
  saleKeptAs('newTransactionId', { CardNumber: '4000000000005126' }),
  { operation: 'public.refundTransaction', body: { transactionId: '{{newTransactionId}}' }, kept: {} },
  { operation: 'admin.listRefundQueue', query: { limit: '2' }, kept: { entryId: 'data[0].id', otherEntryId: 'data[1].id' } },
  { operation: 'public.createItem', kept: { itemId: 'data.itemId' } },
  { operation: 'public.createTender', kept: { tenderId: 'data.tenderId' } },
  { operation: 'public.openShift', kept: { shiftId: 'data.shiftId' } },
  { operation: 'public.closeShift', kept: {} },
  { operation: 'public.openShift', kept: { otherShiftId: 'data.shiftId' } },
  { operation: 'public.closeShift', kept: {}, records: { shiftId: 'otherShiftId' } },
  ...['voidedId', 'chargedBackId', 'publicTipId', 'sdkTipId', 'adminTipId'].map((name) => saleKeptAs(name)),
  ...['publicDeclinedId', 'adminDeclinedId'].map((name) => saleKeptAs(name, { CardNumber: '4000000000000002' })),
  ...['sdkCapturedId', 'sdkAdjustedId', 'adminCapturedId', 'adminAdjustedId'].map(authorizationKeptAs),
  ...['otherDisputeId', 'publicConcludedId', 'adminConcludedId'].flatMap((name): RecordSource[] => [
    saleKeptAs('disputedId'),
    { operation: 'public.createDispute', body: { transactionId: '{{disputedId}}' }, kept: { [name]: 'data.disputeId' } },
  ]),
  { operation: 'public.createEvidencePack', kept: { otherPackId: 'data.packId' }, records: { disputeId: 'otherDisputeId' } },
  ...['returnedTenderId', 'refundedTenderId', 'publicReturnedTenderId'].map(
    (name): RecordSource => ({ operation: 'public.createTender', kept: { [name]: 'data.tenderId' } }),
  ),
  { operation: 'admin.createWebhookEndpoint', kept: { endpointId: 'data.id' } },
  { operation: 'public.createWebhookEndpoint', kept: { keyEndpointId: 'data.id' } },
  { operation: 'admin.listEvents', query: { types: 'transaction.approved', ...ONE }, kept: { eventId: 'data[0].id' } },
  { operation: 'admin.sendWebhookEvent', kept: { deliveryId: 'data.id' } },
  { operation: 'public.sendWebhookEvent', kept: { keyDeliveryId: 'data.id' }, records: { endpointId: 'keyEndpointId' } },
  { operation: 'admin.emailReceipt', kept: { messageId: 'data.messageId' } },
  { operation: 'admin.startWebhookCatchUp', kept: {} },
  { operation: 'public.startWebhookCatchUp', kept: {}, records: { endpointId: 'keyEndpointId' } },
  { operation: 'admin.listApiKeys', query: ONE, kept: { keyId: 'data[0].id' } },
  { operation: 'admin.listRoles', query: ONE, kept: { roleId: 'data[0].id' } },
  { operation: 'admin.listSessions', query: ONE, kept: { sessionId: 'data[0].id' } },
  { operation: 'admin.listGateways', kept: { gatewayId: 'data[0].id' } },
  { operation: 'admin.reportBatches', query: ONE, kept: { settlementId: 'data[0].settlementId' } },
  { operation: 'admin.runReconciliation', kept: { runId: 'data.runId' } },
  { operation: 'admin.listBankAccounts', kept: { bankAccountId: 'data[0].bankAccountId' } },
  { operation: 'admin.listBankLines', query: ONE, kept: { lineId: 'data[0].lineId' } },
  { operation: 'admin.createJournalExport', kept: { journalExportId: 'data.journalExportId' } },
  { operation: 'admin.startSandboxRecording', kept: { recordingId: 'data.id' } },
  { operation: 'admin.stopSandboxRecording', kept: {} },
];

/** Requests that remove the records of the first folder that would go on sending: webhook endpoints. */
export const CLEAN_UP: readonly RecordSource[] = [
  { operation: 'admin.deleteWebhookEndpoint', kept: {} },
  { operation: 'public.deleteWebhookEndpoint', kept: {}, records: { endpointId: 'keyEndpointId' } },
];

const SESSION: Kept = { accessToken: 'data.token', refreshToken: 'data.refreshToken' };

/**
 * Values that requests of the other folders store: renewed tokens, and records that they create, so that those in `ON_CREATED` change or remove them in place of
 * records that others need.
 */
export const KEPT: Readonly<Record<string, Kept>> = {
  'admin.login': SESSION,
  'admin.token': SESSION,
  'admin.refresh': SESSION,
  'public.accessToken': SESSION,
  'public.refreshToken': SESSION,
  'public.createTransaction': { newTransactionId: 'data.transactionId' },
  'sdk.createTransaction': { newTransactionId: 'data.TransactionId' },
  'public.chargeToken': { newTransactionId: 'data.transactionId' },
  'public.createDispute': { newDisputeId: 'data.disputeId' },
  'admin.createDispute': { newDisputeId: 'data.disputeId' },
  'admin.createTransaction': { newTransactionId: 'data.transactionId' },
  'public.createCustomer': { newCustomerId: 'data.customerId' },
  'admin.createCustomer': { newCustomerId: 'data.customerId' },
  'public.addPaymentMethod': { newPaymentMethodId: 'data.paymentMethodId' },
  'admin.addPaymentMethod': { newPaymentMethodId: 'data.paymentMethodId' },
  'admin.createSubscription': { newSubscriptionId: 'data.subscriptionId' },
  'public.createInstallmentPlan': { installmentPlanId: 'data.installmentPlanId' },
  'admin.createInstallmentPlan': { installmentPlanId: 'data.installmentPlanId' },
  'admin.createInvoice': { newInvoiceId: 'data.invoiceId' },
  'admin.createUser': { newUserId: 'data.userId' },
  'admin.createRole': { newRoleId: 'data.id' },
  'admin.createApiKey': { newKeyId: 'data.id' },
  'admin.createMerchant': { newMerchantId: 'data.merchantId' },
  'admin.addGateway': { newGatewayId: 'data.id' },
  'admin.createWebhookEndpoint': { newEndpointId: 'data.id' },
  'admin.createWebhookEndpointAlias': { newAliasEndpointId: 'data.id' },
  'public.createWebhookEndpoint': { newKeyEndpointId: 'data.id' },
  'admin.createBankAccount': { newBankAccountId: 'data.bankAccountId' },
  'admin.createBankRule': { ruleId: 'data.ruleId' },
  'public.openShift': { newShiftId: 'data.shiftId' },
  'admin.openShift': { newShiftId: 'data.shiftId' },
  'admin.startSandboxRecording': { newRecordingId: 'data.id' },
};

const CUSTOMER_OPERATIONS = ['public', 'admin'].flatMap((surface) =>
  ['addPaymentMethod', 'setDefaultPaymentMethod', 'removePaymentMethod', 'deleteCustomer'].map((name) => `${surface}.${name}`),
);

/** Requests that change or remove a record that another one created, by the variable of its ID; the record of the first folder stays as others need it. */
const ON_CREATED: Readonly<Record<string, readonly string[]>> = {
  transactionId: ['public.createDispute', 'sdk.voidTransaction', 'admin.voidTransaction'],
  disputeId: ['public.acceptDispute', 'admin.acceptDispute'],
  customerId: CUSTOMER_OPERATIONS,
  paymentMethodId: ['public.removePaymentMethod', 'admin.removePaymentMethod', 'admin.setDefaultPaymentMethod'],
  subscriptionId: ['admin.cancelSubscription', 'admin.deleteSubscription'],
  invoiceId: ['admin.updateInvoice', 'admin.cancelInvoice'],
  userId: ['updateUser', 'inviteUser', 'resetTwoFactor', 'removeUserPin', 'deleteUser', 'setUserPermissions'].map(
    (name) => `admin.${name}`,
  ),
  roleId: ['admin.updateRole', 'admin.deleteRole'],
  keyId: ['admin.updateApiKey', 'admin.revokeApiKey'],
  merchantId: ['admin.deleteMerchant'],
  gatewayId: ['admin.updateGateway', 'admin.removeGateway'],
  endpointId: ['admin.deleteWebhookEndpoint'],
  bankAccountId: ['admin.updateBankAccount', 'admin.deleteBankAccount'],
  shiftId: ['public', 'admin'].flatMap((surface) => ['payIntoShift', 'payOutOfShift', 'closeShift'].map((name) => `${surface}.${name}`)),
  recordingId: ['admin.stopSandboxRecording', 'admin.deleteSandboxRecording'],
};

/** Variables in place of others, for requests that need a record of their own, by the operation. */
const OWN_RECORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'public.voidTransaction': { transactionId: 'voidedId' },
  'public.adjustTip': { transactionId: 'publicTipId' },
  'sdk.adjustTip': { transactionId: 'sdkTipId' },
  'admin.adjustTip': { transactionId: 'adminTipId' },
  'public.rerunTransaction': { transactionId: 'publicDeclinedId' },
  'admin.rerunTransaction': { transactionId: 'adminDeclinedId' },
  'sdk.captureTransaction': { transactionId: 'sdkCapturedId' },
  'sdk.cancelCapture': { transactionId: 'sdkCapturedId' },
  'sdk.adjustAuthorization': { transactionId: 'sdkAdjustedId' },
  'admin.captureTransaction': { transactionId: 'adminCapturedId' },
  'admin.cancelCapture': { transactionId: 'adminCapturedId' },
  'admin.adjustAuthorization': { transactionId: 'adminAdjustedId' },
  'admin.submitDispute': { disputeId: 'otherDisputeId', packId: 'otherPackId' },
  'admin.reopenDispute': { disputeId: 'otherDisputeId' },
  'admin.concludeDispute': { disputeId: 'adminConcludedId' },
  'public.concludeDispute': { disputeId: 'publicConcludedId' },
  'admin.raiseSandboxChargeback': { transactionId: 'chargedBackId' },
  'admin.cancelRefundRetry': { entryId: 'otherEntryId' },
  'admin.explainVariance': { shiftId: 'otherShiftId' },
  'admin.refundTender': { tenderId: 'refundedTenderId' },
  'admin.returnCheck': { tenderId: 'returnedTenderId' },
  'public.returnCheck': { tenderId: 'publicReturnedTenderId' },
  'public.createCardUpdateLink': { customerId: 'newCustomerId' },
  'admin.createCardUpdateLink': { customerId: 'newCustomerId' },
  'admin.deleteWebhookEndpointAlias': { endpointId: 'newAliasEndpointId' },
  'public.deleteWebhookEndpoint': { endpointId: 'newKeyEndpointId' },
};

/** Fields of bodies in place of those of the examples, which repeat a key of the sample items, an amount, or a recipient; undefined ones are left out. */
export const OWN_FIELDS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'admin.createItem': { key: undefined, barcode: undefined },
  'admin.sendInvoice': { email: '{{$guid}}@customer.example' },
  'sdk.adjustAuthorization': { Amount: 60 },
  'admin.adjustAuthorization': { amount: 60 },
  'public.shortenUrlPaymentSms': { phone: '+12075550144' },
  'admin.textReceipt': { phone: '+12075550145' },
};

/** Variables of the Public surface, whose key sees the endpoints of its merchant only. */
const OF_KEY = { endpointId: 'keyEndpointId', deliveryId: 'keyDeliveryId' };

/** Returns a value of a request with other names of variables. */
export function renamed<Value>(value: Value, names: Readonly<Record<string, string>>): Value {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined
    ? value
    : (JSON.parse(text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => `{{${names[name] ?? name}}}`)) as Value);
}

/** Returns a value of a request with its record variables. */
export function withRecords<Value>(operation: string, value: Value): Value {
  const created = Object.keys(ON_CREATED)
    .filter((name) => ON_CREATED[name]?.includes(operation))
    .map((name) => [name, `new${name.charAt(0).toUpperCase()}${name.slice(1)}`]);
  const ofKey = operation.startsWith('public.') ? OF_KEY : {};
  return renamed(withVariables(value), { ...ofKey, ...Object.fromEntries(created), ...OWN_RECORDS[operation] });
}

/** Variables by the prefix of the example IDs of the document. */
const VARIABLES: Readonly<Record<string, string>> = {
  apr: 'approvalId',
  bac: 'bankAccountId',
  bat: 'batchId',
  bkp: 'backupId',
  bln: 'lineId',
  brl: 'ruleId',
  cus: 'customerId',
  dat: 'attachmentId',
  dlv: 'deliveryId',
  dpk: 'packId',
  dsc: 'discrepancyId',
  dsp: 'disputeId',
  evt: 'eventId',
  gw: 'gatewayId',
  inv: 'invoiceId',
  ipl: 'installmentPlanId',
  itm: 'itemId',
  jex: 'journalExportId',
  key: 'keyId',
  mer: 'merchantId',
  msg: 'messageId',
  otp: 'otpId',
  pay: 'payoutId',
  pm: 'paymentMethodId',
  rcd: 'recordingId',
  rdq: 'entryId',
  rec: 'runId',
  ref: 'refundId',
  rol: 'roleId',
  ses: 'sessionId',
  shf: 'shiftId',
  stl: 'settlementId',
  sub: 'subscriptionId',
  tnd: 'tenderId',
  tok: 'token',
  txn: 'transactionId',
  usr: 'userId',
  whe: 'endpointId',
};

/** Names of the variables that requests set. */
export const KEPT_NAMES: readonly string[] = [
  ...new Set([...RECORD_SOURCES.map(({ kept }) => kept), ...Object.values(KEPT)].flatMap((kept) => Object.keys(kept))),
];

/** Variables by the name of their field, for values without the form of an ID. */
const BY_NAME: Readonly<Record<string, string>> = { refreshToken: '{{refreshToken}}', clientToken: '{{clientToken}}' };
/** Example of the address of a payment page. */
const PAY_URL = 'http://127.0.0.1:4801/pay/Zk3v9q';
const RECIPIENT = 'ann@customer.example';
const EXAMPLE_ID = /^([a-z]+)_01m7y495cj0020acfq3xv5ygj8/;

/** Returns a value with each example ID replaced by its variable. */
export function withVariables<Value>(example: Value): Value {
  return filled(example) as Value;
}

function filled(example: unknown): unknown {
  if (Array.isArray(example)) return example.map(filled);
  if (typeof example === 'object' && example !== null)
    return Object.fromEntries(Object.entries(example).map(([name, value]) => [name, BY_NAME[name] ?? filled(value)]));
  if (example === PAY_URL) return '{{payUrl}}';
  // One recipient gets one message in 30 seconds.
  if (example === RECIPIENT) return '{{$guid}}@customer.example';
  const name = typeof example === 'string' ? VARIABLES[EXAMPLE_ID.exec(example)?.[1] ?? ''] : undefined;
  return name === undefined ? example : `{{${name}}}`;
}
