import type { Work } from '#core/database';
import { type Actor, ServiceError } from '#core/kernel';
import type { NewMessage } from '#core/notifications';
import type { ReceiptSubject } from './content.ts';
import { receiptMail, receiptSms } from './mail.ts';
import type { Needs } from './needs.ts';
import { type ReceiptOf, subjectId, subjectOf } from './subject.ts';

/** Sends a receipt by e-mail: to the address given, else to the one of the payment (REQUIRED_FIELD_MISSING where neither is known). */
export async function email(on: Needs, by: Actor, input: ReceiptOf & { readonly email?: string }): Promise<{ readonly messageId: string }> {
  const subject = await subjectOf(on, by, input);
  checkMoved(subject);
  const to = input.email ?? subject.transaction.customer?.email;
  if (!to) throw new ServiceError('REQUIRED_FIELD_MISSING', 'The payment has no e-mail address: give one.', { field: 'email' });
  return send(on, by, subject, { channel: 'email', to, ...receiptMail(subject), attachment: `receipt:${subjectId(subject)}` });
}

/** The same once: nothing is written where `claim` says in the same unit of work that somebody else did. A payment that was voided meanwhile has none. */
export async function emailOnce(
  on: Needs,
  by: Actor,
  input: ReceiptOf & { readonly email: string },
  claim: (work: Work) => Promise<boolean>,
): Promise<void> {
  const subject = await subjectOf(on, by, input);
  if (subject.transaction.status !== 'approved') {
    await on.database.unitOfWork.run(by.tenantId, claim);
    return;
  }
  const message = { channel: 'email', to: input.email, ...receiptMail(subject), attachment: `receipt:${subjectId(subject)}` } as const;
  await on.database.unitOfWork.run(by.tenantId, async (work) => {
    if (await claim(work)) await write(on, work, by, subject, message);
  });
}

/** Sends a receipt as a short text message. */
export async function text(
  on: Needs,
  by: Actor,
  input: { readonly transactionId: string; readonly phone: string },
): Promise<{ readonly messageId: string }> {
  const subject = await subjectOf(on, by, input);
  checkMoved(subject);
  return send(on, by, subject, { channel: 'sms', to: input.phone, body: receiptSms(subject) });
}

/** Only what has moved money has a receipt that a customer should hold. */
function checkMoved({ transaction, refund }: ReceiptSubject): void {
  const { status } = refund ?? transaction;
  if (status === 'approved') return;
  const words = refund
    ? 'A refund that was not approved has no receipt to send.'
    : 'A payment that was not approved has no receipt to send.';
  throw new ServiceError('RESOURCE_CONFLICT', words, { details: { reason: 'not_approved', status } });
}

type Letter = Pick<NewMessage, 'channel' | 'to' | 'subject' | 'body' | 'html' | 'attachment'>;

async function send(on: Needs, by: Actor, subject: ReceiptSubject, message: Letter): Promise<{ readonly messageId: string }> {
  return { messageId: await on.database.unitOfWork.run(by.tenantId, (work) => write(on, work, by, subject, message)) };
}

async function write(on: Needs, work: Work, by: Actor, subject: ReceiptSubject, message: Letter): Promise<string> {
  const { transactionId, merchantId } = subject.transaction;
  const atMs = on.clockOf(by.tenantId).now();
  const id = await on.notify(work, { tenantId: by.tenantId, merchantId, kind: 'receipt', resourceId: transactionId, ...message, atMs });
  on.audit(work, {
    by,
    action: 'receipt.sent',
    resource: `transactions/${transactionId}`,
    merchantId,
    after: { messageId: id, channel: message.channel, to: message.to, refundId: subject.refund?.refundId ?? null },
  });
  return id;
}
