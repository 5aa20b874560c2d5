import { type Static, Type } from 'typebox';
import {
  ATTACHMENT_BYTES_MAX,
  DISPUTE_FILTERS,
  Dispute,
  DisputeAttachment,
  DisputeCheck,
  DisputeDetail,
  DisputeListItem,
  DisputeSummary,
  Evidence,
  EvidencePack,
} from '#core/books/disputes';
import { record } from '#core/platform/fields';
import { ListTotal } from '#core/platform/list-totals';
import { Paginated, type Route, receiveUpload, route, Success } from '#server/http';
import {
  AttachmentFields,
  ConclusionBody,
  DateIn,
  DateQuery,
  DisputeChangeBody,
  datedPageFrom,
  NewDisputeBody,
  oneOf,
  PackBody,
  PageQuery,
  Params,
  PaymentFactsOut,
  SubmitBody,
  sortBy,
  Text,
  TransactionIdIn,
  withActions,
  withoutPage,
  withPayments,
} from '#server/schemas';
import { forCaller } from '../actions.ts';

const ATTACHMENT_FORM = { file: 'file', bytesMax: ATTACHMENT_BYTES_MAX, fields: AttachmentFields } as const;

const MISSING = ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'] as const;
const CHANGING = [...MISSING, 'RESOURCE_CONFLICT'] as const;

/** Rules about callers that record or change a dispute. */
export const DISPUTE_CHANGE = { method: 'POST', permission: 'disputes:write', scope: 'merchant' } as const;

const FILTERS = {
  status: oneOf(...DISPUTE_FILTERS),
  dueBefore: Type.Optional(DateIn('a day, YYYY-MM-DD: disputes with a due date on or before it')),
  transactionId: Type.Optional(TransactionIdIn),
  merchantId: Type.Optional(Text(60, 'one merchant; all merchants if absent')),
};

const DisputeListItemOut = record('DisputeListItem', { ...DisputeListItem.properties, payment: PaymentFactsOut });

const ACCESS = {
  submit: DISPUTE_CHANGE,
  accept: DISPUTE_CHANGE,
  reopen: DISPUTE_CHANGE,
  conclude: DISPUTE_CHANGE,
  attach: DISPUTE_CHANGE,
};

