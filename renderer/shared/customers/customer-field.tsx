import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { useQuery } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { type Customer, queryClient } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { useDebounced } from '#renderer/kit/ui';
import { customerName } from './name.ts';
import { customerSearchQuery } from './queries.ts';

const PAUSE_MS = 150;
/** Stands for a new customer instead of an existing one. */
const NEW_CUSTOMER = 'new';

interface CustomerFieldProps {
  readonly id: string;
  readonly merchantId: string;
  readonly value: Customer | null;
  readonly onChange: (customer: Customer | null) => void;
  /** Called with the text typed for a new customer's name; absent if customers can't be added. */
  readonly onNew?: ((name: string) => void) | undefined;
  /** Returns the detail that distinguishes customers of the same name. */
  readonly detailOf: (customer: Customer) => string;
  readonly problem: string | undefined;
  /** Help text while there is no problem. */
  readonly hint?: string | undefined;
  readonly autoFocus: boolean;
}

type Option = Customer | typeof NEW_CUSTOMER;

/**
 * Finds a customer by typed text: Enter picks the first match, even if it was pressed before the matches arrived. The last entry creates a
 * customer.
 */
export function CustomerField({ id, merchantId, value, onChange, onNew, detailOf, problem, hint, autoFocus }: CustomerFieldProps) {
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  /** Text for which Enter was pressed before its matches arrived. */
  const enteredText = useRef<string | null>(null);
  const typed = value === null ? text.trim() : '';
  const searchText = useDebounced(typed, PAUSE_MS);
  const found = useQuery(customerSearchQuery(merchantId, searchText));
  // Matches for other text are never chosen.
  const isLoading = found.isPending || found.isPlaceholderData || searchText !== typed;
  const options: Option[] = isLoading ? [] : [...(found.data ?? []), ...(onNew && typed !== '' ? ([NEW_CUSTOMER] as const) : [])];
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || typed === '' || !isLoading) return;
    event.preventDefault();
    event.stopPropagation();
    enteredText.current = typed;
    const pickFirst = ([first]: Customer[]) => {
      if (!first || enteredText.current !== typed) return;
      setOpen(false);
      onChange(first);
    };
    queryClient.fetchQuery(customerSearchQuery(merchantId, typed)).then(pickFirst, () => undefined);
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
        if (option !== NEW_CUSTOMER) return onChange(option);
        setText('');
        onNew?.(typed);
      }}
      inputValue={text}
      onInputChange={(_, next) => {
        enteredText.current = null;
        setText(next);
      }}
      onKeyDownCapture={onKeyDown}
      onBlur={() => {
        enteredText.current = null;
      }}
      getOptionLabel={(option) => (option === NEW_CUSTOMER ? typed : customerName(option))}
      getOptionKey={(option) => (option === NEW_CUSTOMER ? NEW_CUSTOMER : option.customerId)}
      isOptionEqualToValue={(first, second) => first !== NEW_CUSTOMER && second !== NEW_CUSTOMER && first.customerId === second.customerId}
      filterOptions={(all) => all}
      autoHighlight
      loading={isLoading}
      loadingText={t('Searching…')}
      noOptionsText={found.error ? t('Customers can’t be searched right now.') : t('No matching customer')}
      slotProps={{
        paper: { sx: (theme) => ({ border: `1px solid ${theme.vars.palette.divider}`, boxShadow: '0 8px 24px rgb(8 14 20 / 0.18)' }) },
      }}
      renderOption={({ key, ...props }, option) =>
        option === NEW_CUSTOMER ? (
          <Box component="li" key={key} {...props} sx={{ gap: 2 }}>
            <UserPlus size={16} aria-hidden /> {t('New customer “{{name}}”', { name: typed })}
          </Box>
        ) : (
          <Box component="li" key={key} {...props} sx={{ gap: 3 }}>
            <Box component="span" sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
              {customerName(option)}
            </Box>
            <Box component="span" sx={{ fontSize: 12, color: 'text.secondary', textAlign: 'end', overflowWrap: 'anywhere' }}>
              {detailOf(option)}
            </Box>
          </Box>
        )
      }
      renderInput={(params) => (
        <TextField
          {...params}
          label={t('Customer')}
          placeholder={t('Name, email, phone or last four')}
          autoFocus={autoFocus}
          error={problem !== undefined}
          helperText={problem ?? hint}
        />
      )}
    />
  );
}
