import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import MuiDialog from '@mui/material/Dialog';
import InputAdornment from '@mui/material/InputAdornment';
import TextField from '@mui/material/TextField';
import { ArrowRight, CornerDownLeft, Hash, type LucideIcon, Search, SquareTerminal } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useMay } from '#renderer/session';
import { KeyHint, KeyLayer } from '#renderer/ui';
import { PAGES } from './pages.ts';
import type { Command } from './use-commands.ts';

interface Option {
  readonly id: string;
  readonly label: string;
  readonly icon: LucideIcon;
  readonly keys?: string;
  readonly run: () => void;
}

const TRANSACTION_ID = /^txn_[0-9A-Za-z]+$/;

/** Goes anywhere by name: a page, a command, a pasted id, or a search of the transactions. */
export function Palette({ commands, onClose }: { commands: readonly Command[]; onClose: () => void }) {
  const navigate = useNavigate();
  const may = useMay();
  const [text, setText] = useState('');
  const fixed: Option[] = [
    ...PAGES.filter(({ permission }) => may(permission)).map(
      ({ path, name, icon, keys }): Option => ({ id: path, label: name, icon, keys, run: () => void navigate(path) }),
    ),
    ...commands
      .filter(({ id }) => id !== 'palette' && id !== 'find-transaction')
      .map(({ id, label, keys, run }): Option => ({ id, label, icon: SquareTerminal, keys, run })),
  ];
  const options = [...(may('transactions:read') ? searchOptions(text.trim()) : []), ...fixed];

  return (
    <MuiDialog
      open
      onClose={onClose}
      maxWidth="sm"
      fullWidth
      aria-label="Go to anything"
      sx={{ '& .MuiDialog-container': { alignItems: 'flex-start', pt: '12vh' } }}
    >
      <KeyLayer isBlocking>
        <Autocomplete<Option>
          open
          autoHighlight
          disablePortal
          options={options}
          getOptionLabel={({ label }) => label}
          filterOptions={(all) => all.filter((option) => isMatch(option, text.trim()))}
          inputValue={text}
          onInputChange={(_, value, reason) => reason === 'input' && setText(value)}
          value={null}
          onChange={(_, option) => {
            if (!option) return;
            onClose();
            option.run();
          }}
          onClose={(_, reason) => reason === 'escape' && onClose()}
          forcePopupIcon={false}
          noOptionsText="Nothing goes by that name"
          renderInput={(params) => (
            <TextField
              {...params}
              autoFocus
              placeholder="Page, command, transaction id, last four, e-mail or order"
              slotProps={{
                ...params.slotProps,
                htmlInput: { ...params.slotProps.htmlInput, 'aria-label': 'Go to anything' },
                input: {
                  ...params.slotProps.input,
                  startAdornment: (
                    <InputAdornment position="start">
                      <Search size={18} aria-hidden />
                    </InputAdornment>
                  ),
                  sx: { height: 56, fontSize: 16, '&&': { pl: 4 }, '&& .MuiOutlinedInput-notchedOutline': { border: 'none' } },
                },
              }}
            />
          )}
          renderOption={({ key, ...props }, { label, icon: Icon, keys }) => (
            <Box component="li" key={key} {...props} sx={{ display: 'flex', gap: 3, minHeight: 40 }}>
              <Icon size={16} aria-hidden />
              <Box sx={{ flex: 1 }}>{label}</Box>
              {keys ? <KeyHint keys={keys} /> : <CornerDownLeft size={14} aria-hidden style={{ opacity: 0.5 }} />}
            </Box>
          )}
          slotProps={{
            popper: { sx: { position: 'static !important', transform: 'none !important', width: '100% !important' } },
            paper: { sx: { borderRadius: 0, borderTop: 1, borderColor: 'divider' } },
            listbox: { sx: { maxHeight: '46vh' } },
          }}
        />
      </KeyLayer>
    </MuiDialog>
  );

  function searchOptions(typed: string): Option[] {
    if (typed === '') return [];
    if (TRANSACTION_ID.test(typed)) {
      return [{ id: 'open', label: `Open transaction ${typed}`, icon: Hash, run: () => void navigate(`/transactions/${typed}`) }];
    }
    const search = `?${new URLSearchParams({ q: typed })}`;
    return [
      { id: 'search', label: `Find transactions with “${typed}”`, icon: ArrowRight, run: () => void navigate(`/transactions${search}`) },
    ];
  }
}

function isMatch({ id, label }: Option, typed: string): boolean {
  return id === 'open' || id === 'search' || label.toLowerCase().includes(typed.toLowerCase());
}
