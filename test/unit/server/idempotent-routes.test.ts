import { expect, test } from 'vitest';
import { allRoutes } from '../../../server/routes.ts';

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
    'admin.checkArchive',
    ...['public.testConnection', 'public.describeToken', 'admin.printReceipt'],
  ],
  'has the same effect if it is repeated': [
    ...['public.orderItems', 'admin.orderItems', 'admin.setSandboxGateway', 'admin.recoveryFileSaved', 'admin.resumeAfterRestore'],
    ...['public.tokenizeCard', 'sdk.tokenizeCard', 'public.createClientToken', 'admin.beginBackup', 'admin.startFailoverRehearsal'],
    'admin.beginArchive',
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
      'admin.importBankStatement',
    ],
    ...['admin.importCardRanges', 'admin.importSettlements', 'admin.readCustomerImport', 'admin.replaySandboxRecording'],
  ],
  'returns a file': ['admin.downloadCustomerExport', 'admin.exportFundingReport', 'admin.exportData'],
};

test('every POST of a signed-in caller takes an Idempotency-Key, except those with a reason', () => {
  const routes = allRoutes(
    { dataDir: '', isSetUp: async () => true, examineDatabase: absent, join: absent, setUp: absent, restore: absent },
    absent,
  );
  const ignoring = routes.filter(
    ({ method, surface, keyClaimedBy }) => method === 'POST' && surface !== 'open' && keyClaimedBy === undefined,
  );
  expect(ignoring.map(({ id }) => id).toSorted()).toEqual(Object.values(WITHOUT_KEY).flat().toSorted());
});
