import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import type { ShiftDetail } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { MoneyText, Section, TimeText } from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { brandText } from '#renderer/shared/reporting';

type Movement = ShiftDetail['movements'][number];

const KINDS: Readonly<Record<string, string>> = {
  float: t('Float'),
  pay_in: t('Paid in'),
  pay_out: t('Paid out', { context: 'cash' }),
  over: t('Surplus'),
  short: t('Missing', { context: 'cash' }),
  removed: t('Removed at the close'),
  rounded_up: t('Cash rounding'),
  rounded_down: t('Cash rounding'),
  no_sale: t('Opened without a sale'),
  cash_sale: t('Cash sale'),
  cash_refund: t('Cash refund'),
  check_sale: t('Check'),
  check_refund: t('Refunded check'),
  other_sale: t('Other method'),
  gift_card_sale: t('Gift card'),
  gift_card_refund: t('Gift card refund'),
  gift_card_sold: t('Gift cards sold'),
  gift_card_taken_back: t('Gift cards taken back'),
  other_refund: t('Other refund'),
  card_sale: t('Card sale'),
  card_adjustment: t('Card adjustment'),
  card_void: t('Card void'),
  card_refund: t('Card refund'),
  card_credit: t('Card credit'),
};
const OUTGOING = new Set([
  'pay_out',
  'short',
  'removed',
  'rounded_down',
  'cash_refund',
  'check_refund',
  'other_refund',
  'gift_card_sold',
  'card_void',
  'card_refund',
  'card_credit',
]);
const KINDS_WITH_ACTOR = new Set(['no_sale', 'card_sale', 'card_adjustment', 'card_void', 'card_refund', 'card_credit']);

/** Movements of a shift, oldest first. Payments link to their details. */
export function ShiftMovements({ shift: { movements, currency } }: { shift: ShiftDetail }) {
  const { timezone } = useMerchant();
  return (
    <Section title={t('Movements')}>
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', fontSize: 13 }}>
        {movements.map((movement) => {
          const { movementId, kind, amount, reason, actor, at, brand, last4 } = movement;
          const details = [
            brand !== null && `${brandText(brand)} ${last4 ?? ''}`.trim(),
            reason,
            KINDS_WITH_ACTOR.has(kind) && actor,
          ].filter(Boolean);
          return (
            <Box
              component="li"
              key={movementId}
              sx={(theme) => ({
                display: 'grid',
                gridTemplateColumns: 'minmax(0, 1fr) auto',
                gap: 3,
                py: 1,
                borderTop: `1px solid ${theme.vars.palette.divider}`,
              })}
            >
              <span>
                <MovementName movement={movement} />
                <Box component="span" sx={{ color: 'text.secondary' }}>
                  {' · '}
                  <TimeText at={at} timeZone={timezone} />
                  {details.map((detail) => ` · ${detail}`)}
                </Box>
              </span>
              {kind === 'no_sale' ? <span /> : <MoneyText amount={OUTGOING.has(kind) ? -amount : amount} currency={currency} />}
            </Box>
          );
        })}
      </Box>
    </Section>
  );
}

/** Names a movement; the name of a payment is a link to it. */
function MovementName({ movement: { kind, movementId, transactionId } }: { movement: Movement }) {
  const may = useMay();
  const name = KINDS[kind] ?? kind;
  const isTender = movementId.startsWith('tnd_');
  const to =
    transactionId !== null && may('transactions:read')
      ? `/transactions/${transactionId}`
      : isTender && may('tenders:read')
        ? `/cash/${movementId}`
        : undefined;
  return to === undefined ? (
    name
  ) : (
    <Link component={RouterLink} to={to}>
      {name}
    </Link>
  );
}
