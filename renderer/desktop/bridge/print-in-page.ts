import type { PrintOutcome, SystemPrintJob } from '#bridge';
import { t } from '#renderer/base/language';

const FRAME_REMOVAL_MS = 60_000;

/** Prints a document with the browser's dialog, from a hidden frame. */
export function printInPage({ html }: SystemPrintJob): Promise<PrintOutcome> {
  return new Promise((resolve) => {
    const frame = document.createElement('iframe');
    frame.setAttribute('aria-hidden', 'true');
    frame.tabIndex = -1;
    frame.style.cssText = 'position:fixed;width:0;height:0;border:0;visibility:hidden';
    frame.srcdoc = html;
    const remove = () => frame.remove();
    frame.addEventListener('load', () => {
      const page = frame.contentWindow;
      if (!page) return resolve({ sent: false, problem: t('The browser did not open the print dialog.') });
      page.addEventListener('afterprint', remove);
      page.print();
      resolve({ sent: true });
    });
    document.body.append(frame);
    // Some browsers never report that printing has ended.
    setTimeout(remove, FRAME_REMOVAL_MS);
  });
}
