import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link as RouterLink } from 'react-router';
import type { GiftCardDetail } from '#renderer/base/client';
import { refusalOf, t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { RecordActions, RecordHeader } from '#renderer/kit/record';
import {
  actorText,
  CopyText,
  dayText,
  FactList,
  MoneyText,
  PanelForm,
  QueryContent,
  TimeText,
  useHeadingFocus,
  useSubmit,
} from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { customerName, customerQuery } from '#renderer/shared/customers';
import { CodeNote, cardName, entryText, giftCardQuery, refreshGiftCards } from '#renderer/shared/gift-cards';
import { AssignForm } from './assign-form.tsx';
import { ExtendForm } from './extend-form.tsx';
import { blockGiftCard, replaceGiftCard, unblockGiftCard } from './queries.ts';

interface GiftCardViewProps {
  readonly giftCardId: string;
  readonly takesFocus: boolean;
  /** Returns the form that adds an amount. */
  readonly form: (card: GiftCardDetail, onClose: () => void) => ReactNode;
}

/** Balance and history of a gift card, with what can be done with it. */
export function GiftCardView({ giftCardId, takesFocus, form }: GiftCardViewProps) {
  const card = useQuery(giftCardQuery(giftCardId));
  return <QueryContent query={card}>{(data) => <Opened card={data} takesFocus={takesFocus} form={form} />}</QueryContent>;
}

const CHANGES = [
  {
    name: 'block',
    keys: 'B',
    label: t('Block card'),
    effect: t('The card pays nothing until it is unblocked. The balance stays.'),
    run: blockGiftCard,
  },
  { name: 'unblock', keys: 'U', label: t('Unblock card'), effect: t('The card pays again.'), run: unblockGiftCard },
  {
    name: 'replace',
    keys: 'P',
    label: t('Replace card'),
    effect: t('Moves the balance to a new code. The present code pays nothing any more. You can’t undo this.'),
    run: replaceGiftCard,
  },
] as const;
type Change = (typeof CHANGES)[number];

function Opened({ card, takesFocus, form }: Omit<GiftCardViewProps, 'giftCardId'> & { readonly card: GiftCardDetail }) {
  const { timezone } = useMerchant();
  const may = useMay();
  const heading = useHeadingFocus(takesFocus);
  const [asked, setAsked] = useState<Change | 'add' | 'extend' | 'assign'>();
  const [issued, setIssued] = useState<{ readonly code: string; readonly amount: string }>();
  const close = () => {
    setAsked(undefined);
    changing.reset();
    heading.current?.focus();
  };
  const changing = useSubmit({
    send: ({ run }: Change, key) => run(card.giftCardId, key),
    refresh: refreshGiftCards,
    announcement: t('Saved'),
    onDone: (changed) => {
      if ('code' in changed && typeof changed.code === 'string')
        setIssued({ code: changed.code, amount: writeMoney(changed.balance, changed.currency) });
      close();
    },
    onClose: close,
  });
  return (
    <Box sx={{ display: 'grid', gap: 6 }}>
      <RecordHeader title={{ amount: card.balance, currency: card.currency }} status={card.status} headingRef={heading}>
        <span>{cardName(card)}</span>
      </RecordHeader>
      {issued && <CodeNote {...issued} />}
      <RecordActions
        group={t('This gift card')}
        actions={[
          {
            keys: 'A',
            label: t('Add amount'),
            reason: refusalOf(card.actions.reload),
            isOpen: asked === 'add',
            run: () => setAsked('add'),
          },
          ...(card.kind === 'gift_card' && may('customers:read')
            ? [
                {
                  keys: 'C',
                  label: card.customerId === null ? t('Name customer') : t('Change customer'),
                  reason: refusalOf(card.actions.assign),
                  isOpen: asked === 'assign',
                  run: () => setAsked('assign'),
                },
              ]
            : []),
          ...(card.expiresOn === null && card.expiredAmount === 0
            ? []
            : [
                {
                  keys: 'E',
                  label: card.expiredAmount > 0 ? t('Reinstate card') : t('Extend card'),
                  reason: refusalOf(card.actions.extend),
                  isOpen: asked === 'extend',
                  run: () => setAsked('extend'),
                },
              ]),
          ...CHANGES.filter(({ name }) => (name === 'unblock') === (card.status === 'blocked') || name === 'replace').map((change) => ({
            keys: change.keys,
            label: change.label,
            reason: refusalOf(card.actions[change.name]),
            isOpen: asked === change,
            run: () => setAsked(change),
          })),
        ]}
      />
      {asked === 'add' && form(card, close)}
      {asked === 'extend' && <ExtendForm card={card} onClose={close} />}
      {asked === 'assign' && <AssignForm card={card} onClose={close} />}
      {asked !== undefined && typeof asked !== 'string' && (
        <PanelForm
          {...changing}
          key={asked.name}
          title={asked.label}
          explanation={asked.effect}
          submitLabel={asked.label}
          isDangerous={asked.name === 'replace'}
          onSubmit={() => changing.onSubmit(asked)}
          focusesSubmit
        />
      )}
      <FactList
        facts={[
          [t('Reason'), card.blockReason],
          [t('Expires on'), card.expiresOn && dayText(card.expiresOn)],
          [t('Expired amount'), card.expiredAmount > 0 && writeMoney(card.expiredAmount, card.currency)],
          [t('Replaced by'), card.replacedBy && <CopyText key="replacedBy" text={card.replacedBy} label={t('Replaced by')} />],
          [t('Customer'), card.customerId && <CustomerLink key="customer" customerId={card.customerId} />],
          [t('Created by'), actorText(card.createdBy)],
          [t('Created'), <TimeText key="created" at={card.createdAt} timeZone={timezone} />],
          ['ID', <CopyText key="id" text={card.giftCardId} label="ID" />],
        ]}
      />
      <Box component="ul" aria-label={t('History')} sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 3 }}>
        {card.entries.toReversed().map((entry) => (
          <Box component="li" key={entry.entryId} sx={{ display: 'flex', justifyContent: 'space-between', gap: 3 }}>
            <Box sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
              <div>{[entryText(entry.kind), entry.reason].filter(Boolean).join(', ')}</div>
              <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
                <TimeText at={entry.createdAt} timeZone={timezone} />, {actorText(entry.createdBy)}
              </Box>
            </Box>
            <MoneyText amount={entry.amount} currency={card.currency} sx={{ fontWeight: 600, whiteSpace: 'nowrap' }} />
          </Box>
        ))}
      </Box>
    </Box>
  );
}

/** Name of a customer with a link to the record, for people who may see customers. */
function CustomerLink({ customerId }: { readonly customerId: string }) {
  const maySee = useMay()('customers:read');
  const { data } = useQuery({ ...customerQuery(customerId), enabled: maySee });
  if (data === undefined) return <CopyText text={customerId} label={t('Customer')} />;
  return (
    <Link component={RouterLink} to={`/customers/${customerId}`}>
      {customerName(data)}
    </Link>
  );
}
