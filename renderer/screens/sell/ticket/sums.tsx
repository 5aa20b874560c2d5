import Box from '@mui/material/Box';
import { t } from '#renderer/base/language';
import { decimalText, writeAmount, writeMoney } from '#renderer/base/money';
import { MoneyText } from '#renderer/kit/ui';
import { surchargeOn } from '#shared/surcharge';
import { isTender } from '../form/form.ts';
import { type Total, totalOf } from '../form/total.ts';
import { discountedPrice } from '../items/basket.ts';
import type { Terminal } from '../terminal/use-terminal.ts';

/**
 * Sums of the sale: what is added to and taken off the price, and the total. Without lines and additions the amount field is the total, so nothing is
 * shown here.
 */
export function Sums({ terminal: { form, rules, basket, surcharge, mode } }: { terminal: Terminal }) {
  const { currency } = rules;
  const total = totalOf(form, rules);
  const price = discountedPrice(basket, form.amount, currency);
  const hasLines = basket.lines.length > 0;
  const taxOf = (isIncluded: boolean) =>
    basket.lines.reduce((sum, line, index) => sum + (line.taxIncluded === isIncluded ? (basket.amounts[index]?.taxMinor ?? 0) : 0), 0);
  const [addedTax, includedTax] = hasLines
    ? [decimalText(taxOf(false), currency), decimalText(taxOf(true), currency)]
    : [rules.tax?.isIncluded ? null : total?.tax, rules.tax?.isIncluded ? total?.tax : null];
  const rows: readonly (readonly [label: string, decimal: string | null | undefined])[] = [
    [t('Discount'), price && price.discountMinor > 0 ? `-${decimalText(price.discountMinor, currency)}` : null],
    [rules.tax?.name ?? t('Tax'), addedTax],
    [t('Included tax'), includedTax],
    [t('Tip'), total?.tip],
    [t('Surcharge, {{percent}}%', { percent: surcharge.percent }), total?.surcharge],
  ];
  const shown = rows.filter(([, decimal]) => decimal && Number(decimal) !== 0);
  const refusal = isTender(mode) ? null : surcharge.refusal;
  const most = mode === 'reader' && total !== null ? withSurcharge(total, surcharge.percent, currency) : null;
  if (!hasLines && shown.length === 0 && !refusal && most === null) return null;
  const subtotal = price === null ? null : decimalText(price.priceMinor, currency);
  return (
    <Box
      sx={(theme) => ({
        pt: 2,
        fontVariantNumeric: 'tabular-nums',
        ...(hasLines && { borderTop: `1px solid ${theme.vars.palette.divider}` }),
      })}
    >
      {shown.length > 0 && subtotal && <SumRow label={t('Subtotal')} text={writeAmount(subtotal, currency)} />}
      {shown.map(([label, decimal]) => (
        <SumRow key={label} label={label} text={writeAmount(decimal ?? 0, currency)} />
      ))}
      {most !== null && (
        <Box sx={{ color: 'text.secondary', fontSize: 13 }} data-reader-surcharge>
          {t('A credit card adds a surcharge of up to {{percent}}%: at most {{total}}.', {
            percent: surcharge.percent,
            total: writeMoney(most, currency),
          })}
        </Box>
      )}
      {refusal && <Box sx={{ color: 'text.secondary', fontSize: 13 }}>{t('No surcharge: {{reason}}', { reason: refusal })}</Box>}
      {(hasLines || shown.length > 0) && (
        <Box sx={{ display: 'flex', justifyContent: 'space-between', fontSize: 28, lineHeight: '36px', fontWeight: 600 }} data-total>
          <span>{t('Total')}</span>
          <MoneyText amount={Number(total?.decimal ?? 0)} currency={currency} />
        </Box>
      )}
    </Box>
  );
}

/** Returns the total with the surcharge that the card reader may add; null without one. */
function withSurcharge({ decimal, tip }: Total, percent: number, currency: string): string | null {
  const minorOf = (text: string | null) => Number((text ?? '0').replace('.', ''));
  const surchargeMinor = surchargeOn(minorOf(decimal) - minorOf(tip), percent);
  return surchargeMinor === 0 ? null : decimalText(minorOf(decimal) + surchargeMinor, currency);
}

function SumRow({ label, text }: { label: string; text: string }) {
  return (
    <Box sx={{ display: 'flex', justifyContent: 'space-between', fontSize: 13, lineHeight: '20px', color: 'text.secondary' }}>
      <span>{label}</span>
      <span>{text}</span>
    </Box>
  );
}
