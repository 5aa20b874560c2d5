import { Type } from 'typebox';
import { TO_DO_KINDS, type ToDoKind, ToDoList } from '#core/operation/to-do';
import { route, Success } from '#server/http';
import { oneOf, Text } from '#server/schemas';

const toDo = route({
  surface: 'admin',
  scope: 'merchant',
  tag: 'To do',
  method: 'GET',
  path: '/to-do',
  id: 'admin.listToDo',
  permission: 'session',
  byPin: true,
  summary: 'Work that waits for a person, the most urgent first',
  description:
    'Each kind requires the permission to read its records: `unconfirmed_payment` and `expiring_authorization` transactions:read, `approval` approvals:write (without the requests of the caller), `failed_refund` refunds:read, `dispute` disputes:read, `queued_payment` queued-payments:read, `discrepancy` and `bank_line` settlement:read, `past_due_subscription` and `past_due_installment_plan` recurring:read, `open_order` transactions:write, `hosted_page`, `overdue_invoice` and `promised_invoice` invoices:read, `unsent_message` notifications:read, `expiring_card` customers:read, `system_problem` settings:read. A caller of one merchant sees this merchant only. The list has at most 20 items of each kind, or 100 of the requested `kind`; `counts` and `total` include the others. Discrepancies, bank lines, overdue invoices, messages of one channel, and cards are one item with a `count`.',
  query: Type.Object({
    merchantId: Type.Optional(Text(60, 'one merchant, besides what concerns the whole account; all merchants if absent')),
    kind: oneOf(...TO_DO_KINDS),
  }),
  response: Success(ToDoList),
  errors: ['MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
  run: ({ core, actor, query }) => core.toDo.list(actor, { merchantId: query.merchantId, kind: query.kind as ToDoKind | undefined }),
});

export const adminToDo = [toDo];
