import { useMutation, useQuery } from '@tanstack/react-query';
import { t } from '#renderer/base/language';
import { FailureNote, SelectField, showToast } from '#renderer/kit/ui';
import { useIsSandbox, useMay, useMe } from '#renderer/session/user';
import { type SandboxTier, sandboxTierQuery, setSandboxTier } from './queries.ts';

const TIERS: Readonly<Record<SandboxTier, string>> = {
  sandbox: t('No limits'),
  standard: t('Standard: 100 a minute'),
  professional: t('Professional: 300 a minute'),
  enterprise: t('Enterprise'),
};

/** Request limits of a sandbox account, so that a program can meet 429 before it goes live. */
export function SandboxTierField() {
  const may = useMay();
  const { user } = useMe();
  const isShown = useIsSandbox() && may('settings:read');
  const { data } = useQuery({ ...sandboxTierQuery, enabled: isShown });
  const change = useMutation({ mutationFn: setSandboxTier, onSuccess: () => showToast(t('Request limits changed.')) });
  if (!isShown || data === undefined) return null;
  return (
    <>
      <SelectField
        size="small"
        label={t('Request limits of the sandbox')}
        value={data.tier}
        disabled={change.isPending || !may('settings:write') || user.merchantId !== null}
        options={TIERS}
        onChange={(value) => change.mutate(value)}
        sx={{ width: 240 }}
      />
      {change.error && <FailureNote failure={change.error} />}
    </>
  );
}
