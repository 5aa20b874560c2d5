import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useRef } from 'react';
import { t } from '#renderer/base/language';
import { FailureNote, keyTip, QueryContent } from '#renderer/kit/ui';
import { useMay, useMe } from '#renderer/session/user';
import { useRequestedSetting } from '#renderer/shared/settings-pages';
import { UnsavedChanges } from '#renderer/shared/unsaved-changes';
import { type SectionName, sectionQuery, type ValuesOf } from './sections.ts';
import { type Draft, type Problems, useDraft } from './use-draft.ts';

interface SectionFormProps<Name extends SectionName> {
  readonly merchantId: string;
  readonly name: Name;
  /** Permission that is required for changes. */
  readonly permission?: string;
  /** Confirmation after saving. */
  readonly savedText?: string;
  /** Returns the problems of values that are not sent. */
  readonly problemsOf?: (values: ValuesOf<Name>) => Problems<ValuesOf<Name>>;
  readonly children: (draft: Draft<ValuesOf<Name>>, isReadOnly: boolean) => ReactNode;
}

/** Returns why the settings cannot be changed. A session by PIN changes no settings, whatever the role of the person. */
function readOnlyText(permission: string, byPin: boolean): string {
  if (byPin) return t('You took over this workstation with a PIN. To change settings, lock the screen, and unlock it with your password.');
  return permission.startsWith('owner:')
    ? t('Only an owner can change these settings.')
    : t('Your role can view these settings but not change them.');
}

/** Form of one settings object of the merchant, with the number of unsaved changes. */
export function SectionForm<Name extends SectionName>(props: SectionFormProps<Name>) {
  const { merchantId, name } = props;
  const saved = useQuery(sectionQuery(merchantId, name));
  return (
    <QueryContent query={saved} skeleton={<Box sx={{ height: 240 }} />}>
      {(values) => <Fields key={`${merchantId}/${name}`} {...props} saved={values as ValuesOf<Name>} />}
    </QueryContent>
  );
}

function Fields<Name extends SectionName>({
  merchantId,
  name,
  permission = 'merchants:write',
  savedText,
  problemsOf,
  saved,
  children,
}: SectionFormProps<Name> & { readonly saved: ValuesOf<Name> }) {
  const isReadOnly = !useMay()(permission);
  const { byPin } = useMe().user;
  const draft = useDraft(merchantId, name, saved, { savedText, problemsOf });
  const form = useRef<HTMLFormElement>(null);
  useRequestedSetting(form);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    draft.save();
  };
  return (
    <Box
      component="form"
      ref={form}
      noValidate
      onSubmit={submit}
      sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 5, maxWidth: { xs: 760, xl: 1040 } }}
    >
      {children(draft, isReadOnly)}
      {draft.failure && !isFieldError(draft) && <FailureNote failure={draft.failure} />}
      {isReadOnly ? (
        <Box sx={{ color: 'text.secondary', fontSize: 13 }}>{readOnlyText(permission, byPin)}</Box>
      ) : (
        <Box sx={SAVE_BAR} data-changed={draft.count > 0 || undefined}>
          <Box role="status" sx={{ flex: 1, fontSize: 13, color: 'text.secondary' }}>
            {draft.count === 0 ? t('No changes') : t('{{count, number}} changes', { count: draft.count })}
          </Box>
          {draft.count > 0 && (
            <Button variant="text" onClick={draft.reset}>
              {t('Discard')}
            </Button>
          )}
          <Button
            type="submit"
            variant="contained"
            color="primary"
            disabled={draft.count === 0}
            loading={draft.isSaving}
            {...keyTip('Mod+S')}
          >
            {t('Save')}
          </Button>
        </Box>
      )}
      <UnsavedChanges hasChanges={() => draft.count > 0} isSaving={draft.isSaving}>
        {t('{{count, number}} changes are not saved.', { count: draft.count })}
      </UnsavedChanges>
    </Box>
  );
}

/** Stays at the bottom of the window, so that changes can be saved without scrolling. */
const SAVE_BAR = {
  position: 'sticky',
  bottom: 0,
  zIndex: 1,
  display: 'flex',
  gap: 3,
  alignItems: 'center',
  // Covers the round ends of switches, which reach out of the form.
  mx: -1,
  px: 1,
  py: 3,
  bgcolor: 'background.paper',
  borderTop: 1,
  borderColor: 'divider',
  '&[data-changed]': { borderColor: 'primary.main' },
} as const;

function isFieldError<Values extends object>({ failure, values }: Draft<Values>): boolean {
  const [field = ''] = failure?.field?.split('.') ?? [];
  return Object.hasOwn(values, field);
}
