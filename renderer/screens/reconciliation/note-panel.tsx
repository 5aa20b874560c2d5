import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useRef, useState } from 'react';
import { Trans, t } from '#renderer/base/language';
import { KeyHint, PanelForm, useShortcuts, useSubmit } from '#renderer/kit/ui';
import { explain, refreshReconciliation } from './queries.ts';

const NOTE_MAX = 1_000;

interface NotePanelProps {
  readonly discrepancyId: string;
  /** Suggested note; nothing is stored before a person accepts it. */
  readonly suggestion: string | undefined;
  /** Called when the line is resolved and the screen is up to date. `goesOn`: the next line should open. */
  readonly onResolved: (goesOn: boolean, resolvedAt: string | null) => void;
  readonly onClose: () => void;
}

/** Records why a line differs and resolves it. Enter resolves, Ctrl+Enter also opens the next one. */
export function NotePanel({ discrepancyId, suggestion, onResolved, onClose }: NotePanelProps) {
  const [note, setNote] = useState('');
  const [isMissing, setMissing] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const resolving = useSubmit({
    send: ({ text }: { text: string; goesOn: boolean }) => explain(discrepancyId, text),
    refreshFirst: refreshReconciliation,
    onDone: ({ resolvedAt }, { goesOn }) => onResolved(goesOn, resolvedAt),
    onClose,
  });
  const send = (goesOn: boolean) => {
    const text = note.trim();
    if (text !== '') return resolving.onSubmit({ text, goesOn });
    setMissing(true);
    field.current?.focus();
  };
  const write = (text: string) => {
    setNote(text);
    setMissing(false);
  };
  useShortcuts(t('This note'), [{ keys: 'Mod+Enter', label: t('Resolve and open the next'), run: () => send(true) }]);
  return (
    <PanelForm
      {...resolving}
      title={t('Note and resolve')}
      explanation={t('The line stays in the report with your note, your name and the time. Nothing is charged or refunded.')}
      submitLabel={t('Resolve')}
      onSubmit={() => send(false)}
    >
      <TextField
        id="reconciliation-note"
        label={t('Note')}
        value={note}
        onChange={({ target }) => write(target.value)}
        autoFocus
        inputRef={field}
        error={isMissing}
        helperText={isMissing ? t('Explain why the two sides differ.') : undefined}
        slotProps={{ htmlInput: { maxLength: NOTE_MAX, autoComplete: 'off' } }}
      />
      {suggestion && note === '' && (
        <Button
          variant="text"
          size="small"
          onClick={() => {
            write(suggestion);
            field.current?.focus();
          }}
          sx={(theme) => ({
            justifySelf: 'start',
            border: `1px dashed ${theme.vars.palette.outline}`,
            whiteSpace: 'normal',
            textAlign: 'start',
            fontWeight: 450,
          })}
        >
          {t('Use: {{suggestion}}', { suggestion })}
        </Button>
      )}
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, fontSize: 12, color: 'text.secondary' }}>
        <Trans i18nKey="<0/> resolves and opens the next line" components={[<KeyHint key="0" keys="Mod+Enter" />]} />
      </Box>
    </PanelForm>
  );
}
