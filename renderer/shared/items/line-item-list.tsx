import Box from '@mui/material/Box';
import type { Transaction } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { writeAmount } from '#renderer/base/money';
import { MoneyText } from '#renderer/kit/ui';

interface LineItemListProps {
  readonly lines: Transaction['lineItems'];
  readonly currency: string;
}

/** Lines of an itemized sale with their amounts; nothing for another sale. */
export function LineItemList({ lines, currency }: LineItemListProps) {
  if (lines.length === 0) return null;
  return (
    <Box component="ul" aria-label={t('Items')} sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 1, fontSize: 13 }}>
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a sale never change.
        <Box component="li" key={index} sx={{ display: 'flex', justifyContent: 'space-between', gap: 3 }}>
          <Box sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
            {line.description}
            <Box component="span" sx={{ color: 'text.secondary' }}>
              {line.quantity === 1 ? '' : `, ${line.quantity} × ${writeAmount(line.unitPrice, currency)}`}
              {line.discountAmount > 0 && `, ${t('discount {{amount}}', { amount: writeAmount(line.discountAmount, currency) })}`}
              {line.taxAmount > 0 && `, ${taxText(line, currency)}`}
            </Box>
          </Box>
          <MoneyText amount={line.amount} currency={currency} />
        </Box>
      ))}
    </Box>
  );
}

function taxText({ taxAmount, taxIncluded }: Transaction['lineItems'][number], currency: string): string {
  const tax = writeAmount(taxAmount, currency);
  return taxIncluded ? t('incl. tax {{tax}}', { tax }) : t('with tax {{tax}}', { tax });
}
