import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import type { ApprovalPerson } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { FailureNote, useFocusAfterChoice } from '#renderer/kit/ui';
import { takeOver } from '#renderer/session/user';
import { PinField } from './pin-field.tsx';

interface PersonFormProps {
  readonly people: readonly ApprovalPerson[];
  readonly onDone?: () => void;
  readonly actions?: ReactNode;
  /** False if another field has the focus first. */
  readonly focusesPin?: boolean;
}

/** Person and PIN, with which the person takes over the screen. */
export function PersonForm({ people, onDone, actions, focusesPin = true }: PersonFormProps) {
  const [chosenId, setChosen] = useState<string>();
  const userId = chosenId ?? people[0]?.userId ?? '';
  const [pin, setPin] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const choiceHandlers = useFocusAfterChoice(() => field.current?.focus());
  const entry = useMutation({
    mutationFn: () => takeOver(userId, pin),
    onSuccess: onDone,
    onError: () => {
      setPin('');
      field.current?.focus();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (pin.length >= 4 && !entry.isPending) entry.mutate();
  };
  return (
    <Box component="form" noValidate onSubmit={submit} sx={{ display: 'grid', gap: 4, pt: 1 }}>
      <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr) 136px' }}>
        <TextField
          id="next-person"
          select
          label={t('Person')}
          value={userId}
          onChange={(event) => setChosen(event.target.value)}
          slotProps={{ select: choiceHandlers }}
        >
          {people.map((person) => (
            <MenuItem key={person.userId} value={person.userId}>
              {person.name ?? person.email}
            </MenuItem>
          ))}
        </TextField>
        <PinField id="person-pin" label="PIN" value={pin} onValue={setPin} inputRef={field} autoFocus={focusesPin} />
      </Box>
      {entry.error && <FailureNote failure={entry.error} />}
      <Box sx={{ display: 'flex', gap: 3, justifyContent: 'flex-end' }}>
        {actions}
        <Button type="submit" variant="contained" color="primary" loading={entry.isPending} disabled={pin.length < 4}>
          {t('Take over')}
        </Button>
      </Box>
    </Box>
  );
}
