import { useDesktop } from '#renderer/desktop/bridge';
import { useMerchant } from '#renderer/session/user';
import { printDocument, useReceiptWidth } from '#renderer/shared/receipt';
import { codeSlip } from './code-slip.ts';
import { findGiftCard } from './queries.ts';

/** Returns the function that prints a new gift card with its code and its QR code on the printer of this workstation. */
export function usePrintCode(): (card: { readonly code: string; readonly amount: string }) => Promise<void> {
  const merchant = useMerchant();
  const desktop = useDesktop();
  const width = useReceiptWidth(merchant);
  return async (card) => {
    // Most pages print no gift card.
    const qrCode = await import('qrcode');
    // A replaced card keeps the last day of the former one, whatever the settings are now.
    const { expiresOn } = await findGiftCard(merchant.merchantId, { code: card.code, pin: '' });
    const picture = await qrCode.toString(card.code, { type: 'svg', errorCorrectionLevel: 'M', margin: 4 });
    await printDocument(codeSlip({ merchantName: merchant.name, picture, expiresOn, ...card }, width), desktop);
  };
}
