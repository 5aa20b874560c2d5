import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { type FormEvent, type KeyboardEvent, type ReactNode, useId } from 'react';
import type { ApiFailure } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { FailureNote } from './failure-note.tsx';
import { SectionTitle } from './section.tsx';
import { useKeptFocus } from './use-kept-focus.ts';

interface PanelFormProps {
  readonly title: string;
  /** Effect of the operation, and when the customer sees it. */
  readonly explanation: ReactNode;
  /** Verb and object: "Refund 20.00 USD". */
  readonly submitLabel: string;
  readonly isDangerous?: boolean;
  readonly isBusy: boolean;
  readonly failure: ApiFailure | null;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  /** True without fields: the button gets the focus, so that Enter confirms. */
  readonly focusesSubmit?: boolean;
  readonly children?: ReactNode;
}

/** Form of an operation, in the drawer below its button. Enter submits; Esc closes the form and not the drawer. */
export function PanelForm(props: PanelFormProps) {
  const {
    title,
    explanation,
    submitLabel,
    isDangerous = false,
    isBusy,
    failure,
    onSubmit,
    onClose,
    focusesSubmit = false,
    children,
  } = props;
  const titleId = useId();
  const form = useKeptFocus<HTMLFormElement>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isBusy) onSubmit();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    onClose();
  };
  return (
    <Box
      component="form"
      ref={form}
      tabIndex={-1}
      noValidate
      aria-labelledby={titleId}
      onSubmit={submit}
      onKeyDown={onKeyDown}
      sx={(theme) => ({
        display: 'grid',
        gap: 4,
        p: 4,
        outline: 'none',
        border: `1px solid ${theme.vars.palette.divider}`,
        borderRadius: 1,
        backgroundColor: theme.vars.palette.background.default,
      })}
    >
      <Box>
        <SectionTitle id={titleId}>{title}</SectionTitle>
        <Typography variant="body2" component="div" sx={{ color: 'text.secondary', mt: 0.5 }}>
          {explanation}
        </Typography>
      </Box>
      {children}
      {failure && <FailureNote failure={failure} />}
      <Box sx={{ display: 'flex', gap: 2, justifyContent: 'flex-end' }}>
        <Button variant="text" onClick={onClose}>
          {t('Cancel')}
        </Button>
        <Button type="submit" variant="contained" color={isDangerous ? 'error' : 'primary'} loading={isBusy} autoFocus={focusesSubmit}>
          {submitLabel}
        </Button>
      </Box>
    </Box>
  );
}
