import { Type } from 'typebox';
import { dateIn, ServiceError } from '#core/kernel';
import { count } from '#core/platform/fields';
import { AuditEntry, SECURITY_KINDS, SecurityActivity } from '#core/records/audit';
import { AnchoredVerification, AnchorSettings, parseAnchors } from '#core/records/audit-anchors';
import { type Column, Paginated, route, Success, sendPages } from '#server/http';
import { archiveYearFrom, auditFilterFrom, DateIn, Maybe, oneOf, PageQuery, pageFrom, Text } from '#server/schemas';

const shared = { surface: 'admin', method: 'GET', tag: 'Audit log', permission: 'audit:read', scope: 'merchant' } as const;

const FilterQuery = {
  actor: Type.Optional(Text(254, 'an email address, the name of an API key, or `service`')),
  action: Type.Optional(Text(80, 'Action')),
  resource: Type.Optional(Text(200, 'ID of the changed record')),
  requestId: Type.Optional(Text(60, 'ID of the request, as in its `X-Request-Id` header')),
  archive: Type.Optional(Text(4, 'a year of `/audit-logs/archives`, whose entries are read from its archive')),
  startDate: Type.Optional(DateIn('first day, YYYY-MM-DD')),
  endDate: Type.Optional(DateIn('last day, inclusive')),
};

const jsonText = (fields: AuditEntry['before']) => (fields === null ? null : JSON.stringify(fields));

const COLUMNS: readonly Column<AuditEntry>[] = [
  ['id', (entry) => entry.id, 'plain'],
  ['at', (entry) => entry.at, 'plain'],
  ['actor', (entry) => entry.actor],
  ['action', (entry) => entry.action, 'plain'],
  ['resource', (entry) => entry.resource],
  ['before', (entry) => jsonText(entry.before)],
  ['after', (entry) => jsonText(entry.after)],
  ['ip', (entry) => entry.ip],
  ['requestId', (entry) => entry.requestId],
  ['hash', (entry) => entry.hash, 'plain'],
  ['previousHash', (entry) => entry.previousHash, 'plain'],
];

