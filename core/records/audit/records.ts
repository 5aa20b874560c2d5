import { Type } from 'typebox';
import { count, flag, group, id, literals, mapOf, nullable, type RecordOf, record, text, time } from '#core/platform/fields';
import { SECURITY_KINDS } from './security.ts';

const fields = (description: string) => nullable(mapOf(Type.Unknown(), description, { status: 'active' }));
const entryFields = {
  id: id('aud', 'ID of the entry'),
  at: time('Time of the event'),
  actor: text('Email address of the user, name of the API key, or `service`', 'ann@harbor.example'),
  action: text('Action', 'user.updated'),
  resource: text('Path of the changed resource, below /api/v1', 'users/usr_01m7y495cj0020acfq3xv5ygj8'),
};
const change = {
  before: fields('Values before the change'),
  after: fields('Values after the change'),
  ip: nullable(text('Network address of the caller', '203.0.113.7')),
};
const requestId = text('ID of the request, as in its `X-Request-Id` header', 'req_01m7y495cj0020acfq3xv5ygj8');

export const AuditEntry = record('AuditEntry', {
  ...entryFields,
  merchantId: nullable(id('mer', 'ID of the merchant; null for the whole account')),
  ...change,
  requestId,
  hash: text('Hash of the entry and its predecessor', '9f86d081884c7d65'),
  previousHash: text('Hash of the preceding entry', '2c26b46b68ffc68f'),
});
export type AuditEntry = RecordOf<typeof AuditEntry>;

export const SecurityActivity = record('SecurityActivity', {
  id: entryFields.id,
  at: entryFields.at,
  kind: literals(SECURITY_KINDS, 'Kind of the event'),
  action: text('The action in the audit log', 'user.sign_in'),
  actor: entryFields.actor,
  resource: entryFields.resource,
  ...change,
  userAgent: nullable(text('User agent of the client; at most 300 characters', 'Mozilla/5.0')),
  requestId,
});
export type SecurityActivity = RecordOf<typeof SecurityActivity>;

/** Result of verifying a chain. */
export const ChainVerification = group('The result', {
  valid: flag('true if the check succeeded', true),
  entries: count('Number of entries that the log should have, with archived ones', 42),
  archivedEntries: count('number of the first entries, which are in archives and verified there', 0),
  firstBadId: nullable(text('ID of the first entry that does not match, or of the first one after a gap; null if all match', null)),
  reason: nullable(text('Explanation where the log is broken; null if it is not', null)),
});
export type ChainVerification = RecordOf<typeof ChainVerification>;
