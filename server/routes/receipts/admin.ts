import { Type } from 'typebox';
import { OpenedDrawer, PrintedReceipt } from '#core/billing/receipts';
import { SentMessage } from '#core/records/notifications';
import { route, Success } from '#server/http';
import { DrawerIn, IdIn, Params, ReceiptEmailIn, ReceiptPrintIn, ReceiptSmsIn, required } from '#server/schemas';

const shared = { surface: 'admin', tag: 'Receipts', scope: 'merchant' } as const;
const post = { ...shared, method: 'POST' } as const;
const MISSING = ['TRANSACTION_NOT_FOUND', 'NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'] as const;

const email = route({
  ...post,
  path: '/notifications/receipt/email',
  id: 'admin.emailReceipt',
  summary: 'Send a receipt by email',
  description:
    'The receipt is attached as a PDF. Without `email` it is sent to the address of the payment; an order (`orderId`) needs one. RESOURCE_CONFLICT for a payment or refund that was not approved.',
  permission: 'notifications:write',
  body: ReceiptEmailIn,
  response: Success(SentMessage),
  errors: [...MISSING, 'REQUIRED_FIELD_MISSING', 'INVALID_EMAIL', 'RESOURCE_CONFLICT'],
  run: ({ core, actor, body: { transactionId, tenderId, orderId, ...rest } }) => {
    if (orderId !== undefined) return core.receipts.emailOrder(actor, { orderId, email: required(rest.email, 'email') });
    return tenderId === undefined
      ? core.receipts.email(actor, { ...rest, transactionId: required(transactionId, 'transactionId') })
      : core.receipts.emailTender(actor, { ...rest, tenderId });
  },
});

const sms = route({
  ...post,
  path: '/notifications/receipt/sms',
  id: 'admin.textReceipt',
  summary: 'Send a receipt as a text message',
  description: 'Queues one text message with a link to the receipt.',
  permission: 'notifications:write',
  body: ReceiptSmsIn,
  response: Success(SentMessage),
  errors: [...MISSING, 'REQUIRED_FIELD_MISSING', 'INVALID_PHONE', 'RESOURCE_CONFLICT'],
  run: ({ core, actor, body: { transactionId, orderId, phone } }) =>
    orderId === undefined
      ? core.receipts.text(actor, { phone, transactionId: required(transactionId, 'transactionId') })
      : core.receipts.textOrder(actor, { phone, orderId }),
});

const print = route({
  ...post,
  path: '/notifications/receipt/print',
  id: 'admin.printReceipt',
  idempotent: false,
  summary: 'Receipt for printing',
  description:
    'Receipt of a transaction or its refund, of a tender or its refund (`tenderId`; the notice for the customer if the refund is the return of a check), of an order with all its payments (`orderId`), or of a payment that was recorded on an invoice (`paymentId`); or the X or Z report of a shift (`shiftId`). Each print is counted, except previews: from the second print on, a copy is marked DUPLICATE, on any workstation.',
  permission: 'notifications:read',
  body: ReceiptPrintIn,
  response: Success(PrintedReceipt),
  errors: [...MISSING, 'REQUIRED_FIELD_MISSING', 'RESOURCE_CONFLICT'],
  run: ({ core, actor, body }) => {
    const { paymentId, tenderId, orderId, shiftId, transactionId } = body;
    const isOther = paymentId || tenderId || orderId || shiftId;
    return core.receipts.print(actor, isOther ? body : { ...body, transactionId: required(transactionId, 'transactionId') });
  },
});

const drawer = route({
  ...post,
  path: '/notifications/drawer',
  id: 'admin.openDrawer',
  approvable: true,
  summary: 'Open a cash drawer',
  description:
    'Returns the bytes that open the drawer, for the printer to which it is connected. The audit log records who opened it and why. With `tenderId`, `refundId` or `paymentId` the drawer opens once for that cash. Otherwise it opens without a sale: the open shift of the drawer records it, its reports count it, and the approval rule `drawerOpening` applies.',
  permission: 'tenders:write',
  body: DrawerIn,
  response: Success(OpenedDrawer),
  errors: ['MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED', 'NOT_FOUND', 'REQUIRED_FIELD_MISSING'],
  run: ({ core, actor, body }) => core.receipts.openDrawer(actor, body),
});

const pdf = route({
  ...shared,
  method: 'GET',
  path: '/notifications/receipts/:transactionId/pdf',
  id: 'admin.receiptPdf',
  summary: 'Receipt as PDF',
  description:
    'The file has the language and branding of the merchant. The ID of a tender returns the receipt of the tender, and that of an order its receipt with all payments.',
  permission: 'notifications:read',
  params: Params('transactionId'),
  query: Type.Object({ refundId: Type.Optional(IdIn('ref', 'refund')) }),
  contentType: 'application/pdf',
  response: Type.String({ format: 'binary' }),
  errors: [...MISSING, 'RESOURCE_CONFLICT'],
  run: async ({ core, actor, params, query, reply }) => {
    const { transactionId } = params;
    const { refundId } = query;
    const content = transactionId.startsWith('ord_')
      ? await core.receipts.orderPdf(actor, transactionId)
      : transactionId.startsWith('tnd_')
        ? await core.receipts.tenderPdf(actor, { tenderId: transactionId, ...(refundId === undefined ? {} : { refundId }) })
        : await core.receipts.pdf(actor, transactionId, refundId);
    const name = query.refundId ?? params.transactionId;
    await reply.type('application/pdf').header('content-disposition', `inline; filename="receipt-${name}.pdf"`).send(content);
  },
});

export const adminReceipts = [email, sms, print, drawer, pdf];
