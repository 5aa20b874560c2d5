import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router';
import type { ShiftDetail } from '#renderer/client';
import { brandText } from '#renderer/reporting';
import { useMay, useMerchant } from '#renderer/session';
import { MoneyText, TimeText } from '#renderer/ui';

type Movement = ShiftDetail['movements'][number];

const KINDS: Readonly<Record<string, string>> = {
  float: 'Float',
  pay_in: 'Paid in',
  pay_out: 'Paid out',
  over: 'Surplus',
  short: 'Missing',
  removed: 'Removed at the close',
  no_sale: 'Opened without a sale',
  cash_sale: 'Cash sale',
  cash_refund: 'Cash refund',
  check_sale: 'Check',
  check_refund: 'Refunded check',
  other_sale: 'Other tender',
  other_refund: 'Other refund',
  card_sale: 'Card sale',
  card_adjustment: 'Card adjustment',
  card_void: 'Card void',
  card_refund: 'Card refund',
  card_credit: 'Card credit',
};
const OUTGOING = new Set([
  'pay_out',
  'short',
  'removed',
  'cash_refund',
  'check_refund',
  'other_refund',
  'card_void',
  'card_refund',
  'card_credit',
]);
const KINDS_WITH_ACTOR = new Set(['no_sale', 'card_sale', 'card_adjustment', 'card_void', 'card_refund', 'card_credit']);

/** Movements of a shift, oldest first. Payments link to their details. */
export function ShiftMovements({ shift: { movements, currency } }: { shift: ShiftDetail }) {
  const { timezone } = useMerchant();
  return (
    <Box component="section">
      <Typography variant="h3" sx={{ mb: 2 }}>
        Movements
      </Typography>
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
    </Box>
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
