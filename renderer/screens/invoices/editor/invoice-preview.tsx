import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '#renderer/base/language';
import { fromMinor, readAmount, toMinor } from '#renderer/base/money';
import { datedDay, MoneyText } from '#renderer/kit/ui';
import { useIsSandbox, useMay, useMerchant } from '#renderer/session/user';
import { customerName } from '#renderer/shared/customers';
import { brandingQuery } from '../queries.ts';
import type { EditorForm } from './editor-form.ts';
import { isBlank, itemsOf, lineMinor, sumMinor } from './lines.ts';

const INK = '#14181F';
const SECONDARY_INK = '#556070';
const HAIRLINE = '#E0E4E9';
const COLOR = /^#[0-9a-fA-F]{6}$/;
const DEFAULT_COLOR = '#0F5C73';

interface InvoicePreviewProps {
  readonly form: EditorForm;
  readonly currency: string;
  /** Undefined until a number is assigned. */
  readonly number: string | undefined;
}

/** Preview of the invoice in the merchant's brand. White in both color schemes, like paper. */
export function InvoicePreview({ form, currency, number }: InvoicePreviewProps) {
  const merchant = useMerchant();
  const isSandbox = useIsSandbox();
  const branding = useQuery({ ...brandingQuery(merchant.merchantId), enabled: useMay()('merchants:read') }).data;
  const { companyName = merchant.name, primaryColor = DEFAULT_COLOR, logoUrl } = branding ?? {};
  const { customer, lines, dueDate, note, purchaseOrder } = form;
  const tax = readAmount(form.tax, currency);
  const filledLines = lines.filter((line) => !isBlank(line));
  return (
    <Box component="section" aria-label={t('Preview')} sx={{ minWidth: 0 }}>
      <Box sx={{ fontSize: 12, fontWeight: 550, color: 'text.secondary', mb: 1 }}>{t('Preview')}</Box>
      <Box
        sx={(theme) => ({
          border: `1px solid ${theme.vars.palette.divider}`,
          borderRadius: 1,
          overflow: 'hidden',
          backgroundColor: '#FFFFFF',
          color: INK,
          fontSize: 12,
          lineHeight: '18px',
          overflowWrap: 'anywhere',
        })}
      >
        <Box sx={{ height: 6, backgroundColor: COLOR.test(primaryColor) ? primaryColor : DEFAULT_COLOR }} />
        <Box sx={{ p: 5, display: 'grid', gap: 5 }}>
          <Box sx={{ display: 'flex', gap: 4, justifyContent: 'space-between', alignItems: 'flex-start' }}>
            <Box sx={{ minWidth: 0 }}>
              {logoUrl?.startsWith('data:') && (
                <Box component="img" src={logoUrl} alt="" sx={{ display: 'block', maxHeight: 36, maxWidth: 120, mb: 2 }} />
              )}
              <Box sx={{ fontSize: 14, fontWeight: 650 }}>{companyName}</Box>
              <SecondaryText>
                {[merchant.address, [merchant.city, merchant.state].filter(Boolean).join(', ')].filter(Boolean).join(' · ')}
              </SecondaryText>
            </Box>
            <Box sx={{ textAlign: 'end', flexShrink: 0 }}>
              <Box sx={{ fontSize: 14, fontWeight: 650 }}>{t('Invoice')}</Box>
              <SecondaryText>{number ?? t('Number assigned when saved')}</SecondaryText>
              {isSandbox && (
                <Box
                  sx={{
                    mt: 1,
                    px: 1.5,
                    display: 'inline-block',
                    border: `1px solid ${INK}`,
                    fontWeight: 700,
                    letterSpacing: '0.08em',
                    fontSize: 12,
                  }}
                >
                  {t('SANDBOX')}
                </Box>
              )}
            </Box>
          </Box>
          <Box sx={{ display: 'flex', gap: 4, justifyContent: 'space-between' }}>
            <Box sx={{ minWidth: 0 }}>
              <SecondaryText>{t('Bill to')}</SecondaryText>
              <Box sx={{ fontWeight: 600 }}>{customer === null ? '–' : customerName(customer)}</Box>
              {customer?.email && <SecondaryText>{customer.email}</SecondaryText>}
            </Box>
            <Box sx={{ textAlign: 'end', flexShrink: 0 }}>
              <SecondaryText>{t('Due')}</SecondaryText>
              <Box sx={{ fontWeight: 600 }}>{/^\d{4}-\d{2}-\d{2}$/.test(dueDate) ? datedDay(dueDate) : '–'}</Box>
              {purchaseOrder.trim() !== '' && (
                <SecondaryText>{t('Purchase order {{number}}', { number: purchaseOrder.trim() })}</SecondaryText>
              )}
            </Box>
          </Box>
          <Box
            component="table"
            sx={{
              width: '100%',
              borderCollapse: 'collapse',
              '& th': { fontWeight: 600, color: SECONDARY_INK, fontSize: 12 },
              '& th, & td': { p: 0, py: 1, textAlign: 'end', verticalAlign: 'top', borderBottom: `1px solid ${HAIRLINE}` },
              '& th:first-of-type, & td:first-of-type': { textAlign: 'start', paddingInlineEnd: 3 },
              '& td + td, & th + th': { paddingInlineStart: 3, whiteSpace: 'nowrap' },
            }}
          >
            <thead>
              <tr>
                <th scope="col">{t('Description')}</th>
                <th scope="col">{t('Qty')}</th>
                <th scope="col">{t('Price')}</th>
                <th scope="col">{t('Amount')}</th>
              </tr>
            </thead>
            <tbody>
              {filledLines.map((line) => {
                const [item] = itemsOf([line], currency);
                const minor = lineMinor(line, currency);
                return (
                  <tr key={line.id}>
                    <td>{line.description}</td>
                    <td>{line.quantity}</td>
                    <td>
                      {minor !== undefined && item && (
                        <MoneyText amount={fromMinor(toMinor(Number(item.unitPrice), currency), currency)} currency={currency} />
                      )}
                    </td>
                    <td>{minor !== undefined && <MoneyText amount={fromMinor(minor, currency)} currency={currency} />}</td>
                  </tr>
                );
              })}
              {filledLines.length === 0 && (
                <tr>
                  <td colSpan={4}>
                    <SecondaryText>{t('Lines appear here.')}</SecondaryText>
                  </td>
                </tr>
              )}
            </tbody>
          </Box>
          {tax.kind === 'valid' && (
            <Box sx={{ display: 'flex', justifyContent: 'space-between' }}>
              <span>{t('Tax included')}</span>
              <MoneyText amount={Number(tax.decimal)} currency={currency} />
            </Box>
          )}
          <Box sx={{ display: 'flex', justifyContent: 'space-between', fontSize: 14, fontWeight: 650 }}>
            <span>{t('Amount due')}</span>
            <span>
              <MoneyText amount={fromMinor(sumMinor(lines, currency), currency)} currency={currency} /> {currency}
            </span>
          </Box>
          {note.trim() !== '' && <Box sx={{ whiteSpace: 'pre-wrap' }}>{note}</Box>}
        </Box>
      </Box>
    </Box>
  );
}

function SecondaryText({ children }: { children: ReactNode }) {
  return <Box sx={{ color: SECONDARY_INK }}>{children}</Box>;
}
