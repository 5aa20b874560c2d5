import { Type } from 'typebox';
import { flag, group } from '#core/platform/fields';
import { CreatedRecoveryFile, KeyState, RenewedDataKey } from '#core/records/vault';
import { route, Success } from '#server/http';
import { ProtectedText, Text } from '#server/schemas';

const shared = { surface: 'admin', tag: 'Keys', scope: 'installation' } as const;
const write = { ...shared, method: 'POST', permission: 'owner:keys' } as const;
const confirms = { level: 'password' } as const;
const OPERATORS_ONLY = 'Only owners of the first account of an installation can call this, with their password in `currentPassword`.';

const state = route({
  ...shared,
  method: 'GET',
  path: '/system/keys',
  permission: 'settings:read',
  id: 'admin.keys',
  summary: 'State of the master key',
  description: '`mayChange`: whether the caller may exchange the key and create its recovery file.',
  response: Success(group('The state', { ...KeyState.properties, mayChange: flag('True if the caller may change it', true) })),
  run: async ({ core, actor }) => ({
    ...(await core.keyManagement.state()),
    mayChange: await core.identity.installationAdmins.is(actor, 'owner:keys'),
  }),
});

const makeRecoveryFile = route({
  ...write,
  path: '/system/recovery-file',
  id: 'admin.makeRecoveryFile',
  idempotent: false,
  summary: 'Create the recovery file of the master key',
  description: `${OPERATORS_ONLY} The file opens with \`passphrase\` or, without one, with a generated code that is shown once.`,
  confirms,
  body: Type.Object({ passphrase: Type.Optional(ProtectedText(1024, '12 or more characters')) }),
  response: Success(CreatedRecoveryFile),
  run: ({ core, actor, body }) => core.keyManagement.makeRecoveryFile(actor, body.passphrase),
});

const recoveryFileSaved = route({
  ...write,
  path: '/system/recovery-file/saved',
  id: 'admin.recoveryFileSaved',
  idempotent: false,
  summary: 'Confirm that the recovery file is saved',
  description:
    'Only owners of the first account of an installation can call this. RESOURCE_CONFLICT if the master key was exchanged since the file was created.',
  body: Type.Object({ keyId: Text(40, 'from the response with the file', '3f9ac1d2e4b57086') }),
  response: Success(KeyState),
  errors: ['RESOURCE_CONFLICT'],
  run: ({ core, actor, body }) => core.keyManagement.recoveryFileSaved(actor, body.keyId),
});

const exchangeMasterKey = route({
  ...write,
  path: '/system/master-key/exchange',
  id: 'admin.exchangeMasterKey',
  idempotent: false,
  summary: 'Exchange the master key',
  description: `${OPERATORS_ONLY} Other work continues in the meantime. Afterwards the old key and its recovery files are useless: create a new recovery file, and copy the new key to other workstations of the same database. RESOURCE_CONFLICT if the new key cannot be stored.`,
  confirms,
  response: Success(KeyState),
  errors: ['RESOURCE_CONFLICT'],
  run: ({ core, actor }) => core.keyManagement.exchangeMasterKey(actor),
});

const renewDataKey = route({
  ...write,
  scope: 'tenant',
  confirms: { level: 'recent' },
  path: '/system/data-key/renew',
  id: 'admin.renewDataKey',
  idempotent: false,
  summary: 'Renew the data key of the account',
  description:
    'Only owners can call this. Cards and accounts are encrypted with the new key from now on, and existing ones are re-encrypted after the response. RESOURCE_CONFLICT within two minutes of another renewal.',
  response: Success(RenewedDataKey),
  errors: ['RESOURCE_CONFLICT'],
  run: ({ core, actor }) => core.keyManagement.renewDataKey(actor),
});

/** Routes for the keys of an installation and of an account. */
export const adminKeys = [state, makeRecoveryFile, recoveryFileSaved, exchangeMasterKey, renewDataKey];
