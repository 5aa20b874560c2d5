import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import MuiDialog from '@mui/material/Dialog';
import InputAdornment from '@mui/material/InputAdornment';
import TextField from '@mui/material/TextField';
import { ArrowRight, CornerDownLeft, Hash, type LucideIcon, Search, SquareTerminal, UserSearch } from 'lucide-react';
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

/** Records that a pasted ID opens, for users who may see them. */
const RECORD_KINDS: readonly { readonly pattern: RegExp; readonly what: string; readonly path: string; readonly permission: string }[] = [
  { pattern: /^txn_[0-9A-Za-z]+$/, what: 'transaction', path: '/transactions', permission: 'transactions:read' },
  { pattern: /^cus_[0-9A-Za-z]+$/, what: 'customer', path: '/customers', permission: 'customers:read' },
  { pattern: /^sub_[0-9A-Za-z]+$/, what: 'subscription', path: '/recurring', permission: 'recurring:read' },
  { pattern: /^msg_[0-9A-Za-z]+$/, what: 'message', path: '/messages', permission: 'notifications:read' },
  { pattern: /^inv_[0-9A-Za-z]+$/, what: 'invoice', path: '/invoices', permission: 'invoices:read' },
];

/** Command palette: opens a page, a command or a pasted ID, or searches transactions and customers. */
export function Palette({ commands, onClose }: { commands: readonly Command[]; onClose: () => void }) {
  const navigate = useNavigate();
  const may = useMay();
  const [text, setText] = useState('');
  const commandOptions: Option[] = [
    ...PAGES.filter(({ permission }) => may(permission)).map(
      ({ path, name, icon, keys }): Option => ({ id: path, label: name, icon, keys, run: () => void navigate(path) }),
    ),
    ...commands
      .filter(({ id }) => id !== 'palette' && id !== 'find-transaction')
      .map(({ id, label, keys, run }): Option => ({ id, label, icon: SquareTerminal, keys, run })),
  ];
  // The most frequent search comes before the pages, the others after them.
  const [first, ...others] = searchOptions(text.trim());
  const options = [...(first ? [first] : []), ...commandOptions, ...others];

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
          noOptionsText="No matches"
          renderInput={(params) => (
            <TextField
              {...params}
              autoFocus
              placeholder="Page, command, ID, customer, last 4, email or order"
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
    const record = RECORD_KINDS.find(({ pattern, permission }) => pattern.test(typed) && may(permission));
    if (record) return [option('open', `Open ${record.what} ${typed}`, Hash, `${record.path}/${typed}`)];
    const search = `?${new URLSearchParams({ q: typed })}`;
    return [
      ...(may('transactions:read')
        ? [option('search', `Find transactions matching “${typed}”`, ArrowRight, `/transactions${search}`)]
        : []),
      ...(may('customers:read')
        ? [option('search-customers', `Find customers matching “${typed}”`, UserSearch, `/customers${search}`)]
        : []),
    ];
  }

  function option(id: string, label: string, icon: LucideIcon, path: string): Option {
    return { id, label, icon, run: () => void navigate(path) };
  }
}

function isMatch({ id, label }: Option, typed: string): boolean {
  return id === 'open' || id.startsWith('search') || label.toLowerCase().includes(typed.toLowerCase());
}
