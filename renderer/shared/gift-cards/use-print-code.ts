import { useDesktop } from '#renderer/desktop/bridge';
import { useMerchant } from '#renderer/session/user';
import { printDocument, useReceiptWidth } from '#renderer/shared/receipt';
import { codeSlip } from './code-slip.ts';

/** Returns the function that prints a gift card with its code on the printer of this workstation. */
export function usePrintCode(): (card: { readonly code: string; readonly amount: string }) => void {
  const merchant = useMerchant();
  const desktop = useDesktop();
  const width = useReceiptWidth(merchant);
  return (card) => void printDocument(codeSlip({ merchantName: merchant.name, ...card }, width), desktop);
}
