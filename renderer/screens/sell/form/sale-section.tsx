import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { ChevronDown, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { KeyHint } from '#renderer/kit/ui';

interface SaleSectionProps {
  readonly id: string;
  readonly label: string;
  readonly keys?: string;
  readonly open: boolean;
  readonly onToggle: () => void;
  readonly children: ReactNode;
}

/** A section of optional fields in a grid of six columns. It stays rendered while it is closed, so that nothing typed is lost. */
export function SaleSection({ id, label, keys, open, onToggle, children }: SaleSectionProps) {
  const Chevron = open ? ChevronDown : ChevronRight;
  return (
    <Box>
      <Button
        variant="text"
        size="small"
        aria-expanded={open}
        aria-controls={id}
        onClick={onToggle}
        startIcon={<Chevron size={16} aria-hidden />}
        sx={{ marginInlineStart: -2.5, color: 'text.secondary' }}
      >
        {label}
        {keys && (
          <Box component="span" sx={{ marginInlineStart: 2 }}>
            <KeyHint keys={keys} />
          </Box>
        )}
      </Button>
      <Box
        id={id}
        hidden={!open}
        sx={{ pt: 3, '&:not([hidden])': { display: 'grid' }, gridTemplateColumns: 'repeat(6, minmax(0, 1fr))', gap: 3 }}
      >
        {children}
      </Box>
    </Box>
  );
}

/** A part of the section's row. */
export function Cell({ span, children }: { readonly span: number; readonly children: ReactNode }) {
  return <div style={{ gridColumn: `span ${span}` }}>{children}</div>;
}
