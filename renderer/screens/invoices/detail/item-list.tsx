import Box from '@mui/material/Box';
import type { Invoice } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { MoneyText, Section } from '#renderer/kit/ui';

/** Items of the invoice. */
export function ItemList({ invoice: { items, amount, currency } }: { invoice: Invoice }) {
  if (items.length === 0) return null;
  return (
    <Section title={t('Lines')}>
      <Box
        component="table"
        sx={(theme) => ({
          width: '100%',
          borderCollapse: 'collapse',
          fontSize: 13,
          '& th, & td': { py: 1.5, px: 0, textAlign: 'end', verticalAlign: 'top', fontWeight: 400 },
          '& th:first-of-type, & td:first-of-type': { textAlign: 'start', paddingInlineEnd: 3, overflowWrap: 'anywhere' },
          '& td + td, & th + th': { paddingInlineStart: 3, whiteSpace: 'nowrap' },
          '& thead th': { fontSize: 12, fontWeight: 600, color: 'text.secondary' },
          '& tbody tr, & tfoot tr': { borderTop: `1px solid ${theme.vars.palette.divider}` },
          '& tfoot td': { fontWeight: 600 },
        })}
      >
        <thead>
          <tr>
            <th scope="col">{t('Description')}</th>
            <th scope="col">{t('Quantity')}</th>
            <th scope="col">{t('Price')}</th>
            <th scope="col">{t('Amount, {{currency}}', { currency })}</th>
          </tr>
        </thead>
        <tbody>
          {items.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no ID and never change their order.
            <tr key={index}>
              <td>{item.description}</td>
              <td>{item.quantity}</td>
              <td>
                <MoneyText amount={item.unitPrice} currency={currency} />
              </td>
              <td>
                <MoneyText amount={item.amount} currency={currency} />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td colSpan={3}>{t('Total')}</td>
            <td>
              <MoneyText amount={amount} currency={currency} />
            </td>
          </tr>
        </tfoot>
      </Box>
    </Section>
  );
}
