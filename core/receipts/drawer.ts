import type { Actor } from '#core/kernel';
import { type DrawerPin, drawerEscpos } from './escpos.ts';
import type { Needs } from './needs.ts';

export interface DrawerInput {
  readonly merchantId?: string;
  readonly pin: DrawerPin;
  /** Why it is opened, for whoever counts the money later. */
  readonly reason: string;
}

/** The bytes that open a drawer, for the printer that it hangs on. */
export interface OpenedDrawer {
  /** Base64. */
  readonly content: string;
  readonly contentType: string;
}

/** Hands out what opens a drawer, once the audit log says who asked for it and why (experience 2.4). MERCHANT_NOT_AUTHORIZED. */
export async function openDrawer(on: Needs, by: Actor, { merchantId: asked, pin, reason }: DrawerInput): Promise<OpenedDrawer> {
  const { merchantId } = await on.merchantFor(by, asked);
  await on.database.unitOfWork.run(by.tenantId, async (work) => {
    on.audit(work, { by, action: 'drawer.opened', resource: `merchants/${merchantId}/drawer`, merchantId, after: { reason, pin } });
  });
  return { content: drawerEscpos(pin).toString('base64'), contentType: 'application/vnd.escpos' };
}
