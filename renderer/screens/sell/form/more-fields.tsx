import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { KeyHint } from '#renderer/ui';
import { EntryField } from './entry-field.tsx';
import type { SaleRules } from './form.ts';
import { postalRule } from './postal-code.ts';
import type { SaleForm } from './use-sale-form.ts';

interface MoreFieldsProps {
  readonly form: SaleForm;
  readonly rules: SaleRules;
  readonly open: boolean;
  readonly onToggle: () => void;
  readonly frozen: boolean;
  /** Fields for the customer and for saving the card. */
  readonly children: React.ReactNode;
}

/** Optional details of a sale. Stays rendered while it is closed, so that nothing typed is lost. */
export function MoreFields({ form, rules, open, onToggle, frozen, children }: MoreFieldsProps) {
  const Chevron = open ? ChevronDown : ChevronRight;
  const common = { frozen, tight: true };
  const postal = postalRule(rules.country);
  // The card fields contain the ZIP code if the merchant requires it for cards.
  const hasZip = rules.mode !== 'card' || !rules.requireZip;
  return (
    <Box>
      <Button
        variant="text"
        size="small"
        aria-expanded={open}
        aria-controls="sale-more"
        onClick={onToggle}
        startIcon={<Chevron size={16} aria-hidden />}
        sx={{ ml: -2.5, color: 'text.secondary' }}
      >
        More: customer, receipt, order, address
        <Box component="span" sx={{ ml: 2 }}>
          <KeyHint keys="F4" />
        </Box>
      </Button>
      <Box
        id="sale-more"
        hidden={!open}
        sx={{ pt: 3, '&:not([hidden])': { display: 'grid' }, gridTemplateColumns: 'repeat(6, minmax(0, 1fr))', gap: 3 }}
      >
        <Cell span={6}>{children}</Cell>
        <Cell span={3}>
          <EntryField {...common} bound={form.field('name')} label="Customer name" maxLength={100} />
        </Cell>
        <Cell span={3}>
          <EntryField {...common} bound={form.field('email')} label="Receipt email" email maxLength={200} />
        </Cell>
        <Cell span={3}>
          <EntryField {...common} bound={form.field('phone')} label="Phone" maxLength={30} />
        </Cell>
        <Cell span={3}>
          <EntryField {...common} bound={form.field('order')} label="Order ID" maxLength={100} />
        </Cell>
        <Cell span={6}>
          <EntryField {...common} bound={form.field('description')} label="Description" maxLength={500} />
        </Cell>
        <Cell span={hasZip ? 6 : 3}>
          <EntryField {...common} bound={form.field('street')} label="Street" maxLength={200} />
        </Cell>
        <Cell span={2}>
          <EntryField {...common} bound={form.field('city')} label="City" maxLength={100} />
        </Cell>
        <Cell span={hasZip ? 2 : 1}>
          <EntryField {...common} bound={form.field('state')} label="State" maxLength={50} />
        </Cell>
        {hasZip && (
          <Cell span={2}>
            <EntryField {...common} bound={form.field('zip')} label={postal.label} numeric={postal.numeric} maxLength={10} />
          </Cell>
        )}
      </Box>
    </Box>
  );
}

function Cell({ span, children }: { span: number; children: React.ReactNode }) {
  return <Box sx={{ gridColumn: `span ${span}` }}>{children}</Box>;
}
