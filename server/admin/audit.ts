import { Type } from 'typebox';
import { AuditEntryOut, auditFilterFrom, DateIn, Maybe, PageQuery, Paginated, pageFrom, paginated, Success, Text } from '#server/schemas';
import { success } from '../envelope.ts';
import { route } from '../route.ts';

const shared = { surface: 'admin', method: 'GET', tag: 'Audit log', permission: 'audit:read', scope: 'merchant' } as const;

export const adminAudit = [
  route({
    ...shared,
    path: '/audit-logs',
    id: 'admin.listAuditLog',
    summary: 'Who did what, newest first',
    description: 'Days are UTC days. `resource` finds a thing and what lies below it, such as `merchants/mer_…`.',
    query: Type.Object({
      ...PageQuery,
      actor: Type.Optional(Text(254, 'an e-mail address, the name of a key, or service')),
      action: Type.Optional(Text(80)),
      resource: Type.Optional(Text(200)),
      requestId: Type.Optional(Text(60)),
      startDate: Type.Optional(DateIn('first day, YYYY-MM-DD')),
      endDate: Type.Optional(DateIn('last day, inclusive')),
    }),
    answer: Paginated(AuditEntryOut),
    errors: ['INVALID_DATE'],
    run: ({ core, actor, query }) => core.audit.page(actor, auditFilterFrom(query), pageFrom(query)),
    show: (page) => paginated(page, (entry) => entry),
  }),
  route({
    ...shared,
    path: '/audit-logs/verify',
    id: 'admin.verifyAuditLog',
    summary: 'Walk the chain from its first entry to its end',
    description: 'Finds any entry that was changed, removed, moved or cut off since it was written.',
    answer: Success(
      Type.Object({
        valid: Type.Boolean(),
        entries: Type.Integer(),
        firstBadId: Maybe(Type.String()),
        reason: Maybe(Type.String()),
      }),
    ),
    run: ({ core, actor }) => core.audit.verify(actor),
    show: success,
  }),
];
