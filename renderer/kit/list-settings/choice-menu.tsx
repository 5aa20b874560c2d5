import Button from '@mui/material/Button';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { t } from '#renderer/base/language';

interface ChoiceMenuProps<Value extends string> {
  readonly label: string;
  readonly options: readonly (readonly [value: Value, name: string])[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  /** True to show the label before the value. */
  readonly isLabelShown?: boolean;
  /** Key that chooses the next value. */
  readonly keys?: string;
}

/** A button with the chosen value, and a menu of the others. */
export function ChoiceMenu<Value extends string>({ label, options, value, onChange, isLabelShown = false, keys }: ChoiceMenuProps<Value>) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const name = options.find(([option]) => option === value)?.[1] ?? '';
  const text = t('{{label}}: {{value}}', { label, value: name });
  return (
    <>
      <Button
        variant="outlined"
        size="small"
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        aria-label={text}
        aria-keyshortcuts={keys}
        title={keys && `${label}: ${keys}`}
        onClick={(event) => setAnchor(event.currentTarget)}
        endIcon={<ChevronDown size={14} aria-hidden />}
      >
        {isLabelShown ? text : name}
      </Button>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)} slotProps={{ list: { 'aria-label': label } }}>
        {options.map(([option, optionName]) => (
          <MenuItem
            key={option}
            role="menuitemradio"
            aria-checked={option === value}
            selected={option === value}
            onClick={() => {
              setAnchor(null);
              onChange(option);
            }}
          >
            {optionName}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
