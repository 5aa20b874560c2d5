/** Variable that makes a run send every request. */
export const SEND_ALL = 'sendAll';

/** Requests that a run of a collection leaves out, by the reason; each can still be sent alone. */
const SKIPPED: Readonly<Record<string, readonly string[]>> = {
  'ends the session or changes how you sign in': [
    ...['logout', 'switchPerson', 'changePassword', 'setTwoFactor', 'enrollAuthenticatorApp', 'confirmAuthenticatorApp'],
    ...['renewRecoveryCodes', 'revokeSession'],
  ].map((name) => `admin.${name}`),
  'changes which later requests the account accepts': [
    ...['changePermissions', 'setApprovalRules', 'changeFraudSettings', 'changeVtSettings', 'changeAmountSettings'],
  ].map((name) => `admin.${name}`),
  'does not end': ['admin.listenForChanges'],
  'changes the whole account or installation': [
    ...['resetSandbox', 'moveSandboxClock', 'setSandboxGateway', 'exchangeMasterKey'].map((name) => `admin.${name}`),
    ...['setUp', 'checkDatabase', 'join'].map((name) => `setup.${name}`),
  ],
};

/** Returns why a run leaves out an operation, or null if it sends it. */
export const reasonToSkip = (operation: string): string | null =>
  Object.entries(SKIPPED).find(([, operations]) => operations.includes(operation))?.[0] ?? null;
