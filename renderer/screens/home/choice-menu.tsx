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
}

/** A button with the chosen value, and a menu of the others. */
export function ChoiceMenu<Value extends string>({ label, options, value, onChange }: ChoiceMenuProps<Value>) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const name = options.find(([option]) => option === value)?.[1] ?? '';
  return (
    <>
      <Button
        variant="outlined"
        size="small"
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        aria-label={t('{{label}}: {{value}}', { label, value: name })}
        onClick={(event) => setAnchor(event.currentTarget)}
        endIcon={<ChevronDown size={14} aria-hidden />}
      >
        {name}
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
