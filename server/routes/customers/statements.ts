import { Type } from 'typebox';
import { CustomerStatement, type StatementEntry } from '#core/billing/statements';
import { id, record } from '#core/platform/fields';
import { type Column, type Route, route, Success, sendPages } from '#server/http';
import { DateIn, oneOf, PageQuery, Params, pageFrom } from '#server/schemas';

const Period = {
  startDate: Type.Optional(DateIn("first day in the merchant's time zone; by default the first of the month")),
  endDate: Type.Optional(DateIn('last day, inclusive; by default today')),
};
const ERRORS = ['CUSTOMER_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED', 'INVALID_DATE'] as const;
const MAX = 'A period with more than 100,000 entries is refused.';

const SentStatement = record('SentStatement', {
  messageId: id('msg', 'Message in the outbox'),
  to: Type.String({ description: 'Address on file', example: 'ann@customer.example' }),
});

const COLUMNS: readonly Column<StatementEntry>[] = [
  ['date', ({ date }) => date, 'plain'],
  ['at', ({ at }) => at, 'plain'],
  ['kind', ({ kind }) => kind, 'plain'],
  ['invoiceNumber', ({ invoiceNumber }) => invoiceNumber, 'plain'],
  ['dueDate', ({ dueDate }) => dueDate, 'plain'],
  ['currency', ({ currency }) => currency, 'plain'],
  ['charge', ({ charge }) => charge],
  ['credit', ({ credit }) => credit],
  ['balance', ({ balance }) => balance],
  ['money', ({ money }) => money],
  ['method', ({ method }) => method],
  ['last4', ({ last4 }) => last4, 'plain'],
  ['reference', ({ reference }) => reference],
  ['transactionId', ({ transactionId }) => transactionId, 'plain'],
  ['tenderId', ({ tenderId }) => tenderId, 'plain'],
  ['entryId', ({ entryId }) => entryId, 'plain'],
];

interface Paths {
  readonly surface: 'admin' | 'public';
  readonly tag: string;
  readonly customerPath: `/${string}`;
}

/** Declares the routes of customers' statements, which are the same on the Public and the Admin surface. */
export function statementRoutes({ surface, tag, customerPath }: Paths): Route[] {
  const shared = { surface, tag, scope: 'merchant', params: Params('id') } as const;
  const read = { ...shared, method: 'GET', permission: 'invoices:read' } as const;
  const path = `${customerPath}/:id/statement` as const;
  return [
    route({
      ...read,
      path,
      id: `${surface}.getCustomerStatement`,
      summary: "A customer's invoices, payments, refunds and credits of a period, with balances",
      description: `The balance is what the customer owes: amounts due of sent invoices, less what was paid for canceled ones. A refund is also a credit, because it does not reopen an invoice. Gift cards and disputes are not part. ${MAX}`,
      query: Type.Object({ page: PageQuery.page, limit: PageQuery.limit, ...Period }),
      response: Success(CustomerStatement),
      errors: ERRORS,
      run: ({ core, actor, params, query }) => core.statements.page(actor, params.id, query, pageFrom(query)),
    }),
    route({
      ...read,
      path: `${path}/pdf`,
      id: `${surface}.customerStatementPdf`,
      summary: 'Statement of a customer as a PDF',
      description: 'At most 3,000 entries.',
      query: Type.Object(Period),
      contentType: 'application/pdf',
      response: Type.String({ description: 'the document' }),
      errors: ERRORS,
      run: async ({ core, actor, params, query, reply }) => {
        const { filename, content } = await core.statements.pdf(actor, params.id, query);
        await reply.type('application/pdf').header('content-disposition', `attachment; filename="${filename}"`).send(content);
      },
    }),
    route({
      ...read,
      path: `${path}/export`,
      exports: 'customers',
      id: `${surface}.exportCustomerStatement`,
      summary: 'Statement of a customer as CSV',
      description: `One row for each entry. ${MAX}`,
      query: Type.Object({ ...Period, format: oneOf('csv') }),
      contentType: 'text/csv',
      response: Type.String({ description: 'the file' }),
      errors: ERRORS,
      run: ({ core, actor, params, query, reply }) =>
        sendPages(reply, 'statement.csv', COLUMNS, core.statements.lines(actor, params.id, query)),
    }),
    route({
      ...shared,
      method: 'POST',
      permission: 'invoices:write',
      path: `${path}/email`,
      id: `${surface}.sendCustomerStatement`,
      summary: 'Send the statement of a customer by email',
      description: 'As a PDF, only to the address on file of the customer. The limits of messages apply. At most 3,000 entries.',
      idempotent: true,
      body: Type.Object(Period),
      response: Success(SentStatement),
      errors: [...ERRORS, 'RESOURCE_CONFLICT', 'RATE_LIMIT_EXCEEDED', 'DAILY_LIMIT_EXCEEDED'],
      run: ({ core, actor, params, body }) => core.statements.send(actor, params.id, body),
      show: ({ statementMessage }) => statementMessage,
    }),
  ];
}
