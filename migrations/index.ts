import { Payments1763600000000 } from './1763600000000-payments.ts';
import { Vault1763600000001 } from './1763600000001-vault.ts';
import { Identity1763600000002 } from './1763600000002-identity.ts';
import { Webhooks1763600000003 } from './1763600000003-webhooks.ts';
import { NothingForgotten1763600000004 } from './1763600000004-nothing-forgotten.ts';
import { RateWindows1763600000005 } from './1763600000005-rate-windows.ts';
import { Audit1763600000006 } from './1763600000006-audit.ts';
import { WhoMayDoWhat1763600000007 } from './1763600000007-who-may-do-what.ts';
import { CustomersThatComeBack1763600000008 } from './1763600000008-customers-that-come-back.ts';
import { PaidFromAfar1763600000009 } from './1763600000009-paid-from-afar.ts';
import { WhereTheMoneyIs1763600000010 } from './1763600000010-where-the-money-is.ts';
import { SettledToTheLastLine1763600000011 } from './1763600000011-settled-to-the-last-line.ts';
import { KeptAside1763600000012 } from './1763600000012-kept-aside.ts';
import { OneKeyToOpenThem1763600000014 } from './1763600000014-one-key-to-open-them.ts';
import { TotalsAtOnce1763600000015 } from './1763600000015-totals-at-once.ts';
import { RealMoney1763600000016 } from './1763600000016-real-money.ts';
import { HowItStands1763600000017 } from './1763600000017-how-it-stands.ts';
import { AddRerunClaim1763600000018 } from './1763600000018-add-rerun-claim.ts';
import { AddAuthenticators1763600000019 } from './1763600000019-add-authenticators.ts';
import { AddAuditUserAgent1763600000020 } from './1763600000020-add-audit-user-agent.ts';
import { ScanStoredCardNumbers1763600000021 } from './1763600000021-scan-stored-card-numbers.ts';
import { AddDeliveryPosition1763600000025 } from './1763600000025-add-delivery-position.ts';
import { AddSecurityEndpoints1763600000026 } from './1763600000026-add-security-endpoints.ts';

/** Every change of the schema, in the order in which they are made. */
export const MIGRATIONS = [
  Payments1763600000000,
  Vault1763600000001,
  Identity1763600000002,
  Webhooks1763600000003,
  NothingForgotten1763600000004,
  RateWindows1763600000005,
  Audit1763600000006,
  WhoMayDoWhat1763600000007,
  CustomersThatComeBack1763600000008,
  PaidFromAfar1763600000009,
  WhereTheMoneyIs1763600000010,
  SettledToTheLastLine1763600000011,
  KeptAside1763600000012,
  OneKeyToOpenThem1763600000014,
  TotalsAtOnce1763600000015,
  RealMoney1763600000016,
  HowItStands1763600000017,
  AddRerunClaim1763600000018,
  AddAuthenticators1763600000019,
  AddAuditUserAgent1763600000020,
  ScanStoredCardNumbers1763600000021,
  AddDeliveryPosition1763600000025,
  AddSecurityEndpoints1763600000026,
];
