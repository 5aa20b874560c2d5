import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { t } from '#renderer/base/language';
import { amountsGiven, decimalText, readAmount, toMinor, writeAmount } from '#renderer/base/money';
import { MoneyText } from '#renderer/kit/ui';
import { RoundingNote } from '#renderer/shared/tenders';
import { EntryField } from '../form/entry-field.tsx';
import type { TenderMode } from '../form/form.ts';
import { otherName } from '../form/tenders.ts';
import type { SaleForm } from '../form/use-sale-form.ts';

interface TenderFieldsProps {
  readonly mode: Exclude<TenderMode, 'gift_card'>;
  readonly form: SaleForm;
  /** Decimal text; null while the amount is not valid. */
  readonly total: string | null;
  readonly currency: string;
  /** Returns the cash to take for an amount, in minor units. */
  readonly cashDue: (minor: number) => number;
  readonly frozen: boolean;
  /** Records the sale. */
  readonly onTake: () => void;
}

/** Fields of a payment without a gateway, in place of the card. */
export function TenderFields({ mode, ...props }: TenderFieldsProps) {
  const { form, frozen } = props;
  if (mode === 'cash') return <CashFields {...props} />;
  if (mode !== 'check') return <Box sx={{ py: 2 }}>{t('Confirm that you received {{tender}}.', { tender: otherName(mode) ?? '' })}</Box>;
  return (
    <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'repeat(2, minmax(0, 1fr))' }}>
      <EntryField bound={form.field('checkNumber')} label={t('Check number')} required frozen={frozen} maxLength={40} />
      <EntryField bound={form.field('checkBank')} label={t('Bank (optional)')} frozen={frozen} maxLength={100} />
    </Box>
  );
}

/** Amount given, with buttons for the notes that customers are likely to give, and the change. */
function CashFields({ form, total, currency, cashDue, frozen, onTake }: Omit<TenderFieldsProps, 'mode'>) {
  const exact = total === null ? 0 : toMinor(Number(total), currency);
  const due = cashDue(exact);
  const read = readAmount(form.given, currency);
  const given = read.kind === 'valid' ? toMinor(Number(read.decimal), currency) : due;
  const take = (minor: number) => {
    form.fill({ given: decimalText(minor, currency) });
    onTake();
  };
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1fr)', columnGap: 3, rowGap: 2 }}>
      <EntryField
        bound={form.field('given')}
        label={t('Amount given, {{currency}}', { currency })}
        numeric
        frozen={frozen}
        placeholder={total === null ? undefined : writeAmount(decimalText(due, currency), currency)}
        maxLength={18}
      />
      <Box>
        <Box sx={{ fontSize: 12, lineHeight: '16px', fontWeight: 550, color: 'text.secondary' }}>{t('Change', { context: 'cash' })}</Box>
        <Box component="output" htmlFor="sale-given" sx={{ display: 'block', fontSize: 28, lineHeight: '44px', fontWeight: 600 }}>
          <MoneyText amount={Number(decimalText(Math.max(0, given - due), currency))} currency={currency} />
        </Box>
      </Box>
      <Box sx={{ gridColumn: '1 / -1', '&:empty': { display: 'none' } }}>
        <RoundingNote roundingMinor={due - exact} dueMinor={due} currency={currency} />
      </Box>
      {due > 0 && (
        <Box role="group" aria-label={t('Quick amounts')} sx={{ gridColumn: '1 / -1', display: 'flex', flexWrap: 'wrap', gap: 2 }}>
          {[due, ...amountsGiven(due, currency)].map((minor, index) => (
            <Button
              key={minor}
              size="small"
              disabled={frozen}
              onClick={() => take(minor)}
              sx={{ flex: '1 1 64px', minHeight: 36, px: 2, fontVariantNumeric: 'tabular-nums' }}
            >
              {index === 0 ? t('Exact') : writeAmount(decimalText(minor, currency), currency)}
            </Button>
          ))}
        </Box>
      )}
    </Box>
  );
}