export const adminAudit = [
  route({
    ...shared,
    path: '/audit-logs',
    id: 'admin.listAuditLog',
    summary: 'Audit log, newest first',
    description: 'Days are days of the merchant. `resource` finds a resource and everything below it, such as `merchants/mer_…`.',
    query: Type.Object({ ...PageQuery, ...FilterQuery }),
    response: Paginated(AuditEntry),
    errors: ['INVALID_DATE', 'NOT_FOUND', 'RESOURCE_CONFLICT'],
    run: async ({ core, actor, query }) => {
      const filter = await auditFilterFrom(core, actor, query);
      const { archive } = query;
      return archive === undefined
        ? core.audit.page(actor, filter, pageFrom(query))
        : core.archives.auditPage(actor, archiveYearFrom(archive), filter, pageFrom(query));
    },
  }),
  route({
    ...shared,
    path: '/audit-logs/export',
    exports: 'audit',
    id: 'admin.exportAuditLog',
    summary: 'Audit log as CSV',
    description:
      'Every entry of the filter, newest first, streamed; RFC 4180, UTF-8, with a header row. `before` and `after` are JSON. Cells that a spreadsheet would read as a formula begin with an apostrophe.',
    query: Type.Object({ ...FilterQuery, format: oneOf('csv') }),
    contentType: 'text/csv',
    response: Type.String(),
    errors: ['INVALID_DATE', 'NOT_FOUND', 'RESOURCE_CONFLICT'],
    run: async ({ core, actor, query, reply }) => {
      const { format: _, archive, ...rest } = query;
      const filter = await auditFilterFrom(core, actor, rest);
      const blocks =
        archive === undefined ? core.audit.entryBlocks(actor, filter) : core.archives.auditBlocks(actor, archiveYearFrom(archive), filter);
      const { timezone } = await core.merchants.merchantFor(actor);
      const localDate: Column<AuditEntry> = ['localDate', ({ at }) => dateIn(timezone, Date.parse(at)), 'plain'];
      await sendPages(reply, 'audit-log.csv', [...COLUMNS, localDate], blocks);
    },
  }),
  route({
    ...shared,
    path: '/audit-logs/archives',
    id: 'admin.listArchivedAuditYears',
    summary: 'Archived years of the audit log',
    description: 'Newest first. The entries of these years are in archive files: `archive` of the other routes reads them.',
    response: Success(Type.Array(Type.Object({ year: count('calendar year, UTC', 2023), entries: count('Number of entries', 42) }))),
    run: ({ core, actor }) => core.archives.years(actor),
  }),
  route({
    ...shared,
    path: '/security-activity',
    id: 'admin.listSecurityActivity',
    permission: 'owner:activity',
    scope: 'tenant',
    summary: 'Security activity, newest first',
    description:
      'Sign-ins, failed sign-ins and second factors, new devices, revoked sessions, password and two-factor changes, and changes of users, roles, keys and message channels. A device is new if none of the sessions of the user that are still stored has its user agent. Days are days of the merchant. The entries are part of the audit log and kept as long.',
    query: Type.Object({
      ...PageQuery,
      kind: oneOf(...SECURITY_KINDS),
      user: Type.Optional(Text(254, 'email address or ID of a user, or ID of an API key: what it did, and what was done to it')),
      startDate: Type.Optional(Text(20, 'first day, YYYY-MM-DD')),
      endDate: Type.Optional(Text(20, 'last day, inclusive')),
    }),
    response: Paginated(SecurityActivity),
    errors: ['INVALID_DATE', 'NOT_FOUND'],
    run: async ({ core, actor, query }) => {
      const { kind, user, startDate, endDate } = query;
      const actorId = user?.includes('@') ? await core.identity.users.idOf(actor.tenantId, user) : user;
      if (user !== undefined && actorId === undefined)
        throw new ServiceError('NOT_FOUND', 'No user of this account has this email address.', { field: 'user' });
      const { from, until } = await auditFilterFrom(core, actor, { startDate, endDate });
      return core.audit.security(actor, { kind, actorId, from, until }, pageFrom(query));
    },
  }),
  route({
    ...shared,
    path: '/audit-logs/verify',
    id: 'admin.verifyAuditLog',
    summary: 'Verify the audit log',
    description:
      'Checks the whole chain and finds any entry that was changed, removed, moved or cut off since it was written. With `anchors`, entries that were noted outside of the database, it also finds that the database was restored to an earlier state, or was written again by someone with its key. Anchors of archived entries are compared with the files of the archives, whose entries up to the last anchor are checked.',
    query: Type.Object({
      anchors: Type.Optional(
        Text(4_100, 'noted entries as `POSITION:HASH`, separated by commas, with at least 16 characters of each hash'),
      ),
    }),
    response: Success(AnchoredVerification),
    run: ({ core, actor, query }) => core.auditAnchors.verify(actor, query.anchors === undefined ? [] : parseAnchors(query.anchors)),
  }),
  route({
    ...shared,
    path: '/audit-logs/anchors',
    id: 'admin.auditAnchors',
    scope: 'tenant',
    permission: 'owner:activity',
    summary: 'Address that receives the last entry of the audit log',
    description: 'With an anchor outside of the database, `GET /audit-logs/verify` finds a log that was changed or rolled back.',
    response: Success(AnchorSettings),
    run: ({ core, actor }) => core.auditAnchors.settings(actor),
  }),
  route({
    ...shared,
    path: '/audit-logs/anchors',
    method: 'PUT',
    id: 'admin.changeAuditAnchors',
    scope: 'tenant',
    permission: 'owner:addresses',
    confirms: { level: 'recent' },
    summary: 'Change the address that receives the last entry of the audit log',
    description:
      'Paydesk sends the number and the hash of the last entry to this address now, and every day on which the log has new entries. The previous address is informed. Without an address, nothing is sent.',
    body: Type.Object({ email: Maybe(Text(254, 'Email address', 'ann@customer.example')) }),
    response: Success(AnchorSettings),
    errors: ['INVALID_EMAIL', 'RESOURCE_CONFLICT'],
    run: ({ core, actor, body }) => core.auditAnchors.change(actor, body.email),
  }),
];
