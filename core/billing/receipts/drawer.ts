import { type Actor, ServiceError } from '#core/kernel';
import { drawerFrom } from '#core/sales/shifts';
import type { Dependencies } from './dependencies.ts';
import { type DrawerPin, drawerEscpos } from './escpos.ts';
import type { OpenedDrawer } from './records.ts';
import { countPrint } from './repository.ts';

export interface DrawerInput {
  readonly merchantId?: string;
  /** Pin of the printer to which the drawer is connected; 2 by default. */
  readonly pin?: DrawerPin;
  /** Name of the drawer, whose open shift records an opening without a sale. */
  readonly drawer?: string;
  /** Reason for opening it, for the person who counts the money later. */
  readonly reason: string;
  /** Cash for which the drawer opens: a tender, a refund of it, or a payment recorded on an invoice. */
  readonly tenderId?: string;
  readonly refundId?: string;
  readonly paymentId?: string;
}

/**
 * Returns the command that opens a drawer, after the audit log has recorded who asked for it and why. The drawer opens once for
 * each cash sale and refund. Any other opening is one without a sale: it may need an approval, and the open shift records it. @throws
 * ServiceError MERCHANT_NOT_AUTHORIZED, NOT_FOUND; VALIDATION_ERROR for a payment that is not in cash; ApprovalRequired.
 */
export async function openDrawer(deps: Dependencies, actor: Actor, input: DrawerInput): Promise<OpenedDrawer> {
  const { pin = 2 } = input;
  const merchant = await deps.merchantFor(actor, input.merchantId);
  const { merchantId } = merchant;
  const drawer = drawerFrom(input.drawer);
  const cashId = await cashOf(deps, actor, merchantId, input);
  const reason = input.reason.trim();
  if (reason === '') throw new ServiceError('REQUIRED_FIELD_MISSING', '`reason` is required.', { field: 'reason' });
  const resource = `merchants/${merchantId}/drawer`;
  const shiftId = await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    const isForSale = cashId !== null && (await countPrint(work, `${cashId}/drawer`, 'merchant')) === 1;
    let shift: string | null = null;
    if (!isForSale) {
      await deps.checkApproval(work, actor, { kind: 'drawer_opening', merchantId, resource, amount: null, details: { drawer, reason } });
      shift = await deps.shifts.addOpening(work, actor, merchant, { drawer, reason });
    }
    const after = { reason, pin, drawer, withoutSale: !isForSale, cashId, shiftId: shift };
    deps.audit(work, { actor, action: 'drawer.opened', resource, merchantId, after });
    return shift;
  });
  return { content: drawerEscpos(pin).toString('base64'), contentType: 'application/vnd.escpos', shiftId };
}

/** Returns the ID of the cash for which the drawer opens; null for an opening without a sale. */
async function cashOf(
  deps: Dependencies,
  actor: Actor,
  merchantId: string,
  { tenderId, refundId, paymentId }: DrawerInput,
): Promise<string | null> {
  if (refundId !== undefined && tenderId === undefined)
    throw new ServiceError('REQUIRED_FIELD_MISSING', '`tenderId` is required with `refundId`.', { field: 'tenderId' });
  if (tenderId === undefined && paymentId === undefined) return null;
  const paid = tenderId === undefined ? await cashOfInvoice(deps, actor, paymentId ?? '') : await deps.tenders.get(actor, tenderId);
  const field = tenderId === undefined ? 'paymentId' : 'tenderId';
  if (paid?.kind !== 'cash' || paid.merchantId !== merchantId)
    throw new ServiceError('VALIDATION_ERROR', 'The drawer opens for cash of this merchant only.', { field });
  if (refundId === undefined) return paid.tenderId ?? paymentId ?? null;
  if (paid.refunds.every((refund) => refund.refundId !== refundId))
    throw new ServiceError('NOT_FOUND', `There is no refund ${refundId.slice(0, 60)} of this tender.`, { field: 'refundId' });
  return refundId;
}

/** Returns a payment in cash that was recorded on an invoice. */
async function cashOfInvoice(deps: Dependencies, actor: Actor, paymentId: string) {
  const invoice = await deps.invoiceOfPayment(actor, paymentId);
  const payment = invoice.payments.find((one) => one.paymentId === paymentId);
  return (
    payment && { kind: payment.method, merchantId: invoice.merchantId, tenderId: payment.tenderId, refunds: [] as { refundId: string }[] }
  );
}
