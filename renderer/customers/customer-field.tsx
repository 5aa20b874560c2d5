import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { useQuery } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { type Customer, queryClient } from '#renderer/client';
import { useSettled } from '#renderer/ui';
import { customerName } from './name.ts';
import { foundQuery } from './queries.ts';

const PAUSE_MS = 150;
/** Stands for a new customer instead of an existing one. */
const SOMEBODY_NEW = 'new';

interface CustomerFieldProps {
  readonly id: string;
  readonly merchantId: string;
  readonly value: Customer | null;
  readonly onChange: (customer: Customer | null) => void;
  /** Called with the text typed for a new customer's name; absent if nobody may be added. */
  readonly onNew?: ((name: string) => void) | undefined;
  /** Returns the detail that distinguishes customers of the same name. */
  readonly detailOf: (customer: Customer) => string;
  readonly problem: string | undefined;
  /** Help text while there is no problem. */
  readonly hint?: string | undefined;
  readonly autoFocus: boolean;
}

type Option = Customer | typeof SOMEBODY_NEW;

/**
 * Finds a customer by typed text: Enter picks the first match, even if it was pressed before the matches arrived. The last entry creates a
 * customer.
 */
export function CustomerField({ id, merchantId, value, onChange, onNew, detailOf, problem, hint, autoFocus }: CustomerFieldProps) {
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  /** Text for which Enter was pressed before its matches arrived. */
  const struck = useRef<string | null>(null);
  const typed = value === null ? text.trim() : '';
  const wanted = useSettled(typed, PAUSE_MS);
  const found = useQuery(foundQuery(merchantId, wanted));
  // Matches for other text are never chosen.
  const isBehind = found.isPending || found.isPlaceholderData || wanted !== typed;
  const options: Option[] = isBehind ? [] : [...(found.data ?? []), ...(onNew && typed !== '' ? ([SOMEBODY_NEW] as const) : [])];
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || typed === '' || !isBehind) return;
    event.preventDefault();
    event.stopPropagation();
    struck.current = typed;
    const pickFirst = ([first]: Customer[]) => {
      if (!first || struck.current !== typed) return;
      setOpen(false);
      onChange(first);
    };
    queryClient.fetchQuery(foundQuery(merchantId, typed)).then(pickFirst, () => undefined);
  };
  return (
    <Autocomplete<Option>
      id={id}
      options={options}
      open={isOpen}
      onOpen={() => setOpen(true)}
      onClose={() => setOpen(false)}
      value={value}
      onChange={(_, option) => {
        if (option !== SOMEBODY_NEW) return onChange(option);
        setText('');
        onNew?.(typed);
      }}
      inputValue={text}
      onInputChange={(_, next) => {
        struck.current = null;
        setText(next);
      }}
      onKeyDownCapture={onKeyDown}
      onBlur={() => {
        struck.current = null;
      }}
      getOptionLabel={(option) => (option === SOMEBODY_NEW ? typed : customerName(option))}
      getOptionKey={(option) => (option === SOMEBODY_NEW ? SOMEBODY_NEW : option.customerId)}
      isOptionEqualToValue={(one, other) => one !== SOMEBODY_NEW && other !== SOMEBODY_NEW && one.customerId === other.customerId}
      filterOptions={(all) => all}
      autoHighlight
      loading={isBehind}
      loadingText="Looking…"
      noOptionsText={found.error ? 'Customers cannot be looked up now.' : 'No such customer.'}
      slotProps={{
        paper: { sx: (theme) => ({ border: `1px solid ${theme.vars.palette.divider}`, boxShadow: '0 8px 24px rgb(8 14 20 / 0.18)' }) },
      }}
      renderOption={({ key, ...props }, option) =>
        option === SOMEBODY_NEW ? (
          <Box component="li" key={key} {...props} sx={{ gap: 2 }}>
            <UserPlus size={16} aria-hidden /> New customer “{typed}”
          </Box>
        ) : (
          <Box component="li" key={key} {...props} sx={{ gap: 3 }}>
            <Box component="span" sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
              {customerName(option)}
            </Box>
            <Box component="span" sx={{ fontSize: 12, color: 'text.secondary', textAlign: 'right', overflowWrap: 'anywhere' }}>
              {detailOf(option)}
            </Box>
          </Box>
        )
      }
      renderInput={(params) => (
        <TextField
          {...params}
          label="Customer"
          placeholder="Name, e-mail, phone or last four"
          autoFocus={autoFocus}
          error={problem !== undefined}
          helperText={problem ?? hint}
        />
      )}
    />
  );
}
