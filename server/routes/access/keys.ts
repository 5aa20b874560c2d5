import { Type } from 'typebox';
import { RECOVERY_FILE_NAME } from '#core/records/vault';
import { route, Success } from '#server/http';
import { Maybe, named, ProtectedText, Text, Timestamp } from '#server/schemas';

const shared = { surface: 'admin', tag: 'Keys', scope: 'installation' } as const;
const write = { ...shared, method: 'POST', permission: 'owner:keys' } as const;
const confirms = { level: 'password' } as const;
const OPERATORS_ONLY = 'Only owners of the first account of an installation can call this, with their password in `currentPassword`.';

const KeyStateOut = named(
  'EncryptionKeyState',
  Type.Object({
    keyId: Type.String({ description: 'identifies the master key without revealing anything about it' }),
    since: Timestamp,
    keptIn: Type.Union([Type.Literal('file'), Type.Literal('keychain'), Type.Literal('passphrase'), Type.Literal('memory')]),
    recoveryFileSavedAt: Maybe(Timestamp),
  }),
);

const state = route({
  ...shared,
  method: 'GET',
  path: '/system/keys',
  permission: 'settings:read',
  id: 'admin.keys',
  summary: 'State of the master key',
  description: '`mayChange`: whether the caller may exchange the key and create its recovery file.',
  response: Success(Type.Object({ ...KeyStateOut.properties, mayChange: Type.Boolean() })),
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
  response: Success(
    Type.Object({
      keyId: Type.String(),
      fileName: Type.String(),
      file: Type.String({ description: 'text of the file' }),
      code: Maybe(Type.String()),
    }),
  ),
  run: async ({ core, actor, body }) => ({
    ...(await core.keyManagement.makeRecoveryFile(actor, body.passphrase)),
    fileName: RECOVERY_FILE_NAME,
  }),
});

const recoveryFileSaved = route({
  ...write,
  path: '/system/recovery-file/saved',
  id: 'admin.recoveryFileSaved',
  idempotent: false,
  summary: 'Confirm that the recovery file is saved',
  description:
    'Only owners of the first account of an installation can call this. RESOURCE_CONFLICT if the master key was exchanged since the file was created.',
  body: Type.Object({ keyId: Text(40, 'from the response with the file') }),
  response: Success(KeyStateOut),
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
  response: Success(KeyStateOut),
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
  response: Success(Type.Object({ version: Type.Integer() })),
  errors: ['RESOURCE_CONFLICT'],
  run: ({ core, actor }) => core.keyManagement.renewDataKey(actor),
});

/** Routes for the keys of an installation and of an account. */
export const adminKeys = [state, makeRecoveryFile, recoveryFileSaved, exchangeMasterKey, renewDataKey];
