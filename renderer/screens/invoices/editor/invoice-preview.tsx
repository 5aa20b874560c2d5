import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { customerName } from '#renderer/customers';
import { fromMinor, toMinor } from '#renderer/money';
import { useIsSandbox, useMay, useMerchant } from '#renderer/session';
import { dayText, MoneyText } from '#renderer/ui';
import { brandingQuery } from '../queries.ts';
import type { EditorForm } from './editor-form.ts';
import { isBlank, itemsOf, lineMinor, sumMinor } from './lines.ts';

const INK = '#14181F';
const SOFT_INK = '#556070';
const HAIRLINE = '#E0E4E9';
const COLOR = /^#[0-9a-fA-F]{6}$/;
const USUAL_COLOR = '#0F5C73';

interface InvoicePreviewProps {
  readonly form: EditorForm;
  readonly currency: string;
  /** undefined while it has none. */
  readonly number: string | undefined;
}

/** Preview of the invoice in the merchant's brand. White in both color schemes, like paper. */
export function InvoicePreview({ form, currency, number }: InvoicePreviewProps) {
  const merchant = useMerchant();
  const isSandbox = useIsSandbox();
  const branding = useQuery({ ...brandingQuery(merchant.merchantId), enabled: useMay()('merchants:read') }).data;
  const { companyName = merchant.name, primaryColor = USUAL_COLOR, logoUrl } = branding ?? {};
  const { customer, lines, dueDate, note } = form;
  const written = lines.filter((line) => !isBlank(line));
  return (
    <Box component="section" aria-label="Preview" sx={{ minWidth: 0 }}>
      <Box sx={{ fontSize: 12, fontWeight: 550, color: 'text.secondary', mb: 1 }}>What the customer gets</Box>
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
        <Box sx={{ height: 6, backgroundColor: COLOR.test(primaryColor) ? primaryColor : USUAL_COLOR }} />
        <Box sx={{ p: 5, display: 'grid', gap: 5 }}>
          <Box sx={{ display: 'flex', gap: 4, justifyContent: 'space-between', alignItems: 'flex-start' }}>
            <Box sx={{ minWidth: 0 }}>
              {logoUrl?.startsWith('data:') && (
                <Box component="img" src={logoUrl} alt="" sx={{ display: 'block', maxHeight: 36, maxWidth: 120, mb: 2 }} />
              )}
              <Box sx={{ fontSize: 14, fontWeight: 650 }}>{companyName}</Box>
              <Soft>{[merchant.address, [merchant.city, merchant.state].filter(Boolean).join(', ')].filter(Boolean).join(' · ')}</Soft>
            </Box>
            <Box sx={{ textAlign: 'right', flexShrink: 0 }}>
              <Box sx={{ fontSize: 14, fontWeight: 650 }}>Invoice</Box>
              <Soft>{number ?? 'Number when saved'}</Soft>
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
                  SANDBOX
                </Box>
              )}
            </Box>
          </Box>
          <Box sx={{ display: 'flex', gap: 4, justifyContent: 'space-between' }}>
            <Box sx={{ minWidth: 0 }}>
              <Soft>Bill to</Soft>
              <Box sx={{ fontWeight: 600 }}>{customer === null ? '–' : customerName(customer)}</Box>
              {customer?.email && <Soft>{customer.email}</Soft>}
            </Box>
            <Box sx={{ textAlign: 'right', flexShrink: 0 }}>
              <Soft>Due</Soft>
              <Box sx={{ fontWeight: 600 }}>{/^\d{4}-\d{2}-\d{2}$/.test(dueDate) ? dayText(dueDate) : '–'}</Box>
            </Box>
          </Box>
          <Box
            component="table"
            sx={{
              width: '100%',
              borderCollapse: 'collapse',
              '& th': { fontWeight: 600, color: SOFT_INK, fontSize: 12 },
              '& th, & td': { p: 0, py: 1, textAlign: 'right', verticalAlign: 'top', borderBottom: `1px solid ${HAIRLINE}` },
              '& th:first-of-type, & td:first-of-type': { textAlign: 'left', pr: 3 },
              '& td + td, & th + th': { pl: 3, whiteSpace: 'nowrap' },
            }}
          >
            <thead>
              <tr>
                <th scope="col">Description</th>
                <th scope="col">Qty</th>
                <th scope="col">Price</th>
                <th scope="col">Amount</th>
              </tr>
            </thead>
            <tbody>
              {written.map((line) => {
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
              {written.length === 0 && (
                <tr>
                  <td colSpan={4}>
                    <Soft>The lines appear here.</Soft>
                  </td>
                </tr>
              )}
            </tbody>
          </Box>
          <Box sx={{ display: 'flex', justifyContent: 'space-between', fontSize: 14, fontWeight: 650 }}>
            <span>Due</span>
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

function Soft({ children }: { children: ReactNode }) {
  return <Box sx={{ color: SOFT_INK }}>{children}</Box>;
}
