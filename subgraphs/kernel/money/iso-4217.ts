/**
 * The edition of ISO 4217 (list one, maintained by SIX) that {@link CURRENCY_DECIMALS} repeats. After a new amendment, change
 * the tables and this constant together.
 */
export const ISO_4217_EDITION = { amendment: 180, inForce: '2026-01-01', checked: '2026-11-25' } as const;

/**
 * The codes of list one that have a minor unit, by its decimals. Codes without one (precious metals, `XDR`, `XSU`, `XUA`, the
 * test code `XTS` and `XXX`) are not here: no amount of money can be in them.
 */
const CODES: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  2: `
    AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF
    CHE CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD
    GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL
    MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR
    PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP
    TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG`,
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

/** Decimals of the minor unit of every currency that is in force. */
export const CURRENCY_DECIMALS: ReadonlyMap<string, number> = new Map(
  Object.entries(CODES).flatMap(([decimals, codes]) =>
    codes
      .trim()
      .split(/\s+/)
      .map((code) => [code, Number(decimals)] as const),
  ),
);

/** A currency of list three, which has historic denominations. */
interface WithdrawnCurrency {
  /** The month from which ISO 4217 lists it as historic, `YYYY-MM`. */
  readonly since: string;
  /** The currency that replaced it. */
  readonly successor: string;
}

const withdrawn = (since: string, successor: string): WithdrawnCurrency => ({ since, successor });

/**
 * Currencies that were withdrawn in this century, so that an operator who still uses one learns its successor. A code that is
 * in neither table is refused as well.
 */
export const WITHDRAWN_CURRENCIES: Readonly<Record<string, WithdrawnCurrency>> = {
  BGN: withdrawn('2026-01', 'EUR'),
  ANG: withdrawn('2025-03', 'XCG'),
  ZWL: withdrawn('2024-09', 'ZWG'),
  SLL: withdrawn('2023-12', 'SLE'),
  HRK: withdrawn('2023-01', 'EUR'),
  CUC: withdrawn('2021-06', 'CUP'),
  VEF: withdrawn('2018-08', 'VES'),
  MRO: withdrawn('2017-12', 'MRU'),
  STD: withdrawn('2017-12', 'STN'),
  BYR: withdrawn('2017-01', 'BYN'),
  LTL: withdrawn('2014-12', 'EUR'),
  USS: withdrawn('2014-03', 'USD'),
  LVL: withdrawn('2014-01', 'EUR'),
  ZMK: withdrawn('2012-12', 'ZMW'),
  EEK: withdrawn('2011-01', 'EUR'),
  ZWR: withdrawn('2009-06', 'ZWG'),
  SKK: withdrawn('2009-01', 'EUR'),
  TMM: withdrawn('2009-01', 'TMT'),
  ZWD: withdrawn('2008-08', 'ZWG'),
  CYP: withdrawn('2008-01', 'EUR'),
  GHC: withdrawn('2008-01', 'GHS'),
  MTL: withdrawn('2008-01', 'EUR'),
  VEB: withdrawn('2008-01', 'VES'),
  SDD: withdrawn('2007-07', 'SDG'),
  SIT: withdrawn('2007-01', 'EUR'),
  CSD: withdrawn('2006-10', 'RSD'),
  MZM: withdrawn('2006-06', 'MZN'),
  AZM: withdrawn('2005-12', 'AZN'),
  TRL: withdrawn('2005-12', 'TRY'),
  ROL: withdrawn('2005-06', 'RON'),
  MGF: withdrawn('2004-12', 'MGA'),
  SRG: withdrawn('2003-12', 'SRD'),
  AFA: withdrawn('2003-01', 'AFN'),
  ATS: withdrawn('2002-03', 'EUR'),
  BEF: withdrawn('2002-03', 'EUR'),
  DEM: withdrawn('2002-03', 'EUR'),
  ESP: withdrawn('2002-03', 'EUR'),
  FIM: withdrawn('2002-03', 'EUR'),
  FRF: withdrawn('2002-03', 'EUR'),
  GRD: withdrawn('2002-03', 'EUR'),
  IEP: withdrawn('2002-03', 'EUR'),
  ITL: withdrawn('2002-03', 'EUR'),
  LUF: withdrawn('2002-03', 'EUR'),
  NLG: withdrawn('2002-03', 'EUR'),
  PTE: withdrawn('2002-03', 'EUR'),
};
