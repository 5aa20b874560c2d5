import type { DailySummary } from '#renderer/base/client';
import { dateFormat } from '#renderer/base/dates';
import { t } from '#renderer/base/language';
import { useWorkstation } from '#renderer/base/workstation';
import { useDesktop } from '#renderer/desktop/bridge';
import { useTenantNow } from '#renderer/session/tenant-clock';
import { useIsSandbox, useMerchant } from '#renderer/session/user';
import type { GiftCardFigureList } from '#renderer/shared/gift-cards';
import { printDocument } from '#renderer/shared/receipt';
import { dailyCloseLines, layoutDailyClose } from './daily-close-layout.ts';

const EVERY_MS = 30_000;

/** Prints the close of a day on the receipt printer of this workstation. */
export function usePrintDailyClose(): (summary: DailySummary, giftCards: GiftCardFigureList | null, isInterim: boolean) => Promise<void> {
  const merchant = useMerchant();
  const isSandbox = useIsSandbox();
  const desktop = useDesktop();
  const nowMs = useTenantNow(EVERY_MS);
  return async (summary, giftCards, isInterim) => {
    const { receiptWidth } = useWorkstation.getState();
    const time = dateFormat({ timeZone: merchant.timezone, dateStyle: 'medium', timeStyle: 'short' });
    const close = {
      merchantName: merchant.name,
      place: [merchant.city, merchant.state].filter(Boolean).join(', '),
      summary,
      giftCards: giftCards?.figures ?? [],
      time: time.format(nowMs),
      isInterim,
      isSandbox,
    };
    const layout = layoutDailyClose(close, receiptWidth ?? merchant.vtSettings.receiptWidth);
    await printDocument(
      { ...layout, title: isInterim ? t('Day so far') : t('Daily close'), lines: (columns) => dailyCloseLines(close, columns) },
      desktop,
    );
  };
}
