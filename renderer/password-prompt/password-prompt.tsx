import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { Dialog, PasswordField } from '#renderer/ui';
import { useQuestion } from './with-password.ts';

/** The dialog that asks for the password before a sensitive change. Mounted once, in the shell. */
export function PasswordPrompt() {
  const question = useQuestion((state) => state.question);
  if (!question) return null;
  return <Prompt fault={question.fault} onAnswer={question.answer} />;
}

function Prompt({ fault, onAnswer }: { fault: string | null; onAnswer: (password: string | null) => void }) {
  const [password, setPassword] = useState('');
  return (
    <Dialog
      title="Confirm with your password"
      isOpen
      onClose={() => onAnswer(null)}
      onSubmit={() => password !== '' && onAnswer(password)}
      maxWidth="xs"
      actions={
        <>
          <Button variant="text" onClick={() => onAnswer(null)}>
            Cancel
          </Button>
          <Button type="submit" variant="contained" color="primary" disabled={password === ''}>
            Confirm
          </Button>
        </>
      }
    >
      <Box sx={{ display: 'grid', gap: 4 }}>
        <Box>This change affects where passwords, codes or money are sent.</Box>
        <PasswordField
          id="confirm-password"
          label="Your password"
          purpose="current-password"
          value={password}
          onValue={setPassword}
          autoFocus
          error={fault !== null}
          helperText={fault ?? undefined}
        />
      </Box>
    </Dialog>
  );
}
