import { Type } from 'typebox';
import { RECOVERY_FILE_NAME } from '#core/vault';
import { route, success } from '#server/http';
import { Maybe, named, ProtectedText, Success, Text, Timestamp } from '#server/schemas';

const shared = { surface: 'admin', tag: 'Keys', scope: 'installation' } as const;
const write = { ...shared, method: 'POST', permission: 'owner:keys' } as const;
const confirms = { field: 'password', on: 'every-account' } as const;
const OPERATORS_ONLY = 'Only owners of the first account of an installation can call this, with their password in `password`.';

const KeyStateOut = named(
  'EncryptionKeyState',
  Type.Object({
    keyId: Type.String({ description: 'by which the master key is recognised; nothing of it follows from it' }),
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
  summary: 'How the master key is kept',
  description: '`mayChange` says whether the caller may exchange it and make its recovery file.',
  answer: Success(Type.Object({ ...KeyStateOut.properties, mayChange: Type.Boolean() })),
  run: async ({ core, actor }) => ({
    ...(await core.custody.state()),
    mayChange: await core.identity.operators.is(actor, 'owner:keys'),
  }),
  show: success,
});

const makeRecoveryFile = route({
  ...write,
  path: '/system/recovery-file',
  id: 'admin.makeRecoveryFile',
  summary: 'Make the recovery file of the master key',
  description: `${OPERATORS_ONLY} The file opens by \`passphrase\`, or, where none is sent, by a code that is made for it and told once.`,
  confirms,
  body: Type.Object({ passphrase: Type.Optional(ProtectedText(1024, '12 or more characters')) }),
  answer: Success(
    Type.Object({
      keyId: Type.String(),
      fileName: Type.String(),
      file: Type.String({ description: 'text of the file' }),
      code: Maybe(Type.String()),
    }),
  ),
  run: async ({ core, actor, body }) => ({
    ...(await core.custody.makeRecoveryFile(actor, body.passphrase)),
    fileName: RECOVERY_FILE_NAME,
  }),
  show: success,
});

const recoveryFileSaved = route({
  ...write,
  path: '/system/recovery-file/saved',
  id: 'admin.recoveryFileSaved',
  summary: 'Say that the recovery file is kept',
  description:
    'Only owners of the first account of an installation can call this. RESOURCE_CONFLICT when the master key was exchanged since the file was made.',
  body: Type.Object({ keyId: Text(40, 'of the answer with the file') }),
  answer: Success(KeyStateOut),
  errors: ['RESOURCE_CONFLICT'],
  run: ({ core, actor, body }) => core.custody.recoveryFileSaved(actor, body.keyId),
  show: success,
});

const exchangeMasterKey = route({
  ...write,
  path: '/system/master-key/exchange',
  id: 'admin.exchangeMasterKey',
  summary: 'Exchange the master key',
  description: `${OPERATORS_ONLY} Nothing stops meanwhile. Afterwards the old key and its recovery files open nothing: a new recovery file is to be made, and other stations of the same database get the new key. RESOURCE_CONFLICT where the new key cannot be kept.`,
  confirms,
  answer: Success(KeyStateOut),
  errors: ['RESOURCE_CONFLICT'],
  run: ({ core, actor }) => core.custody.exchangeMasterKey(actor),
  show: success,
});

const renewDataKey = route({
  ...write,
  scope: 'tenant',
  path: '/system/data-key/renew',
  id: 'admin.renewDataKey',
  summary: 'Renew the data key of the account',
  description:
    'Only owners can call this. Cards and accounts are encrypted under the new key from now on, and those from before are put under it behind the answer. RESOURCE_CONFLICT within two minutes of another renewal.',
  answer: Success(Type.Object({ version: Type.Integer() })),
  errors: ['RESOURCE_CONFLICT'],
  run: ({ core, actor }) => core.custody.renewDataKey(actor),
  show: success,
});

/** The keys of an installation and of an account (design, rule 8). */
export const adminKeys = [state, makeRecoveryFile, recoveryFileSaved, exchangeMasterKey, renewDataKey];