/** Declares the routes of disputes, which are the same on the Public and the Admin surface. */
export function disputeRoutes(surface: 'admin' | 'public'): Route[] {
  const shared = { surface, tag: surface === 'admin' ? 'Disputes' : 'Public API', scope: 'merchant' } as const;
  const read = { ...shared, method: 'GET', permission: 'disputes:read' } as const;
  const write = { ...shared, ...DISPUTE_CHANGE };
  const params = Params('id');
  return [
    route({
      ...read,
      path: '/disputes',
      id: `${surface}.listDisputes`,
      summary: 'Disputed payments',
      description:
        'The status `active` selects the disputes that are not concluded, `closed` the others, and `due` those that await a response.',
      query: Type.Object({ ...PageQuery, ...DateQuery, ...FILTERS, sort: sortBy('-createdAt', 'createdAt', 'dueDate', 'amount') }),
      response: Paginated(DisputeListItemOut),
      errors: ['INVALID_DATE', 'MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
      run: async ({ core, actor, query }) => {
        const page = await core.disputes.page(actor, withoutPage(query), await datedPageFrom(core, actor, query));
        return withPayments(core, actor, page);
      },
    }),
    route({
      ...read,
      path: '/disputes/totals',
      id: `${surface}.getDisputeTotals`,
      summary: 'Number and amount of the disputes of a filter, by currency',
      description: 'The filters are those of `GET /disputes`, without the period.',
      query: Type.Object(FILTERS),
      response: Success(Type.Array(ListTotal)),
      errors: ['INVALID_DATE', 'MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
      run: ({ core, actor, query }) => core.disputes.listTotals(actor, query),
    }),
    route({
      ...read,
      path: '/disputes/summary',
      id: `${surface}.getDisputeSummary`,
      summary: 'Due disputes, the amount at stake and the rate of won disputes',
      description: 'Covers the merchants that the caller may see.',
      query: Type.Object({ merchantId: Type.Optional(Text(60, 'one merchant; all merchants if absent')) }),
      response: Success(DisputeSummary),
      errors: ['MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
      run: ({ core, actor, query }) => core.disputes.summary(actor, query.merchantId),
    }),
    route({
      ...read,
      path: '/disputes/:id',
      id: `${surface}.getDispute`,
      summary: 'One dispute with the money that it moved',
      description: 'Returns the dispute with its movements, oldest first.',
      params,
      response: Success(withActions('DisputeDetail', DisputeDetail, ACCESS)),
      errors: MISSING,
      run: (call) => forCaller(call, ACCESS, call.core.disputes.getWithActions(call.actor, call.params.id)),
    }),
    route({
      ...write,
      path: '/disputes',
      id: `${surface}.createDispute`,
      summary: 'Record a dispute that the processor does not report',
      description:
        'Withholds the amount from the merchant, unless the stage is `retrieval`. The amount is at most the captured amount; by default it is the part that was not refunded. Refunds that wait are canceled if the same money would be returned twice. A payment has at most one active dispute.',
      created: true,
      idempotent: true,
      body: NewDisputeBody,
      response: Success(Dispute),
      errors: ['TRANSACTION_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED', 'INVALID_AMOUNT', 'INVALID_DATE', 'RESOURCE_CONFLICT'],
      run: async ({ core, actor, body }) => ({
        dispute: await core.disputes.open(actor, body),
      }),
      show: ({ dispute }) => dispute,
    }),
    route({
      ...write,
      path: '/disputes/check',
      id: `${surface}.checkDisputes`,
      summary: 'Read the chargebacks that the processors report',
      description:
        'Paydesk reads them twice a day. This starts the next reading in the background; new disputes appear within a minute. Does nothing in a sandbox.',
      response: Success(DisputeCheck),
      run: async ({ core, actor }) => ({ gateways: await core.disputes.checkGateways(actor) }),
    }),
    route({
      ...write,
      method: 'PUT',
      path: '/disputes/:id',
      id: `${surface}.updateDispute`,
      summary: 'Change the notes, reason, due date or case of a dispute',
      description: 'Fields that are left out keep their values.',
      params,
      body: DisputeChangeBody,
      response: Success(Dispute),
      errors: [...CHANGING, 'INVALID_DATE'],
      run: ({ core, actor, params: { id }, body }) => core.disputes.change(actor, id, body),
    }),
    route({
      ...write,
      path: '/disputes/:id/accept',
      id: `${surface}.acceptDispute`,
      approvable: true,
      summary: 'Give a dispute up',
      description:
        'The payer keeps the money. This cannot be undone. Emits chargeback.lost with the outcome `accepted`. The withheld amount counts against the spending limits of an API key.',
      params,
      response: Success(Dispute),
      errors: CHANGING,
      run: ({ core, actor, params: { id } }) => core.disputes.accept(actor, id),
    }),
    route({
      ...write,
      path: '/disputes/:id/conclude',
      id: `${surface}.concludeDispute`,
      summary: 'Record the decision or an escalation',
      description:
        'A won dispute returns the withheld amount to the merchant, or the part `returnedAmount` if it was won in part. A lost dispute returns nothing, or the part `returnedAmount`. Pre-arbitration after a won dispute withholds it again. Each fee is charged once, with its step.',
      params,
      body: ConclusionBody,
      response: Success(Dispute),
      errors: [...CHANGING, 'INVALID_AMOUNT', 'INVALID_DATE'],
      run: ({ core, actor, params: { id }, body }) => core.disputes.conclude(actor, id, body),
    }),
    route({
      ...write,
      path: '/disputes/:id/submit',
      id: `${surface}.submitDispute`,
      summary: 'Record that the evidence was sent to the acquirer',
      description: 'Nothing is sent: the evidence is submitted at the acquirer. Reminders stop.',
      params,
      body: SubmitBody,
      response: Success(Dispute),
      errors: CHANGING,
      run: ({ core, actor, params: { id }, body }) => core.disputes.submit(actor, id, body.packId),
    }),
    route({
      ...write,
      path: '/disputes/:id/reopen',
      id: `${surface}.reopenDispute`,
      summary: 'Take back a recorded submission',
      description: 'The dispute awaits a response again, with reminders. Possible until its due date.',
      params,
      response: Success(Dispute),
      errors: CHANGING,
      run: ({ core, actor, params: { id } }) => core.disputes.reopen(actor, id),
    }),
    route({
      ...write,
      path: '/disputes/:id/attachments',
      id: `${surface}.addDisputeAttachment`,
      summary: 'Add a document to a dispute',
      description:
        'A form with `file` and `item`. The file is a PDF, PNG or JPEG of at most 4 MB, recognized by its content, and is stored encrypted. A dispute has at most 20 documents.',
      upload: ATTACHMENT_FORM,
      created: true,
      response: Success(DisputeAttachment),
      errors: CHANGING,
      run: async ({ core, actor, params: { id }, request }) => {
        // An unknown dispute is refused before its file is received.
        await core.disputes.get(actor, id);
        const { file, filename, fields } = await receiveUpload(request, actor.tenantId, ATTACHMENT_FORM);
        try {
          const { item, name } = fields as Static<typeof AttachmentFields>;
          return await core.disputes.addAttachment(actor, id, { item, name: name ?? filename ?? item, content: await file.content() });
        } finally {
          await file.dispose();
        }
      },
      params,
    }),
    route({
      ...write,
      method: 'DELETE',
      path: '/disputes/:id/attachments/:attachmentId',
      id: `${surface}.removeDisputeAttachment`,
      summary: 'Remove a document from a dispute',
      description:
        'Possible while the dispute awaits a response. Packs that contain the document stay as they were created. The audit log keeps its name and hash.',
      params: Params('id', 'attachmentId'),
      response: Success(DisputeAttachment),
      errors: CHANGING,
      run: ({ core, actor, params: { id, attachmentId } }) => core.disputes.removeAttachment(actor, id, attachmentId),
    }),
    route({
      ...read,
      path: '/disputes/:id/evidence',
      id: `${surface}.getDisputeEvidence`,
      summary: 'Checklist, draft of the letter, documents and packs of a dispute',
      description: 'The checklist follows from the reason of the dispute.',
      params,
      response: Success(Evidence),
      errors: MISSING,
      run: ({ core, actor, params: { id } }) => core.disputes.evidence(actor, id),
    }),
    route({
      ...write,
      path: '/disputes/:id/evidence',
      id: `${surface}.createEvidencePack`,
      summary: 'Create an evidence pack',
      description:
        'One PDF for the acquirer of at most 50 pages (Mastercard: 19) and 4.5 MB, and one zip archive with the records and a program that checks them. It never contains a card number or data of another customer.',
      params,
      created: true,
      body: PackBody,
      response: Success(EvidencePack),
      errors: CHANGING,
      run: ({ core, actor, params: { id }, body }) => core.disputes.createPack(actor, id, body),
    }),
    route({
      ...read,
      path: '/disputes/:id/evidence/:packId',
      id: `${surface}.getEvidencePack`,
      summary: 'Download an evidence pack',
      description: 'A pack is never changed after it was created.',
      params: Params('id', 'packId'),
      query: Type.Object({ format: oneOf('zip', 'pdf') }),
      contentType: 'application/octet-stream',
      otherContentTypes: ['application/pdf', 'application/zip'],
      response: Type.String({ format: 'binary' }),
      errors: MISSING,
      run: async ({ core, actor, params: { id, packId }, query, reply }) => {
        const { filename, contentType, content } = await core.disputes.packFile(actor, id, packId, query.format === 'pdf' ? 'pdf' : 'zip');
        await reply.type(contentType).header('content-disposition', `attachment; filename="${filename}"`).send(content);
      },
    }),
  ];
}
