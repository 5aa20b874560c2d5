import { useMutation } from '@tanstack/react-query';
import type { Invoice } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { useDesktop } from '#renderer/desktop/bridge';
import { showToast } from '#renderer/kit/ui';
import { saveAs } from '#renderer/session/download';
import { fetchPdf } from '../operations.ts';

/** Interval and number of checks whether a tab shows its document. */
const POLL_MS = 200;
const POLLS_MAX = 50;

/** Prints the document of a tab once it is loaded. Polls, because a load event would be lost with the initial empty page of the tab. */
function printWhenShown(tab: Window): void {
  let polls = 0;
  const timer = setInterval(() => {
    polls += 1;
    const isShown = !tab.closed && tab.location.href.startsWith('blob:') && tab.document.readyState === 'complete';
    if (isShown || tab.closed || polls === POLLS_MAX) clearInterval(timer);
    if (isShown) tab.print();
  }, POLL_MS);
}

type PdfAction = 'show' | 'print';

/** Opens the PDF of an invoice in a new tab, optionally to print it; saves it as a file if no tab can show it. */
export function usePdf({ invoiceId, number }: Pick<Invoice, 'invoiceId' | 'number'>) {
  const { isDesktop } = useDesktop();
  return useMutation({
    mutationFn: (_: PdfAction) => fetchPdf(invoiceId),
    onSuccess: (pdf, action) => {
      const tab = isDesktop || !navigator.pdfViewerEnabled ? null : open(URL.createObjectURL(pdf));
      if (tab === null) {
        const file = `${number}.pdf`;
        saveAs(pdf, file);
        showToast(action === 'print' ? t('{{file}} saved; print it from there', { file }) : t('{{file}} saved', { file }));
      } else if (action === 'print') printWhenShown(tab);
    },
  });
}
