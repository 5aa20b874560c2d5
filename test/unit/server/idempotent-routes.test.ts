import { expect, test } from 'vitest';
import { allRoutes } from '../../../server/routes/index.ts';
import { LATER_ENDINGS } from '../../support/keyed-operations.ts';

const absent = () => {
  throw new Error('no server is running');
};

/** POST operations of signed-in callers that ignore an Idempotency-Key, by the reason. */
const WITHOUT_KEY: Readonly<Record<string, readonly string[]>> = {
  'computes or checks something and changes nothing': [
    ...[
      'public.quoteSurcharge',
      'admin.quoteSurcharge',
      'sdk.quoteSurcharge',
      'public.previewInstallmentPlan',
      'admin.previewInstallmentPlan',
    ],
    ...['admin.previewSubscription', 'admin.tryFraudSettings', 'admin.tryGatewayRouting', 'admin.checkBackup', 'admin.checkGateway'],
    ...['admin.checkArchive', 'admin.tryReminderSettings', 'admin.tryLateFeeSettings'],
    ...['public.testConnection', 'public.describeToken', 'admin.printReceipt'],
  ],
  'has the same effect if it is repeated': [
    'admin.presentToSandboxTerminal',
    ...['public.orderItems', 'admin.orderItems', 'admin.setSandboxGateway', 'admin.recoveryFileSaved', 'admin.resumeAfterRestore'],
    ...['public.tokenizeCard', 'sdk.tokenizeCard', 'public.createClientToken', 'admin.beginBackup', 'admin.startFailoverRehearsal'],
    ...['admin.beginArchive', 'admin.createHostedPage', 'admin.checkHostedPage', 'admin.closeHostedPage'],
    'admin.noteHostedPage',
  ],
  'removes the stored responses too': ['admin.resetSandbox'],
  'concerns the sign-in of the caller, or a key of the installation': [
    ...['admin.switchPerson', 'admin.enrollAuthenticatorApp', 'admin.confirmAuthenticatorApp', 'admin.renewRecoveryCodes'],
    ...['admin.rotateSigningKey', 'admin.renewDataKey'],
  ],
  'creates or replaces a master key, of which no response is stored': ['admin.makeRecoveryFile', 'admin.exchangeMasterKey'],
  'takes a file, of which a repeated one has no further effect or is a new record': [
    ...[
      'public.addDisputeAttachment',
      'admin.addDisputeAttachment',
      'public.importItems',
      'admin.importItems',
      'public.importGiftCards',
      'admin.importGiftCards',
      'admin.importBankStatement',
    ],
    ...['admin.importCardRanges', 'admin.importSettlements', 'admin.readCustomerImport', 'admin.replaySandboxRecording'],
  ],
  'returns a file': ['admin.downloadCustomerExport', 'admin.exportFundingReport', 'admin.exportData'],
};

/** Operations that claim their key and complete it in the unit of work of their effect. */
const ENDING_AT_ONCE = [
  ...['createInvoice', 'reverseLateFee', 'createPaymentLink', 'createDispute', 'grantDiscount', 'createQueuedPayment'],
  ...['createTender', 'refundTender', 'returnCheck', 'sendCustomerStatement', 'openShift', 'payIntoShift', 'payOutOfShift', 'closeShift'],
  ...['createOrder', 'parkOrder', 'resumeOrder', 'cancelOrder'],
  ...[
    'giveGiftCard',
    'reloadGiftCard',
    'blockGiftCard',
    'unblockGiftCard',
    'extendGiftCard',
    'assignGiftCard',
    'replaceGiftCard',
    'refundToGiftCard',
  ],
  ...['createPayout', 'generateBatchPayout', 'concludeBatchPayout'],
];

/** Operations by these permissions around which the server claims the key: they charge and return no money, or what was due anyway. */
const CLAIMED_BY_SERVER: Readonly<Record<string, readonly string[]>> = {
  'queued-payments:release': ['cancelQueuedPayment', 'replaceQueuedPayment'],
  'refunds:write': ['processRefundRetries', 'retryRefund', 'resolveRefund', 'cancelRefundRetry'],
  'tenders:write': ['openDrawer'],
  'transactions:write': ['inquireUnconfirmedPayment', 'cancelOnTerminal'],
};
const OF_MONEY = new Set([...Object.keys(CLAIMED_BY_SERVER), 'credits:write', 'queued-payments:write', 'tenders:refund', 'shifts:write']);

const routes = allRoutes(
  { dataDir: '', isSetUp: async () => true, examineDatabase: absent, join: absent, setUp: absent, restore: absent },
  absent,
);
const nameOf = (id: string) => id.slice(id.indexOf('.') + 1);

test('every POST of a signed-in caller takes an Idempotency-Key, except those with a reason', () => {
  const ignoring = routes.filter(
    ({ method, surface, keyClaimedBy }) => method === 'POST' && surface !== 'open' && keyClaimedBy === undefined,
  );
  expect(ignoring.map(({ id }) => id).toSorted()).toEqual(Object.values(WITHOUT_KEY).flat().toSorted());
});

test('every operation that claims its key ends in the unit of work of its effect, or is killed at each of its moments by a test', () => {
  const claiming = new Set(routes.filter(({ keyClaimedBy }) => keyClaimedBy === 'operation').map(({ id }) => nameOf(id)));
  expect([...claiming].toSorted()).toEqual([...ENDING_AT_ONCE, ...Object.values(LATER_ENDINGS).flat()].toSorted());
});

test('an operation that moves money claims its key itself', () => {
  const claimed = routes.filter(({ keyClaimedBy, permission }) => keyClaimedBy === 'server' && OF_MONEY.has(permission ?? ''));
  expect([...new Set(claimed.map(({ id }) => nameOf(id)))].toSorted()).toEqual(Object.values(CLAIMED_BY_SERVER).flat().toSorted());
});
