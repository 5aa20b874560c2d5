import Box from '@mui/material/Box';
import type { OrderDetail } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { CopyText } from '#renderer/kit/ui';
import { useIsLocked } from '#renderer/session/user';
import { CodeActions } from '#renderer/shared/gift-cards';
import { useNewCodes } from './new-codes.ts';

/** Gift cards that a paid order sold. New codes are shown until the next sale begins. */
export function SoldGiftCards({ order: { orderId, giftCards, currency } }: { order: OrderDetail }) {
  const codes = useNewCodes(orderId);
  const isLocked = useIsLocked();
  if (giftCards.length === 0) return null;
  const hasCodes = Object.keys(codes).length > 0;
  return (
    <Box component="section" aria-label={t('Gift cards of this sale')} sx={{ display: 'grid', gap: 2, pt: 2 }}>
      {giftCards.map(({ giftCardId, lastCharacters, amount }) => {
        const code = codes[giftCardId];
        const money = writeMoney(amount, currency);
        return (
          <Box key={giftCardId} sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 3 }}>
            {code === undefined || isLocked ? (
              <span>{t('Gift card {{characters}}', { characters: lastCharacters ?? '' })}</span>
            ) : (
              <Box sx={{ fontSize: 16, fontWeight: 600, width: '100%' }}>
                <CopyText text={code} label={t('Code')} />
              </Box>
            )}
            <Box component="span" sx={{ flex: '1 0 auto' }}>
              {money}
            </Box>
            {code !== undefined && !isLocked && <CodeActions code={code} amount={money} />}
          </Box>
        );
      })}
      {hasCodes && <Box sx={{ fontSize: 13 }}>{t('Give each code to the customer now. It can’t be shown again.')}</Box>}
    </Box>
  );
}
