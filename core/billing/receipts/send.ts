import type { Work } from '#core/database';
import { type Actor, ServiceError } from '#core/kernel';
import type { NewMessage } from '#core/records/notifications';
import type { ReceiptSubject } from './content.ts';
import type { Dependencies } from './dependencies.ts';
import { contentMail, receiptMail, receiptSms } from './mail.ts';
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
  return send(deps, actor, subject, { channel: 'email', to, ...receiptMail(subject), attachment: `receipt:${subjectId(subject)}` });
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
    if (await claim(work)) await write(deps, work, actor, subject, { ...message, cause: 'event' });
  });
}

/** Sends the receipt of a tender by email to the given address, or to that of the tender. @throws ServiceError REQUIRED_FIELD_MISSING. */
export async function emailTender(
  deps: Dependencies,
  actor: Actor,
  { email: requested, ...reference }: TenderReference & { readonly email?: string },
): Promise<{ readonly messageId: string }> {
  const subject = await tenderSubjectOf(deps, actor, reference);
  const { customerEmail } = await deps.tenders.get(actor, reference.tenderId);
  const to = requested ?? customerEmail;
  if (!to) throw new ServiceError('REQUIRED_FIELD_MISSING', 'The payment has no email address. Enter one.', { field: 'email' });
  const { merchantId } = subject.merchant;
  const message = { channel: 'email', to, ...contentMail(tenderContent(subject), mailKindOf(subject)) } as const;
  const id = reference.refundId ?? reference.tenderId;
  return deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    const messageId = await deps.notify(work, {
      tenantId: actor.tenantId,
      merchantId,
      kind: 'receipt',
      resourceId: reference.tenderId,
      ...message,
      attachment: `receipt:${id}`,
      atMs: deps.clockOf(actor.tenantId).now(),
      cause: 'request',
    });
    deps.audit(work, {
      actor,
      action: 'receipt.sent',
      resource: `tenders/${reference.tenderId}`,
      merchantId,
      after: { messageId, channel: 'email', to, refundId: reference.refundId ?? null },
    });
    return { messageId };
  });
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
  return send(deps, actor, subject, { channel: 'sms', to: input.phone, body: receiptSms(subject) });
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

async function send(
  deps: Dependencies,
  actor: Actor,
  subject: ReceiptSubject,
  message: ReceiptMessage,
): Promise<{ readonly messageId: string }> {
  return {
    messageId: await deps.database.unitOfWork.transaction(actor.tenantId, (work) =>
      write(deps, work, actor, subject, { ...message, cause: 'request' }),
    ),
  };
}

async function write(
  deps: Dependencies,
  work: Work,
  actor: Actor,
  subject: ReceiptSubject,
  message: ReceiptMessage & Pick<NewMessage, 'cause'>,
): Promise<string> {
  const { transactionId, merchantId } = subject.transaction;
  const atMs = deps.clockOf(actor.tenantId).now();
  const id = await deps.notify(work, {
    tenantId: actor.tenantId,
    merchantId,
    kind: 'receipt',
    resourceId: transactionId,
    ...message,
    atMs,
  });
  deps.audit(work, {
    actor,
    action: 'receipt.sent',
    resource: `transactions/${transactionId}`,
    merchantId,
    after: { messageId: id, channel: message.channel, to: message.to, refundId: subject.refund?.refundId ?? null },
  });
  return id;
}
