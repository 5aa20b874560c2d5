import Box from '@mui/material/Box';
import { useState } from 'react';
import { language, t } from '#renderer/base/language';
import { ChoiceButtons } from '#renderer/kit/choices';
import { dayText, FailureNote, fullTime } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { LocalOnlyNote } from '#renderer/shared/payer-links';
import { LANGUAGE_CODES, LANGUAGES, type Language } from '#shared/languages';
import { Group } from '../fields.tsx';
import { FirstInvoices, useSettingsPreview } from '../first-invoices.tsx';
import { LifeCalendar } from '../life-calendar.tsx';
import { useFeeDays } from '../life-days.ts';
import { type ReminderPreview as Preview, previewReminders, type ValuesOf } from '../sections.ts';

interface ReminderPreviewProps {
  readonly merchantId: string;
  readonly settings: ValuesOf<'reminders'>;
  /** True if reminders are switched on by the unsaved changes. */
  readonly isSwitchedOn: boolean;
}

/** Calendar and texts of the reminders of one invoice, and the unpaid invoices that are reminded first. */
export function ReminderPreview({ merchantId, settings, isSwitchedOn }: ReminderPreviewProps) {
  const { timezone } = useMerchant();
  const preview = useSettingsPreview('reminder-preview', merchantId, settings, (asked) => previewReminders(merchantId, asked));
  const feeDays = useFeeDays(merchantId);
  if (preview.error) return <FailureNote failure={preview.error} />;
  if (!preview.data) return preview.isLoading ? <Box sx={{ height: 240 }} /> : null;
  const { first, firstCount: count, isComplete } = preview.data;
  return (
    <>
      {preview.data.isLocalOnly && (
        <Box>
          <LocalOnlyNote isMany />
          <Box sx={{ fontSize: 13, color: 'text.secondary', mt: 2 }}>
            {t('If an invoice has an open payment page of the gateway with an address, its reminders carry that address.')}
          </Box>
        </Box>
      )}
      <Life preview={preview.data} feeDays={feeDays} />
      {(settings.enabled || isSwitchedOn) && (
        <FirstInvoices
          title={t('Reminded first')}
          none={t('No unpaid invoice gets a reminder for now. Reminders of days that have passed are not sent.')}
          countText={
            isComplete
              ? t('{{count, number}} unpaid invoices get reminders. These come first:', { count })
              : t('At least {{count, number}} unpaid invoices get reminders. These come first:', { count })
          }
          invoices={first.map(({ next, amountDue, ...invoice }) => ({ ...invoice, when: fullTime(next.at, timezone), amount: amountDue }))}
        />
      )}
    </>
  );
}

function Life({ preview: { life, dueDate }, feeDays }: { preview: Preview; feeDays: readonly string[] }) {
  const [code, setCode] = useState<Language>(language());
  return (
    <Group title={t('Preview of one invoice')}>
      <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
        {t('An invoice that is sent today, is due on {{day}} and stays unpaid', { day: dayText(dueDate) })}
      </Box>
      <LifeCalendar label={t('Calendar of the reminders')} dueDate={dueDate} reminders={life.map(({ day }) => day)} fees={feeDays} />
      <ChoiceButtons
        label={t('Language')}
        options={LANGUAGE_CODES.map((each) => [each, LANGUAGES[each]] as const)}
        value={code}
        onChange={setCode}
      />
      <Box component="ol" aria-label={t('Texts of the reminders')} sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 3 }}>
        {life.map(({ days, day, channel, texts }) => {
          const text = texts.find((each) => each.language === code);
          return (
            <Box
              component="li"
              key={days}
              sx={(theme) => ({ borderInlineStart: `3px solid ${theme.vars.palette.divider}`, paddingInlineStart: 3 })}
            >
              <Box sx={{ fontSize: 12, color: 'text.secondary' }}>
                {`${dayText(day)} · ${channel === 'email' ? t('Email') : t('Text message')}`}
              </Box>
              {text?.subject && (
                <Box lang={code} sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>
                  {text.subject}
                </Box>
              )}
              <Box lang={code} sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                {text?.message}
              </Box>
            </Box>
          );
        })}
      </Box>
    </Group>
  );
}
