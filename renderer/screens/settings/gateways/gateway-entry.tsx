import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link as RouterLink } from 'react-router';
import type { Gateway } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { announce, FailureNote, StatusChip, TestBadge, TimeText, useNow } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { refreshSettings } from '../sections.ts';
import { checkGateway } from './requests.ts';
import { checkText, healthText, holdText, waitText } from './texts.ts';
import type { GatewayCheck } from './types.ts';

const HEALTH_TICK_MS = 1_000;

interface GatewayEntryProps {
  readonly gateway: Gateway;
  /** Name of the processor. */
  readonly label: string;
  readonly canWrite: boolean;
  /** True if the user may request another check, which changes nothing. */
  readonly canCheck: boolean;
  /** Absent until the credential fields of its processor are known. */
  readonly onEdit?: () => void;
  readonly onToggle: () => void;
  readonly isToggling: boolean;
  readonly onRemove: () => void;
  /** Error of the last operation on it. */
  readonly children?: ReactNode;
}

/** A gateway in the list, with its settings, health, last check and actions. */
export function GatewayEntry({ gateway, label, canWrite, canCheck, onEdit, onToggle, isToggling, onRemove, children }: GatewayEntryProps) {
  const merchant = useMerchant();
  const { name, status, priority, settings, check, health } = gateway;
  const isActive = status === 'active';
  const now = useNow(health.state !== 'closed', HEALTH_TICK_MS);
  const recheck = useMutation({
    mutationFn: () => checkGateway(merchant.merchantId, gateway.id),
    onSuccess: (checked) => checked.check && announce(`${name}: ${checkText(checked.check)}`),
    onSettled: () => refreshSettings(),
  });
  const { detail, ...chip } = healthText(health, check, merchant.timezone, now);
  return (
    <Box
      component="li"
      aria-label={name}
      sx={(theme) => ({ display: 'grid', gap: 2, py: 4, borderTop: `1px solid ${theme.vars.palette.divider}` })}
    >
      <Box sx={{ display: 'flex', gap: 2, alignItems: 'center', flexWrap: 'wrap' }}>
        <Box component="span" sx={{ color: 'text.secondary', minWidth: 20 }}>
          {priority}.
        </Box>
        <Box component="h2" sx={{ m: 0, fontSize: 14, lineHeight: '22px', fontWeight: 600, overflowWrap: 'anywhere' }}>
          {name}
        </Box>
        {settings?.mode === 'test' && <TestBadge />}
        <StatusChip state={status} of="gateway" />
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
          {[label, settings?.currency, settings?.origin?.replace(/^https?:\/\//, '')].filter(Boolean).join(', ')}
        </Box>
      </Box>
      {settings && (
        <Box sx={{ display: 'grid', gap: 2, paddingInlineStart: { sm: 7 }, fontSize: 13 }}>
          <Line chip={<StatusChip {...chip} />}>{detail}</Line>
          {check && (
            <Line chip={<StatusChip {...CHECK_CHIPS[check.state]} />}>
              {checkText(check)}{' '}
              <Box component="span" sx={{ color: 'text.secondary' }}>
                <TimeText at={check.at} timeZone={merchant.timezone} />
              </Box>
            </Line>
          )}
          <Box sx={{ color: 'text.secondary' }}>{holdText(settings)}</Box>
        </Box>
      )}
      {(canWrite || canCheck) && (
        <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap', paddingInlineStart: { sm: 4.5 }, '& button': { minWidth: 0 } }}>
          {canWrite && (
            <Button size="small" variant="text" disabled={!onEdit} onClick={onEdit} aria-label={t('Edit {{name}}', { name })}>
              {t('Edit')}
            </Button>
          )}
          {settings && canCheck && (
            <Button
              size="small"
              variant="text"
              loading={recheck.isPending}
              onClick={() => recheck.mutate()}
              aria-label={t('Check again: {{name}}', { name })}
            >
              {t('Check again')}
            </Button>
          )}
          {canWrite && (
            <>
              <Button
                size="small"
                variant="text"
                loading={isToggling}
                onClick={onToggle}
                aria-label={isActive ? t('Disable {{name}}', { name }) : t('Enable {{name}}', { name })}
              >
                {isActive ? t('Disable') : t('Enable')}
              </Button>
              <Button size="small" variant="text" color="error" onClick={onRemove} aria-label={t('Remove {{name}}', { name })}>
                {t('Remove')}
              </Button>
            </>
          )}
        </Box>
      )}
      {recheck.error && <FailureNote failure={recheck.error} />}
      {children}
    </Box>
  );
}

const CHECK_CHIPS: Readonly<Record<GatewayCheck['state'], { state: string; label: string }>> = {
  ok: { state: 'ok', label: t('Account checked') },
  refused: { state: 'problem', label: t('Account rejected') },
  unreachable: { state: 'warning', label: t('Account not checked') },
};

function Line({ chip, children }: { chip: ReactNode; children?: ReactNode }) {
  return (
    <Box sx={{ display: 'flex', columnGap: 3, rowGap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
      {chip}
      {children && <Box sx={{ overflowWrap: 'anywhere' }}>{children}</Box>}
    </Box>
  );
}

/** Explains what must happen before a gateway can be removed. */
export function RemovalHint({ details, settings }: { details: Readonly<Record<string, unknown>>; settings: Gateway['settings'] }) {
  const { reason, unconfirmed } = details;
  const wait = waitText(details, settings);
  return (
    <>
      {wait} {reason === 'in_use' && <TextLink to="/settings/routing">{t('View rules')}</TextLink>}
      {reason === 'payments_open' && typeof unconfirmed === 'number' && unconfirmed > 0 && (
        <TextLink to="/unconfirmed-payments">{t('View unconfirmed payments')}</TextLink>
      )}
    </>
  );
}

function TextLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link component={RouterLink} to={to} underline="always">
      {children}
    </Link>
  );
}
