import Box from '@mui/material/Box';
import { t } from '#renderer/base/language';
import { decimalText, writeMoney } from '#renderer/base/money';

interface RoundingNoteProps {
  /** Cash less the amount, in minor units. */
  readonly roundingMinor: number;
  /** Cash, in minor units. */
  readonly dueMinor: number;
  readonly currency: string;
}

/** Names the cash of a payment or refund that is rounded to the smallest coin; nothing for an exact amount. */
export function RoundingNote({ roundingMinor, dueMinor, currency }: RoundingNoteProps) {
  if (roundingMinor === 0) return null;
  const money = (minor: number) => writeMoney(decimalText(minor, currency), currency);
  const rounding = roundingMinor > 0 ? `+${money(roundingMinor)}` : money(roundingMinor).replace('-', '−');
  return <Box role="note">{t('In cash {{amount}} (rounding {{rounding}})', { amount: money(dueMinor), rounding })}</Box>;
}
