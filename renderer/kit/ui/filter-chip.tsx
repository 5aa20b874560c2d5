import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { Check, ChevronDown, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { t } from '#renderer/base/language';

/** One of the values of a filter. */
export interface FilterOption {
  readonly value: string;
  readonly name: string;
}

interface ChipShellProps {
  readonly label: string;
  /** Selected value as text; undefined without one. */
  readonly chosenName: string | undefined;
  readonly onClear: () => void;
  readonly kind: 'menu' | 'dialog';
  /** Content of the popover. */
  readonly children: (anchor: HTMLElement | null, close: () => void) => ReactNode;
}

/** A filter as a button with its name, its value and a button that clears it. */
export function ChipShell({ label, chosenName, onClear, kind, children }: ChipShellProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const isSet = chosenName !== undefined;
  return (
    <Box
      sx={(theme) => ({
        display: 'inline-flex',
        alignItems: 'center',
        height: 32,
        border: `1px solid ${isSet ? theme.vars.palette.primary.main : theme.vars.palette.outline}`,
        borderStyle: isSet ? 'solid' : 'dashed',
        borderRadius: 1,
        color: isSet ? theme.vars.palette.primary.main : theme.vars.palette.text.secondary,
        backgroundColor: isSet ? theme.vars.palette.tone.primary.tint : 'transparent',
      })}
    >
      <Button
        variant="text"
        size="small"
        aria-haspopup={kind}
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        endIcon={!isSet && <ChevronDown size={14} aria-hidden />}
        sx={{ minHeight: 30, px: 2.5, color: 'inherit' }}
      >
        {isSet ? `${label}: ${chosenName}` : label}
      </Button>
      {isSet && (
        <IconButton
          size="small"
          aria-label={t('Clear {{label}}', { label: label.toLowerCase() })}
          onClick={onClear}
          sx={{ marginInlineEnd: 0.5, p: 1, color: 'inherit' }}
        >
          <X size={14} aria-hidden />
        </IconButton>
      )}
      {children(anchor, () => setAnchor(null))}
    </Box>
  );
}

interface FilterChipProps {
  readonly label: string;
  readonly options: readonly FilterOption[];
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

/** A filter with one of several values. */
export function FilterChip({ label, options, value, onChange }: FilterChipProps) {
  const chosen = options.find((option) => option.value === value)?.name;
  return (
    <ChipShell label={label} chosenName={chosen} onClear={() => onChange(undefined)} kind="menu">
      {(anchor, close) => (
        <Menu anchorEl={anchor} open={anchor !== null} onClose={close} slotProps={{ list: { 'aria-label': label, sx: { minWidth: 176 } } }}>
          {options.map((option) => (
            <MenuItem
              key={option.value}
              role="menuitemradio"
              aria-checked={option.value === value}
              onClick={() => {
                close();
                onChange(option.value);
              }}
            >
              <Box sx={{ width: 20, display: 'inline-flex' }}>{option.value === value && <Check size={16} aria-hidden />}</Box>
              {option.name}
            </MenuItem>
          ))}
        </Menu>
      )}
    </ChipShell>
  );
}
