import type { Actor } from '#core/kernel';
import type { Dependencies } from './dependencies.ts';
import { type DrawerPin, drawerEscpos } from './escpos.ts';

export interface DrawerInput {
  readonly merchantId?: string;
  readonly pin: DrawerPin;
  /** Reason for opening it, for the person who counts the money later. */
  readonly reason: string;
}

/** The command that opens a cash drawer, for the printer that it is connected to. */
export interface OpenedDrawer {
  /** Base64. */
  readonly content: string;
  readonly contentType: string;
}

/**
 * Returns the command that opens a drawer, after the audit log has recorded who asked for it and why (experience 2.4). @throws ServiceError
 * MERCHANT_NOT_AUTHORIZED.
 */
export async function openDrawer(
  deps: Dependencies,
  actor: Actor,
  { merchantId: requestedMerchantId, pin, reason }: DrawerInput,
): Promise<OpenedDrawer> {
  const { merchantId } = await deps.merchantFor(actor, requestedMerchantId);
  await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    deps.audit(work, {
      actor,
      action: 'drawer.opened',
      resource: `merchants/${merchantId}/drawer`,
      merchantId,
      after: { reason, pin },
    });
  });
  return { content: drawerEscpos(pin).toString('base64'), contentType: 'application/vnd.escpos' };
}
