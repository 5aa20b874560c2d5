import { useMutation } from '@tanstack/react-query';
import type { Invoice } from '#renderer/client';
import { useDesktop } from '#renderer/desktop';
import { saveAs } from '#renderer/download';
import { showToast } from '#renderer/ui';
import { fetchPdf } from '../operations.ts';

/** Interval and number of checks whether a tab shows its document. */
const LOOK_MS = 200;
const LOOKS_MAX = 50;

/** Prints what a tab shows, once it shows it. An event would be lost with the empty page that the tab begins with. */
function printWhenShown(tab: Window): void {
  let looks = 0;
  const timer = setInterval(() => {
    looks += 1;
    const isShown = !tab.closed && tab.location.href.startsWith('blob:') && tab.document.readyState === 'complete';
    if (isShown || tab.closed || looks === LOOKS_MAX) clearInterval(timer);
    if (isShown) tab.print();
  }, LOOK_MS);
}

type Wish = 'show' | 'print';

/** Opens the PDF of an invoice in a new tab, optionally to print it; saves it as a file if no tab can show it. */
export function usePdf({ invoiceId, number }: Pick<Invoice, 'invoiceId' | 'number'>) {
  const { isDesktop } = useDesktop();
  return useMutation({
    mutationFn: (_: Wish) => fetchPdf(invoiceId),
    onSuccess: (pdf, wish) => {
      const tab = isDesktop || !navigator.pdfViewerEnabled ? null : open(URL.createObjectURL(pdf));
      if (tab === null) {
        saveAs(pdf, `${number}.pdf`);
        showToast(wish === 'print' ? `${number}.pdf saved; print it from there` : `${number}.pdf saved`);
      } else if (wish === 'print') printWhenShown(tab);
    },
  });
}
