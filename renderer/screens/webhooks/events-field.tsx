import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormGroup from '@mui/material/FormGroup';
import FormHelperText from '@mui/material/FormHelperText';
import { t } from '#renderer/base/language';
import { useMay } from '#renderer/session/user';
import { EVERY_SECURITY_TYPE, EVERY_TYPE, isSecurityName } from '#shared/webhook-events';
import { GROUP_NAMES, type Groups, PAYMENT_GROUPS, SECURITY_GROUPS } from './event-types.ts';

interface Choice {
  readonly events: readonly string[];
  readonly onChange: (events: readonly string[]) => void;
}

/** The events of an endpoint: every payment event or some; for owners also security events. */
export function EventsField({ events, onChange }: Choice) {
  const mayChooseSecurity = useMay()('owner:activity');
  const security = events.filter(isSecurityName);
  const payments = events.filter((name) => !isSecurityName(name));
  return (
    <Box component="fieldset" sx={{ border: 0, m: 0, p: 0, minWidth: 0 }}>
      <Box component="legend" sx={{ fontSize: 13, fontWeight: 600, mb: 1, p: 0 }}>
        {t('Events')}
      </Box>
      <EventsChoice
        events={payments}
        onChange={(chosen) => onChange([...chosen, ...security])}
        every={EVERY_TYPE}
        label={t('All payment events, including those of later versions')}
        types={PAYMENT_GROUPS}
      />
      {mayChooseSecurity && (
        <Box sx={{ mt: 3 }}>
          <EventsChoice
            events={security}
            onChange={(chosen) => onChange([...payments, ...chosen])}
            every={EVERY_SECURITY_TYPE}
            label={t('All security events, including those of later versions')}
            explanation={t('Sign-ins and changes of access. Only owners can see or change an endpoint that receives them.')}
            types={SECURITY_GROUPS}
          />
        </Box>
      )}
    </Box>
  );
}

interface EventsChoiceProps extends Choice {
  /** Name for all types. */
  readonly every: string;
  readonly label: string;
  readonly explanation?: string;
  /** Event types by subject. */
  readonly types: Groups;
}

function EventsChoice({ events, onChange, every, label, explanation, types }: EventsChoiceProps) {
  const isEvery = events.includes(every);
  const toggle = (type: string) => onChange(events.includes(type) ? events.filter((known) => known !== type) : [...events, type]);
  return (
    <>
      <FormControlLabel
        control={<Checkbox size="small" checked={isEvery} onChange={() => onChange(isEvery ? [] : [every])} />}
        label={label}
      />
      {explanation && <FormHelperText sx={{ mt: 0 }}>{explanation}</FormHelperText>}
      {!isEvery && (
        <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, columnGap: 6, rowGap: 2, mt: 1 }}>
          {[...types].map(([area, names]) => (
            <Box key={area}>
              <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{GROUP_NAMES[area]}</Box>
              <FormGroup>
                {names.map((type) => (
                  <FormControlLabel
                    key={type}
                    control={<Checkbox size="small" checked={events.includes(type)} onChange={() => toggle(type)} />}
                    label={
                      <Box component="span" className="mono" sx={{ fontSize: 12 }}>
                        {type}
                      </Box>
                    }
                  />
                ))}
              </FormGroup>
            </Box>
          ))}
        </Box>
      )}
    </>
  );
}
