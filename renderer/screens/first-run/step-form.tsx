import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { type FormEvent, type ReactNode, useEffect } from 'react';
import { t } from '#renderer/base/language';

interface StepFormProps {
  readonly title: string;
  readonly submitLabel: string;
  readonly isBusy?: boolean;
  /** Replaces the label of the button while it is busy, and what happens meanwhile. */
  readonly busyTexts?: { readonly label: string; readonly note: string };
  readonly onSubmit: () => void;
  readonly onBack?: () => void;
  /** True for a step without fields, so that Enter continues. */
  readonly focusesSubmit?: boolean;
  readonly children: ReactNode;
}

/** A step of the first run: Enter continues, Back keeps the input. */
export function StepForm({
  title,
  submitLabel,
  isBusy = false,
  busyTexts,
  onSubmit,
  onBack,
  focusesSubmit = false,
  children,
}: StepFormProps) {
  const busy = isBusy ? busyTexts : undefined;
  useEffect(() => {
    document.title = `${title} · Paydesk`;
  }, [title]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isBusy) onSubmit();
  };
  return (
    <Box component="form" noValidate onSubmit={submit} sx={{ display: 'grid', gap: 5 }}>
      <Typography variant="h1">{title}</Typography>
      {children}
      <Box sx={{ display: 'flex', flexDirection: 'row-reverse', gap: 3, mt: 1 }}>
        <Button
          type="submit"
          variant="contained"
          color="primary"
          size="large"
          loading={isBusy}
          {...(busyTexts && { loadingPosition: 'start', startIcon: <span /> })}
          autoFocus={focusesSubmit}
          sx={(theme) => ({
            flex: 1,
            // A gray button would look as if nothing happened.
            ...(busy && {
              '&.Mui-disabled': { backgroundColor: theme.vars.palette.primary.main, color: theme.vars.palette.primary.contrastText },
              '& .MuiButton-loadingIndicator': { color: 'inherit' },
            }),
          })}
        >
          {busy?.label ?? submitLabel}
        </Button>
        {onBack && (
          <Button variant="text" size="large" onClick={onBack}>
            {t('Back')}
          </Button>
        )}
      </Box>
      <Box role="status" sx={{ fontSize: 13, color: 'text.secondary', '&:empty': { display: 'none' } }}>
        {busy?.note}
      </Box>
    </Box>
  );
}
