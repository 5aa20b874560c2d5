/** Variable that makes a run send every request. */
export const SEND_ALL = 'sendAll';

const admin = (...names: readonly string[]) => names.map((name) => `admin.${name}`);
const both = (...names: readonly string[]) => names.flatMap((name) => [`public.${name}`, `admin.${name}`]);
/** Operations of webhook endpoints, which have two paths on the Admin surface. */
const ofEndpoints = (...names: readonly string[]) => names.flatMap((name) => [`public.${name}`, `admin.${name}`, `admin.${name}Alias`]);

/** Requests that a run of a collection leaves out, by the reason; each can still be sent alone. */
const SKIPPED: Readonly<Record<string, readonly string[]>> = {
  'ends the session or changes how you sign in': admin(
    ...['logout', 'switchPerson', 'changePassword', 'setTwoFactor', 'enrollAuthenticatorApp', 'confirmAuthenticatorApp'],
    ...['renewRecoveryCodes', 'revokeSession'],
  ),
  'changes which later requests the account accepts': admin(
    ...['changePermissions', 'setApprovalRules', 'changeFraudSettings', 'changeVtSettings', 'changeAmountSettings', 'setSandboxTier'],
  ),
  'does not end': ['admin.listenForChanges'],
  'changes the whole account or installation': [
    ...admin('resetSandbox', 'moveSandboxClock', 'setSandboxGateway', 'exchangeMasterKey', 'recoveryFileSaved'),
    ...['setup.setUp', 'setup.checkDatabase', 'setup.join'],
  ],
  'needs a code or a link from a message': [
    ...['public.verifyOtp', 'public.resendOtp'],
    ...admin('verifyOtp', 'resendOtp', 'resetPassword'),
  ],
  'sends a message to a recipient who got one less than 30 seconds ago': admin('createSubscriptionUpdateLink', 'inviteUser'),
  'needs an operation that waits for a second person': [
    ...both('getApproval'),
    ...admin('listApprovers', 'approveOperation', 'rejectOperation'),
  ],
  'needs a payment without an answer of its gateway': admin(
    'inquireUnconfirmedPayment',
    'concludeUnconfirmedPayment',
    'acknowledgeUnconfirmedPayment',
  ),
  'needs a payment that failed': [...both('retryInstallment'), ...admin('retrySubscription', 'retryRefund', 'processRefundRetries')],
  'needs an API key of the whole account': ['public.provisionMerchant'],
  'needs a file, or a key for files': [
    ...both('removeDisputeAttachment'),
    ...admin(
      ...['getCustomerImport', 'listCustomerImportLines', 'downloadCustomerImportReport', 'runCustomerImport', 'stopCustomerImport'],
      ...['discardCustomerImport', 'createCustomerExport', 'downloadCustomerExport', 'destroyTransferKey'],
    ),
  ],
  'needs a statement of a bank': admin('getBankLine', 'matchBankLine', 'undoBankMatch'),
  'needs the setting `chargeLaterMaxAmount`': both(
    ...['createQueuedPayment', 'getQueuedPayment', 'releaseQueuedPayment', 'cancelQueuedPayment', 'replaceQueuedPayment'],
  ),
  'needs something to act on that a new sandbox does not have': admin(
    ...['removeUserPin', 'reopenMerchant', 'checkGateway', 'resolveDiscrepancy', 'generateBatchPayout'],
    ...['beginBackup', 'checkBackup', 'resumeAfterRestore', 'beginArchive', 'checkArchive', 'exportData'],
    ...['startFailoverRehearsal', 'stopFailoverRehearsal'],
  ),
  'depends on how far the deliveries of the endpoint are': ofEndpoints(
    ...['redeliverWebhook', 'redeliverFailedWebhooks', 'startWebhookCatchUp', 'stopWebhookCatchUp'],
  ),
};

/** Returns why a run leaves out an operation, or null if it sends it. */
export const reasonToSkip = (operation: string): string | null =>
  Object.entries(SKIPPED).find(([, operations]) => operations.includes(operation))?.[0] ?? null;
