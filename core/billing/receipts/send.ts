import type { Work } from '#core/database';
import { type Actor, ServiceError } from '#core/kernel';
import type { NewMessage } from '#core/records/notifications';
import type { ReceiptSubject } from './content.ts';
import type { Dependencies } from './dependencies.ts';
import { contentMail, receiptMail, receiptSms } from './mail.ts';
import { type OrderSubject, orderContent, orderSms } from './order-content.ts';
import { orderSubjectOf } from './order-subject.ts';
import { type ReceiptReference, subjectId, subjectOf } from './subject.ts';
import { type TenderSubject, tenderContent } from './tender-content.ts';
import { type TenderReference, tenderSubjectOf } from './tender-subject.ts';

/**
 * Sends a receipt by email to the given address, or to that of the payment. @throws ServiceError REQUIRED_FIELD_MISSING if neither is
 * known.
 */
export async function email(
  deps: Dependencies,
  actor: Actor,
  input: ReceiptReference & { readonly email?: string },
): Promise<{ readonly messageId: string }> {
  const subject = await subjectOf(deps, actor, input);
  checkMoved(subject);
  const to = input.email ?? subject.transaction.customer?.email;
  if (!to) throw new ServiceError('REQUIRED_FIELD_MISSING', 'The payment has no email address. Enter one.', { field: 'email' });
  return sendRequested(deps, actor, ofPayment(subject), {
    channel: 'email',
    to,
    ...receiptMail(subject),
    attachment: `receipt:${subjectId(subject)}`,
  });
}

/**
 * Same as `email()`, but at most once: nothing is written if `claim` returns false in the same unit of work. A payment that was voided in
 * the
 * meantime gets no receipt.
 */
export async function emailOnce(
  deps: Dependencies,
  actor: Actor,
  input: ReceiptReference & { readonly email: string },
  claim: (work: Work) => Promise<boolean>,
): Promise<void> {
  const subject = await subjectOf(deps, actor, input);
  if (subject.transaction.status !== 'approved') {
    await deps.database.unitOfWork.transaction(actor.tenantId, claim);
    return;
  }
  const message = { channel: 'email', to: input.email, ...receiptMail(subject), attachment: `receipt:${subjectId(subject)}` } as const;
  await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    if (await claim(work)) await write(deps, work, actor, ofPayment(subject), { ...message, cause: 'event' });
  });
}

/** Sends the receipt of a tender by email to the given address, or to that of the tender. @throws ServiceError REQUIRED_FIELD_MISSING. */
export async function emailTender(
  deps: Dependencies,
  actor: Actor,
  { email: requested, ...reference }: TenderReference & { readonly email?: string },
): Promise<{ readonly messageId: string }> {
  const subject = await tenderSubjectOf(deps, actor, reference);
  const { customerId, customerEmail } = await deps.tenders.get(actor, reference.tenderId);
  const to = requested ?? customerEmail;
  if (!to) throw new ServiceError('REQUIRED_FIELD_MISSING', 'The payment has no email address. Enter one.', { field: 'email' });
  const mail = contentMail(tenderContent(subject), mailKindOf(subject));
  const id = reference.refundId ?? reference.tenderId;
  return sendRequested(
    deps,
    actor,
    {
      merchantId: subject.merchant.merchantId,
      resource: 'tenders',
      id: reference.tenderId,
      refundId: reference.refundId,
      customerId,
    },
    { channel: 'email', to, ...mail, attachment: `receipt:${id}` },
  );
}

/** Sends the receipt of an order with all its payments by email. @throws ServiceError RESOURCE_CONFLICT without an approved payment. */
export async function emailOrder(
  deps: Dependencies,
  actor: Actor,
  { orderId, email: to }: { readonly orderId: string; readonly email: string },
): Promise<{ readonly messageId: string }> {
  const subject = await orderSubjectOf(deps, actor, orderId);
  const mail = contentMail(orderContent(subject), 'receipt');
  return sendRequested(deps, actor, ofOrder(subject), { channel: 'email', to, ...mail, attachment: `receipt:${orderId}` });
}

/** Sends the receipt of an order as a short text message. @throws ServiceError as `emailOrder()`. */
export async function textOrder(
  deps: Dependencies,
  actor: Actor,
  { orderId, phone: to }: { readonly orderId: string; readonly phone: string },
): Promise<{ readonly messageId: string }> {
  const subject = await orderSubjectOf(deps, actor, orderId);
  return sendRequested(deps, actor, ofOrder(subject), { channel: 'sms', to, body: orderSms(subject) });
}

const ofOrder = ({ order: { orderId: id, merchantId, customerId } }: OrderSubject): ReceiptRecord => ({
  merchantId,
  resource: 'orders',
  id,
  customerId,
});

/** Record whose receipt is sent. */
interface ReceiptRecord {
  readonly merchantId: string;
  readonly resource: 'tenders' | 'orders' | 'transactions';
  readonly id: string;
  readonly refundId?: string | undefined;
  readonly customerId?: string | null;
}

/** Sends a receipt that a person or a program requested. */
async function sendRequested(deps: Dependencies, actor: Actor, record: ReceiptRecord, message: ReceiptMessage) {
  return {
    messageId: await deps.database.unitOfWork.transaction(actor.tenantId, (work) =>
      write(deps, work, actor, record, { ...message, cause: 'request' }),
    ),
  };
}

const mailKindOf = ({ refund }: TenderSubject) => (refund === null ? 'receipt' : refund.isReturn ? 'return' : 'refund');

/** Sends a receipt as a short text message. */
export async function text(
  deps: Dependencies,
  actor: Actor,
  input: { readonly transactionId: string; readonly phone: string },
): Promise<{ readonly messageId: string }> {
  const subject = await subjectOf(deps, actor, input);
  checkMoved(subject);
  return sendRequested(deps, actor, ofPayment(subject), { channel: 'sms', to: input.phone, body: receiptSms(subject) });
}

/** Checks that money moved: only then may a customer get a receipt. */
function checkMoved({ transaction, refund }: ReceiptSubject): void {
  const { status } = refund ?? transaction;
  if (status === 'approved') return;
  const message = refund
    ? 'A refund that was not approved has no receipt to send.'
    : 'A payment that was not approved has no receipt to send.';
  throw new ServiceError('RESOURCE_CONFLICT', message, { details: { reason: 'not_approved', status } });
}

type ReceiptMessage = Pick<NewMessage, 'channel' | 'to' | 'subject' | 'body' | 'html' | 'attachment'>;

const ofPayment = ({ transaction: { transactionId: id, merchantId, customerId }, refund }: ReceiptSubject): ReceiptRecord => ({
  merchantId,
  customerId,
  resource: 'transactions',
  id,
  refundId: refund?.refundId,
});

async function write(
  deps: Dependencies,
  work: Work,
  actor: Actor,
  { merchantId, resource, id: resourceId, refundId, customerId }: ReceiptRecord,
  message: ReceiptMessage & Pick<NewMessage, 'cause'>,
): Promise<string> {
  const atMs = deps.clockOf(actor.tenantId).now();
  const id = await deps.notify(work, {
    tenantId: actor.tenantId,
    merchantId,
    kind: 'receipt',
    resourceId,
    customerId,
    ...message,
    atMs,
  });
  deps.audit(work, {
    actor,
    action: 'receipt.sent',
    resource: `${resource}/${resourceId}`,
    merchantId,
    after: { messageId: id, channel: message.channel, to: message.to, refundId: refundId ?? null },
  });
  return id;
}
