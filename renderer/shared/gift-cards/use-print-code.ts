import { useDesktop } from '#renderer/desktop/bridge';
import { useToday } from '#renderer/session/tenant-clock';
import { useMerchant } from '#renderer/session/user';
import { printDocument, useReceiptWidth } from '#renderer/shared/receipt';
import { monthsLater } from '#shared/calendar';
import { codeSlip } from './code-slip.ts';

/** Returns the function that prints a new gift card with its code and its QR code on the printer of this workstation. */
export function usePrintCode(): (card: { readonly code: string; readonly amount: string }) => Promise<void> {
  const merchant = useMerchant();
  const desktop = useDesktop();
  const width = useReceiptWidth(merchant);
  const today = useToday();
  const months = merchant.vtSettings.giftCardExpiryMonths;
  const expiresOn = months === null ? null : monthsLater(today, months);
  return async (card) => {
    // Most pages print no gift card.
    const qrCode = await import('qrcode');
    const picture = await qrCode.toString(card.code, { type: 'svg', errorCorrectionLevel: 'M', margin: 4 });
    await printDocument(codeSlip({ merchantName: merchant.name, picture, expiresOn, ...card }, width), desktop);
  };
}
